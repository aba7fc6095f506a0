// SPDX-License-Identifier: MIT
// These functions quote external texts in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <knotwork/api.hpp>

namespace knotwork {

KNOTWORK_API bool is_utf8(std::string_view text);

// Short and printable: broken UTF-8, control characters (also those of C1), separators of lines and
// characters that set the direction of writing are escaped, "\x1b" or "\u202e".
inline constexpr std::size_t kShownBytes = 40;
inline constexpr std::size_t kShownSentence = 400;  // for a sentence that quotes several
inline constexpr std::size_t kShownWhole = std::string_view::npos;
KNOTWORK_API std::string shown(std::string_view text, std::size_t most_bytes = kShownBytes);

}  // namespace knotwork
