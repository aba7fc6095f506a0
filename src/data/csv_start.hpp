// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <knotwork/table.hpp>

#include "data/csv_cursor.hpp"
#include "data/csv_foreign.hpp"

namespace knotwork::csv {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What stands behind a byte order mark, if there is one. Throws when the bytes are no text, which
// the first kStartBytes tell.
inline constexpr std::size_t kStartBytes = kByteOrderMark.size() + kForeignBytes;
std::string_view text_of(std::string_view bytes, const std::string& source);

// Stands at the first line of a CSV text that is not blank, and knows the delimiter. Throws when
// there is no such line.
Cursor start_of(std::string_view text, const std::string& source, const CsvOptions& options);

}  // namespace knotwork::csv
