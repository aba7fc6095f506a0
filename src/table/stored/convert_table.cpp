// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/fail.hpp"
#include "files/file_io.hpp"
#include "files/watched_calls.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/csv_stream.hpp"
#include "table/csv/write_csv.hpp"
#include "table/stored/convert_table.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork {

using namespace table;

namespace {

void for_each_window(const StoredTable& stored, const CsvOptions& columns, Monitor* monitor,
                     Phase phase, const std::function<void(const Table&)>& take) {
  parallel::WatchedWork work(monitor, phase, static_cast<double>(stored.rows()));
  stored.for_each_window(columns, [&](const Table& window) {
    take(window);
    work.advance(static_cast<double>(window.rows()));
  });
}

// The requested columns.
struct ChosenColumns {
  ChosenColumns(const StoredTable& table, const CsvOptions& columns)
      : description(table.describe(columns, places)) {}
  // Throws if a column was changed; takes as long as reading the columns.
  void check(const StoredTable& table, Monitor* monitor) const {
    parallel::WatchedWork work(monitor, Phase::reading, static_cast<double>(places.size()));
    for (const std::size_t place : places) {
      table.check_column(place, monitor);
      work.advance();
    }
  }
  std::vector<std::size_t> places;  // in the file
  Table description;
};

void write_text(files::AtomicFile& file, fmt::memory_buffer& text) {
  file.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  text.clear();
}

template <class Number>
void append_rows(const Table& window, std::vector<std::uint8_t>& bytes) {
  const std::size_t width = window.columns.size();
  bytes.resize(window.rows() * width * sizeof(Number));
  for (std::size_t c = 0; c < width; ++c) {
    std::uint8_t* out = bytes.data() + c * sizeof(Number);
    for (const double cell : window.columns[c]) {
      const Number number = static_cast<Number>(cell);
      std::memcpy(out, &number, sizeof(Number));
      out += width * sizeof(Number);
    }
  }
}

// For tables whose first rows do not show how all columns are read.
void read_again(csv::Stream& stream, const std::vector<bool>& columns, Table& window,
                TableWriter& writer) {
  stream.begin_again();
  while (stream.next_again(window)) writer.append_again(columns, window.columns);
}

}  // namespace

std::size_t table::convert_text(files::TextSource& text, const std::string& source,
                                const std::filesystem::path& out, const CsvOptions& options,
                                Monitor* monitor, std::size_t window_bytes,
                                std::vector<Remark>* remarks) {
  const files::WatchedFiles watched(monitor);
  parallel::WatchedWork work(monitor, Phase::reading, 1);
  csv::Stream stream(text, source, options, window_bytes, monitor);
  Table window = stream.layout().empty_table();
  window.cells = options.cells;
  TableWriter writer(out, window);
  double told = 0;
  while (stream.next_rows(window)) {
    writer.append(window.columns);
    const double share = text.share();
    work.advance(share - std::exchange(told, share));
  }
  stream.decide();
  const std::vector<bool> again = stream.columns_to_read_again();
  if (std::find(again.begin(), again.end(), true) != again.end()) {
    read_again(stream, again, window, writer);
  }
  std::vector<std::vector<std::string>> labels;
  std::vector<std::vector<double>> ranks;
  for (csv::Dictionary::Sorted& sorted : stream.labels()) {
    labels.push_back(std::move(sorted.labels));
    ranks.push_back(std::move(sorted.ranks));
  }
  stream.describe(window);
  writer.describe(window);
  writer.finish(labels, ranks, monitor);
  if (remarks) *remarks = std::move(window.remarks);
  return stream.rows();
}

struct CsvSource::State {
  std::string name;
  std::unique_ptr<files::TextSource> text;
  std::vector<Remark> remarks = {};
};

CsvSource::CsvSource(const std::filesystem::path& path, Monitor* monitor)
    : state_(std::make_unique<State>()) {
  const files::WatchedFiles watched(monitor);
  state_->name = path.string();
  state_->text = std::make_unique<files::FileText>(path);
}

CsvSource::CsvSource(const std::string& name, const std::filesystem::path& beside, const Read& read,
                     Monitor* monitor)
    : state_(std::make_unique<State>()) {
  const files::WatchedFiles watched(monitor);
  state_->name = name;
  state_->text = std::make_unique<files::SpooledText>(name, beside, read);
}

CsvSource::~CsvSource() = default;
CsvSource::CsvSource(CsvSource&&) noexcept = default;
CsvSource& CsvSource::operator=(CsvSource&&) noexcept = default;

const std::string& CsvSource::name() const {
  return state_->name;
}

// names() and convert() start at the beginning of the text, wherever an earlier call stopped.
std::vector<std::string> CsvSource::names(const CsvOptions& options, Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  state_->text->rewind();
  csv::Windows windows(*state_->text, name(), csv::kWindowBytes);
  const std::string start(windows.start());
  if (!csv::is_json_lines(start, name())) return parse_csv_names(start, name(), options);
  const CsvOptions csv = csv::options_for_json(options, name());
  return csv::JsonLinesText(*state_->text, name(), csv, monitor).names();
}

std::size_t CsvSource::convert(const std::filesystem::path& out, const CsvOptions& options,
                               Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  state_->text->rewind();
  return convert_text(*state_->text, name(), out, options, monitor, csv::kWindowBytes,
                      &state_->remarks);
}

const std::vector<Remark>& CsvSource::remarks() const {
  return state_->remarks;
}

std::size_t convert_csv(const std::filesystem::path& csv, const std::filesystem::path& out,
                        const CsvOptions& options, Monitor* monitor) {
  return CsvSource(csv, monitor).convert(out, options, monitor);
}

void write_table_file(const StoredTable& table, const std::filesystem::path& out,
                      const CsvOptions& columns, Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  const ChosenColumns chosen(table, columns);
  chosen.check(table, monitor);
  TableWriter writer(out, chosen.description);
  for_each_window(table, columns, monitor, Phase::reading,
                  [&](const Table& window) { writer.append(window.columns); });
  writer.finish(chosen.description.labels, {}, monitor);
}

void write_csv(const StoredTable& table, const std::filesystem::path& out,
               const CsvOptions& columns, Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  const ChosenColumns chosen(table, columns);
  chosen.check(table, monitor);
  files::AtomicFile file(out);
  fmt::memory_buffer text;
  csv::append_names(chosen.description, text);
  for_each_window(table, columns, monitor, Phase::writing, [&](const Table& window) {
    csv::append_rows(window, text);
    write_text(file, text);
  });
  file.commit();
}

void write_npy(const StoredTable& table, const std::filesystem::path& out,
               const CsvOptions& columns, Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  const ChosenColumns chosen(table, columns);
  bool floats = true;
  for (std::size_t c = 0; c < chosen.places.size(); ++c) {
    floats = floats && table.is_float(chosen.places[c]);
    if (!chosen.description.is_text(c)) continue;
    const std::string& name = chosen.description.names[c];
    fail(ErrorKind::bad_data, in_file(out.string()),
         Hint{.purpose = "to leave the column out", .settings = {{"drop", name}}},
         "cannot be written: column '{}' is text, but a .npy file has only numbers.",
         csv::shown(name));
  }
  chosen.check(table, monitor);
  files::AtomicFile file(out);
  file.write(write_npy_header(table.rows(), chosen.places.size(), floats ? 4 : 8));
  std::vector<std::uint8_t> bytes;
  for_each_window(table, columns, monitor, Phase::writing, [&](const Table& window) {
    floats ? append_rows<float>(window, bytes) : append_rows<double>(window, bytes);
    file.write(bytes);
  });
  file.commit();
}

}  // namespace knotwork
