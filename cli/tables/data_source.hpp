// SPDX-License-Identifier: MIT
// DATA on the command line: a file of any kind, - for standard input, or builtin:NAME.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <knotwork/ranks.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kDataHelp =
    "a CSV file (also gzip), a table file of convert, a .npy file, - for standard input, or "
    "builtin:NAME (knotwork datasets lists them)";

bool is_builtin(const std::string& data);

class DataSource {
 public:
  // Reads a text, from a file or from standard input, to its end and unpacks it; of other tables
  // what describes them. The seed is that of a built-in set.
  DataSource(std::string data, std::uint64_t seed);

  bool is_builtin() const { return cli::is_builtin(data_); }
  // Whether it is CSV, of which there is something to say how it is written.
  bool is_text() const { return !is_builtin() && !stored_; }
  // The table that stays in its file, or null.
  const StoredTable* stored() const { return stored_ ? &*stored_ : nullptr; }
  // May be called again with other options. A built-in set heeds `only` and nothing else.
  Table read(const CsvOptions& options = {}) const;
  // Of all columns; rows are not looked at.
  std::vector<std::string> names(const CsvOptions& options = {}) const;

 private:
  std::string data_;
  std::uint64_t seed_;
  std::string text_;  // of a file or standard input
  std::optional<StoredTable> stored_;
};

// The same for several ranks. If it is a table that stays in its file, of which each can read its
// own rows, and `can_share` says so, all open it; otherwise the first one alone, and the others get
// nothing.
std::optional<DataSource> open_together(Ranks& ranks, const std::string& data, std::uint64_t seed,
                                        bool can_share = true);

// One row number on each line, counted from 0, none of them twice.
std::vector<std::size_t> read_row_numbers(const std::string& path);

}  // namespace knotwork::cli
