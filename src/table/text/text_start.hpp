// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {

// Only these first bytes of a file are checked.
inline constexpr std::size_t kForeignBytes = 4096;

// Throws bad_data when the first bytes belong to a model file, a spreadsheet, a Parquet file, a
// page of HTML, UTF-16 or another file that is not a text table; an error about line 1 would not
// help there.
void refuse_unless_text(std::string_view bytes, std::string_view source);

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The text after a byte order mark, if there is one. Throws when the bytes are not text, which the
// first kStartBytes show.
inline constexpr std::size_t kStartBytes = kByteOrderMark.size() + kForeignBytes;
std::string_view text_of(std::string_view bytes, const std::string& source);

// A scanner at the first line that is neither blank nor a comment. Throws when there is no such
// line. `line` is the number of the text's first line.
CellScanner start_of(std::string_view text, const std::string& source, const Dialect& dialect,
                     std::size_t line = 1);

}  // namespace knotwork::csv
