// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "base/fail.hpp"
#include "files/file_io.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/csv_stream.hpp"
#include "table/csv/write_csv.hpp"
#include "table/stored/convert_table.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork {

using namespace table;

namespace {

using Progress = TableWriter::Progress;

void tell(const Progress& progress, double share, const std::string& source) {
  if (progress && !progress(share)) {
    fail(ErrorKind::failed_run, "Reading {} was interrupted.", source);
  }
}

// A part of the whole.
Progress part(const Progress& progress, double from, double to) {
  if (!progress) return {};
  return [progress, from, to](double share) { return progress(from + share * (to - from)); };
}

void for_each_window(const StoredTable& stored, const CsvOptions& columns, const Progress& progress,
                     const std::function<void(const Table&)>& take) {
  std::size_t rows = 0;
  stored.for_each_window(columns, [&](const Table& window) {
    take(window);
    rows += window.rows();
    tell(progress, static_cast<double>(rows) / static_cast<double>(stored.rows()),
         stored.description().source);
  });
}

// The columns that are asked for.
struct ChosenColumns {
  ChosenColumns(const StoredTable& table, const CsvOptions& columns)
      : description(table.describe(columns, places)) {}
  // Throws where one was changed, which takes as long as reading them.
  void check(const StoredTable& table) const {
    for (const std::size_t place : places) table.check_column(place);
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

// For tables whose beginning did not tell which columns are text.
void read_texts(csv::Stream& stream, const std::vector<bool>& is_text, Table& window,
                TableWriter& writer) {
  stream.begin_labels(is_text);
  while (stream.next_labels(window)) writer.append_texts(is_text, window.columns);
}

}  // namespace

std::size_t table::convert_text(files::TextSource& text, const std::string& source,
                                const std::filesystem::path& out, const CsvOptions& options,
                                const Progress& progress, std::size_t window_bytes) {
  csv::Stream stream(text, source, options, window_bytes);
  Table window = stream.layout().empty_table();
  window.cells = options.cells;
  TableWriter writer(out, window);
  constexpr double kRead = 0.8;  // of the time, roughly
  while (stream.next_rows(window)) {
    writer.append(window.columns);
    tell(progress, kRead * text.share(), source);
  }
  const std::vector<bool> is_text = stream.find_text_columns();
  std::vector<std::vector<std::string>> labels;
  std::vector<std::vector<double>> ranks;
  if (std::find(is_text.begin(), is_text.end(), true) != is_text.end()) {
    if (!stream.has_labels(is_text)) read_texts(stream, is_text, window, writer);
    for (csv::Dictionary::Sorted& sorted : stream.labels()) {
      labels.push_back(std::move(sorted.labels));
      ranks.push_back(std::move(sorted.ranks));
    }
  }
  writer.finish(labels, ranks, part(progress, kRead, 1));
  return stream.rows();
}

struct CsvSource::State {
  std::string name;
  std::unique_ptr<files::TextSource> text;
};

CsvSource::CsvSource(const std::filesystem::path& path)
    : state_(new State{path.string(), std::make_unique<files::FileText>(path)}) {}

CsvSource::CsvSource(const std::string& name, const std::filesystem::path& beside, const Read& read)
    : state_(new State{name, std::make_unique<files::SpooledText>(name, beside, read)}) {}

CsvSource::~CsvSource() = default;
CsvSource::CsvSource(CsvSource&&) noexcept = default;
CsvSource& CsvSource::operator=(CsvSource&&) noexcept = default;

const std::string& CsvSource::name() const {
  return state_->name;
}

std::vector<std::string> CsvSource::names(const CsvOptions& options) {
  csv::Windows windows(*state_->text, name(), csv::kWindowBytes);
  const std::vector<std::string> names =
      parse_csv_names(std::string(windows.start()), name(), options);
  state_->text->rewind();
  return names;
}

std::size_t CsvSource::convert(const std::filesystem::path& out, const CsvOptions& options,
                               const Progress& progress) {
  return convert_text(*state_->text, name(), out, options, progress);
}

std::size_t convert_csv(const std::filesystem::path& csv, const std::filesystem::path& out,
                        const CsvOptions& options, const Progress& progress) {
  return CsvSource(csv).convert(out, options, progress);
}

void write_table_file(const StoredTable& table, const std::filesystem::path& out,
                      const Progress& progress, const CsvOptions& columns) {
  const ChosenColumns chosen(table, columns);
  chosen.check(table);
  TableWriter writer(out, chosen.description);
  for_each_window(table, columns, part(progress, 0, 0.5),
                  [&](const Table& window) { writer.append(window.columns); });
  writer.finish(chosen.description.labels, {}, part(progress, 0.5, 1));
}

void write_csv(const StoredTable& table, const std::filesystem::path& out, const Progress& progress,
               const CsvOptions& columns) {
  const ChosenColumns chosen(table, columns);
  chosen.check(table);
  files::AtomicFile file(out);
  fmt::memory_buffer text;
  csv::append_names(chosen.description, text);
  for_each_window(table, columns, progress, [&](const Table& window) {
    csv::append_rows(window, text);
    write_text(file, text);
  });
  file.commit();
}

void write_npy(const StoredTable& table, const std::filesystem::path& out, const Progress& progress,
               const CsvOptions& columns) {
  const ChosenColumns chosen(table, columns);
  bool floats = true;
  for (std::size_t c = 0; c < chosen.places.size(); ++c) {
    floats = floats && table.is_float(chosen.places[c]);
    if (!chosen.description.is_text(c)) continue;
    fail(ErrorKind::bad_data,
         "{} cannot be written: column '{}' has texts, and an array has only numbers; leave it out "
         "with --drop.",
         out.string(), csv::shown(chosen.description.names[c]));
  }
  chosen.check(table);
  files::AtomicFile file(out);
  file.write(write_npy_header(table.rows(), chosen.places.size(), floats ? 4 : 8));
  std::vector<std::uint8_t> bytes;
  for_each_window(table, columns, progress, [&](const Table& window) {
    floats ? append_rows<float>(window, bytes) : append_rows<double>(window, bytes);
    file.write(bytes);
  });
  file.commit();
}

}  // namespace knotwork
