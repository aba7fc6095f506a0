// SPDX-License-Identifier: MIT
// Fuzzes CSV tables and JSON lines: windows must give the same result as the whole text. The first
// byte is the size of the windows, and says whether runs of spaces and comments are read.
#include <algorithm>
#include <cstring>

#include "files/packed/unpacking.hpp"
#include "table/csv/csv_stream.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <knotwork/table.hpp>

using namespace knotwork;

namespace {

class Memory : public files::TextSource {
 public:
  explicit Memory(std::string_view text) : text_(text) {}
  void rewind() override { at_ = 0; }
  std::span<const char> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), text_.size() - at_);
    if (size > 0) std::memcpy(buffer.data(), text_.data() + at_, size);
    at_ += size;
    return buffer.first(size);
  }
  double share() const override { return 0; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  CsvOptions options;
  if (data[0] % 2 == 1) {
    options.delimiter = kRunsOfSpaces;
    options.comment = "#";
  }
  Table whole;
  const bool taken = fuzz::takes([&] { whole = parse_csv(text, "a table", options); });
  if (files::is_packed(text)) return 0;  // is unpacked before it reaches windows
  Memory source(text);
  std::size_t rows = 0;
  const bool taken_in_windows = fuzz::takes([&] {
    csv::Stream stream(source, "a table", options, std::size_t{16} + data[0]);
    Table window = stream.layout().empty_table();
    fuzz::require(!taken || window.names == whole.names);
    while (stream.next_rows(window)) rows += window.rows();
    const csv::ColumnReadings readings = stream.decide();
    stream.begin_again();
    while (stream.next_again(window)) {
    }
    stream.describe(window);
    const auto texts = stream.labels();
    for (std::size_t c = 0; taken && c < readings.size(); ++c) {
      fuzz::require(window.is_date(c) == whole.is_date(c));
      fuzz::require(!whole.is_text(c) || texts[c].labels == whole.labels[c]);
    }
    fuzz::require(!taken || window.cells == whole.cells);
  });
  fuzz::require(taken == taken_in_windows && (!taken || rows == whole.rows()));
  return 0;
}
