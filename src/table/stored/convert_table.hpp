// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <knotwork/stored_table.hpp>

#include "files/text_source.hpp"
#include "table/csv/csv_stream.hpp"

namespace knotwork::table {

// convert_csv() for any text. If given, `remarks` is set to what the reader decided.
std::size_t convert_text(files::TextSource& text, const std::string& source,
                         const std::filesystem::path& out, const CsvOptions& options,
                         Monitor* monitor = nullptr, std::size_t window_bytes = csv::kWindowBytes,
                         std::vector<Remark>* remarks = nullptr);

}  // namespace knotwork::table
