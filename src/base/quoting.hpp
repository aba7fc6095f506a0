// SPDX-License-Identifier: MIT
// These functions quote external texts in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <knotwork/api.hpp>

namespace knotwork {

KNOTWORK_API bool is_utf8(std::string_view text);

// Short and printable: control characters and broken UTF-8 are escaped.
inline constexpr std::size_t kShownBytes = 40;
inline constexpr std::size_t kShownSentence = 400;  // for a sentence that quotes several
KNOTWORK_API std::string shown(std::string_view text, std::size_t most_bytes = kShownBytes);

}  // namespace knotwork
