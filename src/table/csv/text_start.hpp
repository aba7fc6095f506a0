// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/csv/cell_scanner.hpp"

#include <knotwork/table.hpp>

namespace knotwork::csv {

// Of a file no more than these are looked at.
inline constexpr std::size_t kForeignBytes = 4096;

// Throws bad_data when the first bytes are those of a model file, a spreadsheet, UTF-16 or another
// file that is no table of text, for which a complaint about line 1 would help nobody.
void refuse_unless_text(std::string_view bytes, std::string_view source);

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What stands behind a byte order mark, if there is one. Throws when the bytes are no text, which
// the first kStartBytes tell.
inline constexpr std::size_t kStartBytes = kByteOrderMark.size() + kForeignBytes;
std::string_view text_of(std::string_view bytes, const std::string& source);

// Stands at the first line of a CSV text that is not blank, and knows the delimiter. Throws when
// there is no such line.
CellScanner start_of(std::string_view text, const std::string& source, const CsvOptions& options);

}  // namespace knotwork::csv
