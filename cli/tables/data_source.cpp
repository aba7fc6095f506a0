// SPDX-License-Identifier: MIT
#include "cli/tables/data_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "base/fail.hpp"
#include "cli/output/program_monitor.hpp"
#include "files/file_io.hpp"
#include "files/watched_calls.hpp"

#include <knotwork/builtin_data.hpp>

namespace knotwork::cli {

namespace {

constexpr std::string_view kBuiltin = "builtin:";

}  // namespace

bool is_builtin(const std::string& data) {
  return data.starts_with(kBuiltin);
}

std::span<const char> read_standard_input(std::span<char> buffer) {
  program_monitor()->check();
  const ssize_t got = files::without_interruptions(
      [&] { return files::system_calls().read(STDIN_FILENO, buffer.data(), buffer.size()); });
  if (got < 0) fail(ErrorKind::failed_run, "Standard input cannot be read to its end.");
  return buffer.first(static_cast<std::size_t>(got));
}

DataSource::DataSource(std::string data, std::uint64_t seed) : data_(std::move(data)), seed_(seed) {
  if (is_builtin()) return;
  if (data_ == "-") {
    data_ = "standard input";
    std::string bytes;
    std::vector<char> buffer(std::size_t{1} << 17);
    for (auto got = read_standard_input(buffer); !got.empty(); got = read_standard_input(buffer)) {
      bytes.append(got.data(), got.size());
    }
    text_ = unpack_csv_text(std::move(bytes), data_, program_monitor().get());
  } else if (is_stored_table_file(data_)) {
    stored_.emplace(data_);
  } else {
    text_ = read_csv_text(data_, program_monitor().get());
  }
}

Table DataSource::read(const CsvOptions& options) const {
  if (is_builtin()) {
    Table table = make_builtin(data_.substr(kBuiltin.size()), 0, seed_);
    return options.only ? choose_columns(std::move(table), *options.only) : table;
  }
  Monitor* const monitor = program_monitor().get();
  return stored_ ? stored_->load(options, monitor) : parse_csv(text_, data_, options, monitor);
}

std::vector<std::string> DataSource::names(const CsvOptions& options) const {
  if (stored_) return stored_->description().names;
  return is_builtin() ? read().names : parse_csv_names(text_, data_, options);
}

std::optional<DataSource> open_together(Ranks& ranks, const std::string& data, std::uint64_t seed,
                                        bool can_share) {
  std::optional<DataSource> source;
  if (ranks.is_first()) source.emplace(data, seed);
  // The other ranks may not see the file, and must not read standard input.
  const bool is_shared = ranks.any(source && source->stored() && can_share);
  if (source || !is_shared) return source;
  source.emplace(data, seed);
  if (!source->stored()) {
    fail(ErrorKind::bad_data,
         "{} is a table file on rank 0 but not on this rank; all ranks must read the same file.",
         data);
  }
  return source;
}

std::vector<std::size_t> read_row_numbers(const std::string& path) {
  const std::vector<std::uint8_t> bytes = files::read_file(path);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<std::size_t> rows;
  std::set<std::size_t> seen;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.ends_with('\r')) word.remove_suffix(1);
    if (word.empty()) continue;
    std::size_t row = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), row);
    if (error != std::errc() || stop != word.data() + word.size()) {
      fail(ErrorKind::bad_data, "{}, line {}: '{}' is not a row number (0, 1, 2, ...).", path, line,
           word);
    }
    if (!seen.insert(row).second) {
      fail(ErrorKind::bad_data, "{}, line {}: row {} is listed a second time.", path, line, row);
    }
    rows.push_back(row);
  }
  if (rows.empty()) fail(ErrorKind::bad_data, "{} lists no rows.", path);
  return rows;
}

}  // namespace knotwork::cli
