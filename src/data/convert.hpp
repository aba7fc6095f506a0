// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <knotwork/table_file.hpp>

#include "data/csv_stream.hpp"
#include "data/text_source.hpp"

namespace knotwork {

// convert_csv() for any text.
std::size_t convert_text(TextSource& text, const std::string& source,
                         const std::filesystem::path& out, const CsvOptions& options,
                         const TableWriter::Progress& progress = {},
                         std::size_t window_bytes = csv::kWindowBytes);

}  // namespace knotwork
