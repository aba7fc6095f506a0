// SPDX-License-Identifier: MIT
// Tables that are written row by row, in the format that the file's name implies.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/stored_table.hpp>

namespace knotwork::cli {

enum class TableFormat { csv, table_file, npy };
// The format is chosen by the ending: .safetensors, .npy, and CSV for all others.
TableFormat format_of(const std::string& path);

// A temporary table file beside another file; the destructor removes it.
class PassingTable {
 public:
  explicit PassingTable(const std::string& beside);
  ~PassingTable();
  PassingTable(const PassingTable&) = delete;
  PassingTable& operator=(const PassingTable&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Runs `work`, and makes its errors name the other file, which the user knows.
  template <class Work>
  void name_the_other(const Work& work) const {
    try {
      work();
    } catch (const Error& error) {
      throw naming_the_other(error);
    }
  }

 private:
  Error naming_the_other(const Error& error) const;

  std::string beside_;
  std::filesystem::path path_;
};

// Writes a stored table in the format of `path`.
void write_stored(const StoredTable& table, const std::string& path, const CsvOptions& columns,
                  Monitor* monitor);

// The memory does not grow with the rows. The file appears as a whole when it is finished, or not
// at all.
class TableOutput {
 public:
  // `description` is a table without rows.
  TableOutput(const std::string& path, const Table& description);
  ~TableOutput();
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  // Adds rows.
  void append(const Table& window);
  void finish(Monitor* monitor);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knotwork::cli
