// SPDX-License-Identifier: MIT
// Tables that are written row by row, as what the name of the file says.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/stored_table.hpp>

namespace knotwork::cli {

enum class TableFormat { csv, table_file, npy };
// By the ending: .safetensors, .npy, and CSV for all others.
TableFormat format_of(const std::string& path);

// A table file beside another one that is there until its object goes.
class PassingTable {
 public:
  explicit PassingTable(const std::string& beside);
  ~PassingTable();
  PassingTable(const PassingTable&) = delete;
  PassingTable& operator=(const PassingTable&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Runs `work` so that what it says of this file it says of the other one, which people know.
  template <class Work>
  void name_the_other(const Work& work) const {
    try {
      work();
    } catch (const Error& error) {
      throw Error(error.kind(), naming_the_other(error.what()));
    }
  }

 private:
  std::string naming_the_other(std::string sentence) const;

  std::string beside_;
  std::filesystem::path path_;
};

// A stored table as `path` says.
void write_stored(const StoredTable& table, const std::string& path,
                  const TableWriter::Progress& progress = {}, const CsvOptions& columns = {});

// Memory does not grow with the rows. The file is there whole when it is finished, or not at all.
class TableOutput {
 public:
  // `description` is a table without rows.
  TableOutput(const std::string& path, const Table& description);
  ~TableOutput();
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  // Further rows.
  void append(const Table& window);
  // `progress` is told the share of what is still to be done, and can end it.
  void finish(const TableWriter::Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knotwork::cli
