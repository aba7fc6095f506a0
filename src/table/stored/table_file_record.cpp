// SPDX-License-Identifier: MIT
#include "table/stored/table_file_record.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.hpp"
#include "files/strict_json.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/header.hpp"
#include "table/stored/format_record.hpp"

#include <knotwork/stored_table.hpp>

namespace knotwork::table {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using csv::shown;

constexpr std::size_t kHashDigits = 64;

[[noreturn]] void unusable(const std::string& source, const std::string& what) {
  fail(ErrorKind::bad_data, in_file(source), "is not a complete table file: {}.", what);
}

void check_kind(const Json& record, const std::string& source) {
  const auto kind = record.find("kind");
  if (kind != record.end() && *kind == "table") return;
  if (record.contains("task")) {
    fail(ErrorKind::bad_data, in_file(source),
         "is a model file, not a table; name a table in its place.");
  }
  unusable(source, "its record does not describe a table");
}

void check_format(const Json& record, const std::string& source) {
  const auto format = record.find("format");
  if (format == record.end() || !format->is_number_unsigned() || *format == 0) {
    unusable(source, "its record has no format");
  }
  if (*format <= kTableFormat) return;
  fail(ErrorKind::bad_data, in_file(source),
       "has format {}, but this version of Knotwork reads formats up to {}; use a newer version.",
       format->get<std::uint64_t>(), kTableFormat);
}

CellFormat cells_from(const Json& json, const std::string& source) {
  CellFormat cells{.missing = json.at("missing").get<std::vector<std::string>>(),
                   .missing_words = json.at("missing_words").get<bool>(),
                   .decimal_comma = json.at("decimal_comma").get<bool>()};
  if (json.contains("columns")) {
    std::optional<std::vector<ColumnFormat>> formats = formats_from(json["columns"]);
    if (!formats) unusable(source, "the formats of its columns cannot be used");
    cells.columns = std::move(*formats);
  }
  return cells;
}

// Readers of format 1 know neither dates nor columns with a format.
unsigned format_of(const TableRecord& record) {
  const bool has_dates = std::any_of(record.columns.begin(), record.columns.end(),
                                     [](const TableRecord::Column& column) {
                                       return column.is_date;
                                     });
  return has_dates || !record.cells.columns.empty() ? kTableFormat : 1;
}

bool is_hash(const std::string& text) {
  return text.size() == kHashDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

TableRecord::Column column_from(const Json& json, const std::string& source) {
  TableRecord::Column column{.name = json.at("name").get<std::string>(),
                             .categories = {},
                             .sha256 = json.at("sha256").get<std::string>()};
  const std::string type = json.at("type").get<std::string>();
  if (type == "text") {
    column.categories = json.at("categories").get<std::vector<std::string>>();
    const auto& texts = column.categories;
    if (texts.empty() ||
        std::adjacent_find(texts.begin(), texts.end(), std::greater_equal<>()) != texts.end()) {
      unusable(source,
               fmt::format("the categories of column '{}' are not sorted, or not all different",
                           shown(column.name)));
    }
  } else if ((type != "number" && type != "date") || json.contains("categories")) {
    unusable(source, fmt::format("column '{}' is neither text nor numbers nor dates",
                                 shown(column.name)));
  }
  column.is_date = type == "date";
  if (!is_hash(column.sha256)) {
    unusable(source, fmt::format("column '{}' has no sha256", shown(column.name)));
  }
  return column;
}

}  // namespace

std::string to_text(const TableRecord& record) {
  OrderedJson json = {{"kind", "table"},
                      {"format", format_of(record)},
                      {"rows", record.rows},
                      {"source", record.source},
                      {"cells",
                       {{"missing", record.cells.missing},
                        {"missing_words", record.cells.missing_words},
                        {"decimal_comma", record.cells.decimal_comma}}},
                      {"columns", OrderedJson::array()}};
  if (!record.cells.columns.empty()) {
    json["cells"]["columns"] = formats_to_json(record.cells.columns);
  }
  for (const TableRecord::Column& column : record.columns) {
    const bool is_text = !column.categories.empty();
    const char* const type = is_text ? "text" : column.is_date ? "date" : "number";
    OrderedJson entry = {{"name", column.name}, {"type", type}, {"sha256", column.sha256}};
    if (is_text) entry["categories"] = column.categories;
    json["columns"].push_back(std::move(entry));
  }
  try {
    return files::json_text(json);
  } catch (const OrderedJson::exception&) {
    fail(ErrorKind::bad_data, "The table '{}' cannot be written: a name or text is not UTF-8.",
         shown(record.source));
  }
}

TableRecord parse_table_record(std::string_view text, const std::string& source) {
  const std::optional<Json> json = files::parse_strictly<Json>(text);
  if (!json || !json->is_object()) {
    unusable(source, "its record is not JSON, has a name twice, or is nested too deeply");
  }
  check_kind(*json, source);
  check_format(*json, source);
  try {
    TableRecord record{.source = json->at("source").get<std::string>(),
                       .rows = json->at("rows").get<std::size_t>(),
                       .cells = cells_from(json->at("cells"), source),
                       .columns = {}};
    for (const Json& column : json->at("columns")) {
      record.columns.push_back(column_from(column, source));
    }
    if (record.columns.empty() || record.rows == 0) unusable(source, "it has no rows or columns");
    if (record.columns.size() > csv::kMaxColumns) {
      unusable(source, fmt::format("it has {} columns, more than the {} that a table may have",
                                   record.columns.size(), csv::kMaxColumns));
    }
    return record;
  } catch (const Json::exception&) {
    unusable(source, "its record is not complete");
  }
}

}  // namespace knotwork::table
