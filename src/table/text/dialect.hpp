// SPDX-License-Identifier: MIT
// find_dialect() decides how a text table is divided into lines and cells.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "table/csv/cell_scanner.hpp"

#include <knotwork/table.hpp>

namespace knotwork::csv {

// Guesses are made from the start of a text: at most so many lines and bytes.
inline constexpr std::size_t kSampleLines = 100;
inline constexpr std::size_t kSampleBytes = std::size_t{1} << 20;

// The first whole lines of a text, from its first kSampleBytes bytes or from all of it. A line that
// is longer is cut off.
std::string_view sample_of(std::string_view text);

// What the options say, and guesses from the sample for the rest. The comment sign is that of the
// options, which must outlive the result. Throws bad_option for an impossible delimiter or comment
// sign.
Dialect find_dialect(std::string_view sample, const CsvOptions& options);

}  // namespace knotwork::csv
