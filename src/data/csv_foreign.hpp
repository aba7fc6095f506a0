// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace knotwork::csv {

// Of a file no more than these are looked at.
inline constexpr std::size_t kForeignBytes = 4096;

// Throws bad_data when the first bytes are those of a model file, a spreadsheet, UTF-16 or another
// file that is no table of text, for which a complaint about line 1 would help nobody.
void refuse_foreign(std::string_view bytes, std::string_view source);

}  // namespace knotwork::csv
