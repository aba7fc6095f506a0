// SPDX-License-Identifier: MIT
#include "cli/tables/table_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <system_error>

#include "base/fail.hpp"
#include "files/file_io.hpp"

namespace knotwork::cli {

TableFormat format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".safetensors") return TableFormat::table_file;
  return ending == ".npy" ? TableFormat::npy : TableFormat::csv;
}

PassingTable::PassingTable(const std::string& beside)
    : beside_(beside),
      path_(std::filesystem::path(beside).parent_path() /
            fmt::format(".knotwork-{}-table.tmp", ::getpid())) {}

Error PassingTable::naming_the_other(const Error& error) const {
  if (error.file() != path_.string()) return error;
  Where where = error.where();
  where.file = beside_;
  return moved_to(error, std::move(where));
}

PassingTable::~PassingTable() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void write_stored(const StoredTable& table, const std::string& path, const CsvOptions& columns,
                  Monitor* monitor) {
  switch (format_of(path)) {
    case TableFormat::csv:
      return write_csv(table, path, columns, monitor);
    case TableFormat::table_file:
      return write_table_file(table, path, columns, monitor);
    case TableFormat::npy:
      return write_npy(table, path, columns, monitor);
  }
}

// The header of an array needs the type of all its numbers, so an array is made from a table file.
struct TableOutput::State {
  std::string path;
  std::optional<files::AtomicFile> text;
  std::optional<PassingTable> passing;
  std::optional<TableWriter> table;

  void write(const std::string& lines) {
    text->write({reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size()});
  }
  // Messages about the temporary table name the array instead.
  template <class Work>
  void named(const Work& work) const {
    passing ? passing->name_the_other(work) : work();
  }
};

TableOutput::TableOutput(const std::string& path, const Table& description)
    : state_(std::make_unique<State>()) {
  state_->path = path;
  if (format_of(path) == TableFormat::csv) {
    state_->text.emplace(path);
    state_->write(to_csv(description));
    return;
  }
  if (format_of(path) == TableFormat::npy) state_->passing.emplace(path);
  const std::filesystem::path place =
      state_->passing ? state_->passing->path() : std::filesystem::path(path);
  state_->named([&] { state_->table.emplace(place, description); });
}

TableOutput::~TableOutput() = default;

void TableOutput::append(const Table& window) {
  if (!state_->text) {
    return state_->named([&] { state_->table->append(window.columns); });
  }
  state_->write(to_csv(window, false));
}

void TableOutput::finish(Monitor* monitor) {
  if (state_->text) return state_->text->commit();
  state_->named([&] { state_->table->finish({}, {}, monitor); });
  if (!state_->passing) return;
  write_npy(StoredTable(state_->passing->path()), state_->path, {}, monitor);
}

}  // namespace knotwork::cli
