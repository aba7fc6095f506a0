// SPDX-License-Identifier: MIT
// DATA on the command line: a file, - for standard input, or builtin:NAME.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kDataHelp =
    "a CSV file (also gzip), - for standard input, or builtin:NAME (knotwork datasets lists them)";

bool is_builtin(const std::string& data);

class DataSource {
 public:
  // Reads the file, or standard input to its end, and unpacks it. The seed is that of a built-in
  // set.
  DataSource(std::string data, std::uint64_t seed);

  bool is_builtin() const { return cli::is_builtin(data_); }
  // May be called again with other options. A built-in set heeds `only` and nothing else.
  Table read(const CsvOptions& options = {}) const;
  // Of all columns; rows are not looked at.
  std::vector<std::string> names(const CsvOptions& options = {}) const;

 private:
  std::string data_;
  std::uint64_t seed_;
  std::string text_;  // of a file or standard input
};

// One row number on each line, counted from 0, none of them twice.
std::vector<std::size_t> read_row_numbers(const std::string& path);

}  // namespace knotwork::cli
