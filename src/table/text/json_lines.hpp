// SPDX-License-Identifier: MIT
// JSON lines: each line of the text is an object whose values are numbers, texts, true, false or
// null.
//
//   {"age": 31, "city": "Oslo"}
//   {"age": null, "city": "Rome", "paid": true}
//
// JsonLinesText gives such a text as CSV, so that its cells are read like those of a CSV table:
//
//   "age","city","paid"
//   31,"Oslo",
//   ,"Rome",1
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <knotwork/monitor.hpp>
#include <knotwork/table.hpp>

#include "files/strict_json.hpp"
#include "files/text_source.hpp"
#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {

// Limit for a line of JSON, in bytes.
inline constexpr std::size_t kMaxJsonLineBytes = 16'777'216;
// Lines need not have all keys, so a small text could stand for a very large table. Beyond
// kCellsFreely cells, a table may have at most this many cells for each value in the text.
inline constexpr std::size_t kMaxCellsForValue = 100;
inline constexpr std::size_t kCellsFreely = 1'000'000;

// Whether a text has JSON lines, judged by its first line, or by the name of its file.
bool is_json_lines(std::string_view start, std::string_view source);

// The options for reading the CSV text. Throws bad_option where an option has no meaning for JSON.
CsvOptions options_for_json(const CsvOptions& options, const std::string& source);
// The lines of that text are those of the JSON, and the line of names is before them.
inline constexpr std::size_t kLineOfJsonNames = 0;

class JsonLinesText final : public files::TextSource {
 public:
  // Reads all lines once, to find the names of the columns. The options are those of
  // options_for_json(). All arguments must outlive this object; `monitor` may be null.
  JsonLinesText(files::TextSource& lines, std::string source, const CsvOptions& options,
                const Monitor* monitor);

  void rewind() override;
  std::span<const char> read(std::span<char> buffer) override;
  double share() const override { return lines_.share(); }

  const std::vector<std::string>& names() const { return names_; }
  std::vector<Remark> remarks() const;

 private:
  void find_columns();
  bool next_line();
  // The members of the current line; false if the line is blank.
  bool read_members();
  std::size_t column_of(const std::string& key);
  void write_names();
  void write_row();
  [[noreturn]] void refuse(std::string_view what) const;

  files::TextSource& lines_;
  std::string source_;
  const CsvOptions& options_;
  const Monitor* monitor_;

  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<std::string> names_;
  std::vector<bool> has_booleans_;

  std::string pending_;  // text of lines_ from `at_` on
  std::size_t at_ = 0;
  bool at_end_ = false;
  std::string_view line_;
  std::size_t number_ = 0;  // of the line
  std::vector<files::FlatMember> members_;
  std::vector<std::size_t> last_line_;  // of each column, the last line that has it
  std::vector<const files::FlatMember*> row_;
  std::string csv_;  // text that read() has not returned yet, from csv_at_ on
  std::size_t csv_at_ = 0;
  bool has_written_names_ = false;
};

}  // namespace knotwork::csv
