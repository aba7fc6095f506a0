// SPDX-License-Identifier: MIT
#include "table/text/json_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/header.hpp"
#include "table/text/dialect.hpp"
#include "table/text/text_start.hpp"

namespace knotwork::csv {
namespace {

using files::FlatDefect;
using files::FlatMember;

constexpr std::size_t kMostOfFirstLine = 100'000;  // that need to be known
constexpr std::size_t kJsonPieceBytes = std::size_t{1} << 16;
constexpr std::size_t kLinesBetweenChecks = 1024;
constexpr std::string_view kJsonComment = "#";  // no row of the CSV text begins with it

bool is_json_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool has_json_name(std::string_view source) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (source.ends_with(packed)) source.remove_suffix(packed.size());
  }
  return source.ends_with(".jsonl") || source.ends_with(".ndjson");
}

// Python writes NaN, which is not JSON, for a missing number.
std::string with_null_for_nan(std::string_view line) {
  constexpr std::string_view kNaN = "NaN";
  std::string out;
  bool in_text = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (!in_text && line.substr(k).starts_with(kNaN)) {
      out += "null";
      k += kNaN.size() - 1;
      continue;
    }
    out += line[k];
    if (line[k] == '"') in_text = !in_text;
    if (in_text && line[k] == '\\' && k + 1 < line.size()) out += line[++k];
  }
  return out;
}

FlatDefect read_line_of_json(std::string_view line, std::vector<FlatMember>& members) {
  const FlatDefect defect = files::read_flat_object(line, members);
  if (defect != FlatDefect::not_json || line.find("NaN") == std::string_view::npos) return defect;
  return files::read_flat_object(with_null_for_nan(line), members);
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

bool is_json_lines(std::string_view start, std::string_view source) {
  start = start.substr(0, kSampleBytes);
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  while (!start.empty() && is_json_blank(start.front())) start.remove_prefix(1);
  if (has_json_name(source)) return true;
  if (!start.starts_with('{')) return false;
  const std::size_t end = start.find('\n');
  if (end == std::string_view::npos && start.size() > kMostOfFirstLine) return true;
  std::string_view line = start.substr(0, end);
  std::vector<FlatMember> ignored;
  const FlatDefect defect = read_line_of_json(line, ignored);
  if (defect == FlatDefect::none) return true;
  // A document with line ends inside its values is something else.
  while (!line.empty() && is_json_blank(line.back())) line.remove_suffix(1);
  return line.ends_with('}') && defect != FlatDefect::not_json;
}

CsvOptions options_for_json(const CsvOptions& options, const std::string& source) {
  const auto refuse = [&](bool given, const char* option, const char* what) {
    if (!given) return;
    fail(ErrorKind::bad_option, of_option(option),
         "{} would have no effect: {} has JSON lines, which need none.", what, source);
  };
  refuse(options.delimiter != 0, "delimiter", "A delimiter");
  refuse(options.header.has_value(), options.header.value_or(false) ? "header" : "no-header",
         "A header");
  refuse(!options.comment.empty(), "comment", "A comment sign");
  CsvOptions csv = options;
  csv.delimiter = options.cells.decimal_comma ? ';' : ',';
  csv.header = true;
  csv.comment = kJsonComment;
  return csv;
}

JsonLinesText::JsonLinesText(files::TextSource& lines, std::string source,
                             const CsvOptions& options, const Monitor* monitor)
    : lines_(lines), source_(std::move(source)), options_(options), monitor_(monitor) {
  find_columns();
  rewind();
}

void JsonLinesText::rewind() {
  lines_.rewind();
  pending_.clear();
  at_ = 0;
  at_end_ = false;
  number_ = 0;
  csv_.clear();
  csv_at_ = 0;
  has_written_names_ = false;
  std::fill(last_line_.begin(), last_line_.end(), 0);
}

void JsonLinesText::find_columns() {
  rewind();
  std::uint64_t rows = 0, values = 0;
  while (next_line()) {
    if (!read_members()) continue;
    ++rows;
    for (const FlatMember& member : members_) {
      const std::size_t column = column_of(member.key);
      ++values;
      if (member.kind == FlatMember::Kind::boolean) has_booleans_[column] = true;
    }
  }
  if (rows == 0) {
    fail(ErrorKind::bad_data, in_file(source_), "is empty, but a table needs at least one row.");
  }
  if (names_.empty()) {
    fail(ErrorKind::bad_data, in_file(source_), "has JSON lines without keys, so no columns.");
  }
  const std::uint64_t cells = rows * names_.size();
  if (cells > kCellsFreely && cells / kMaxCellsForValue > values) {
    fail(ErrorKind::bad_data, in_file(source_),
         "has {} different keys, but only {} values in {} lines; more than {} of {} cells would be "
         "missing, which is unusual for a table.",
         names_.size(), values, rows, kMaxCellsForValue - 1, kMaxCellsForValue);
  }
}

bool JsonLinesText::next_line() {
  std::size_t end = pending_.find('\n', at_);
  while (end == std::string::npos && !at_end_) {
    pending_.erase(0, std::exchange(at_, 0));
    const std::size_t known = pending_.size();
    if (known > kMaxJsonLineBytes) {
      ++number_;
      refuse(fmt::format("the line has more than {} bytes, the limit for a line of JSON.",
                         kMaxJsonLineBytes));
    }
    pending_.resize(known + kJsonPieceBytes);
    const auto got = lines_.read({pending_.data() + known, kJsonPieceBytes});
    at_end_ = got.empty();
    pending_.resize(known + got.size());
    end = pending_.find('\n', known);
  }
  if (at_ == pending_.size()) return false;
  if (++number_ % kLinesBetweenChecks == 0) parallel::check_stop(monitor_);
  end = std::min(end, pending_.size());
  line_ = std::string_view(pending_).substr(at_, end - at_);
  at_ = std::min(end + 1, pending_.size());
  if (number_ == 1 && line_.starts_with(kByteOrderMark)) {
    line_.remove_prefix(kByteOrderMark.size());
  }
  return true;
}

void JsonLinesText::refuse(std::string_view what) const {
  fail(ErrorKind::bad_data, Where{.file = source_, .line = number_}, "{}", what);
}

bool JsonLinesText::read_members() {
  if (std::all_of(line_.begin(), line_.end(), is_json_blank)) return false;
  switch (read_line_of_json(line_, members_)) {
    case FlatDefect::none:
      return true;
    case FlatDefect::not_json:
      refuse("the line is not JSON, but every line must be an object, {\"key\": value, ...}.");
    case FlatDefect::not_an_object:
      refuse("the line is not an object, but every line must be one, {\"key\": value, ...}.");
    case FlatDefect::nested_object:
    case FlatDefect::nested_array:
      break;
  }
  refuse(
      fmt::format("the value of '{}' is not a number or a text, but holds further values; "
                  "write these under keys of their own, in Python with pandas "
                  "json_normalize().",
                  shown(members_.back().key)));
}

// Also checks that the key occurs once in its line.
std::size_t JsonLinesText::column_of(const std::string& key) {
  const auto [place, is_new] = columns_.emplace(key, names_.size());
  if (is_new) {
    if (names_.size() == kMaxColumns) {
      refuse(fmt::format("the line has one more key, but a table can have at most {} columns.",
                         kMaxColumns));
    }
    names_.push_back(key);
    has_booleans_.push_back(false);
    last_line_.push_back(0);
  }
  const std::size_t column = place->second;
  if (std::exchange(last_line_[column], number_) == number_) {
    refuse(fmt::format("the line has the key '{}' twice; give every value a key of its own.",
                       shown(key)));
  }
  return column;
}

void JsonLinesText::write_names() {
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (c != 0) csv_ += options_.delimiter;
    append_quoted(csv_, names_[c]);
  }
  csv_ += '\n';
}

void JsonLinesText::write_row() {
  row_.assign(names_.size(), nullptr);
  for (const FlatMember& member : members_) {
    const auto place = columns_.find(member.key);
    if (place == columns_.end()) refuse("the line was changed while the table was read.");
    row_[place->second] = &member;
  }
  for (std::size_t c = 0; c < row_.size(); ++c) {
    if (c != 0) csv_ += options_.delimiter;
    const FlatMember* const member = row_[c];
    if (member == nullptr || member->kind == FlatMember::Kind::null) {
      if (row_.size() == 1) csv_ += "\"\"";  // otherwise the line would be blank
    } else if (member->kind == FlatMember::Kind::text) {
      append_quoted(csv_, member->text);
    } else {
      const std::size_t begin = csv_.size();
      csv_ += member->text;
      const auto number = csv_.begin() + static_cast<std::ptrdiff_t>(begin);
      if (options_.cells.decimal_comma) std::replace(number, csv_.end(), '.', ',');
    }
  }
  csv_ += '\n';
}

std::span<const char> JsonLinesText::read(std::span<char> buffer) {
  if (csv_at_ == csv_.size()) {
    csv_.clear();
    csv_at_ = 0;
    if (!std::exchange(has_written_names_, true)) write_names();
    while (csv_.size() < buffer.size() && next_line()) {
      if (read_members()) {
        write_row();
      } else {
        csv_ += kJsonComment;
        csv_ += '\n';
      }
    }
  }
  const std::size_t size = std::min(buffer.size(), csv_.size() - csv_at_);
  std::copy_n(csv_.data() + csv_at_, size, buffer.data());
  csv_at_ += size;
  return buffer.first(size);
}

std::vector<Remark> JsonLinesText::remarks() const {
  constexpr std::size_t kMostNamed = 5;
  std::string names;
  std::size_t count = 0;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    const bool is_read = !options_.only || contains(*options_.only, names_[c]);
    if (!is_read || !has_booleans_[c] || ++count > kMostNamed) continue;
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", shown(names_[c]));
  }
  if (count == 0) return {};
  if (count > kMostNamed) names += fmt::format(" and {} more", count - kMostNamed);
  return {fmt::format("In {} true and false are read as 1 and 0.", names)};
}

}  // namespace knotwork::csv
