// SPDX-License-Identifier: MIT
// DATA on the command line: a file of any kind, - for standard input, or builtin:NAME.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <knotwork/ranks.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kDataHelp =
    "a CSV file or JSON lines (also packed), a table file from knotwork convert, a .npy file, - "
    "for "
    "standard input, or builtin:NAME (knotwork datasets lists them)";

bool is_builtin(const std::string& data);

// The next bytes; empty at the end. A signal ends the waiting.
std::span<const char> read_standard_input(std::span<char> buffer);

class DataSource {
 public:
  // Reads and unpacks a text table completely, from a file or from standard input. Reads only the
  // description of other tables. `seed` is for built-in sets.
  DataSource(std::string data, std::uint64_t seed);

  bool is_builtin() const { return cli::is_builtin(data_); }
  // Whether the source is CSV, so that options about its format apply.
  bool is_text() const { return !is_builtin() && !stored_; }
  // The table that stays in its file, or null.
  const StoredTable* stored() const { return stored_ ? &*stored_ : nullptr; }
  // May be called again with other options. A built-in set uses only the option `only`.
  Table read(const CsvOptions& options = {}) const;
  // The names of all columns; no rows are read.
  std::vector<std::string> names(const CsvOptions& options = {}) const;

 private:
  std::string data_;
  std::uint64_t seed_;
  std::string text_;  // content of a file or standard input
  std::optional<StoredTable> stored_;
};

// Opens the source on several ranks. If it is a table that stays in its file and `can_share` is
// true, all ranks open it, because each can read its own rows; otherwise only the first rank opens
// it, and the others get nothing.
std::optional<DataSource> open_together(Ranks& ranks, const std::string& data, std::uint64_t seed,
                                        bool can_share = true);

// One row number on each line, counted from 0, without repetition.
std::vector<std::size_t> read_row_numbers(const std::string& path);

}  // namespace knotwork::cli
