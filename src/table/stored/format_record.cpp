// SPDX-License-Identifier: MIT
#include "table/stored/format_record.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "table/csv/cells/number_style.hpp"

#include <knotwork/names.hpp>

namespace knotwork::table {
namespace {

using Json = nlohmann::json;

bool is_order(const std::string& word) {
  const auto& all = EnumNames<DateOrder>::all;
  return std::any_of(std::begin(all), std::end(all),
                     [&](const EnumName<DateOrder>& entry) { return entry.name == word; });
}

bool fits_together(const ColumnFormat& format) {
  const bool has_signs = !format.prefix.empty() || !format.suffix.empty() ||
                         !format.group.empty() || format.decimal_comma;
  if (format.column.empty() || (format.date && has_signs)) return false;
  return csv::group_sign(format.group) && format.group != (format.decimal_comma ? "," : ".");
}

}  // namespace

Json formats_to_json(const std::vector<ColumnFormat>& formats) {
  Json list = Json::array();
  for (const ColumnFormat& format : formats) {
    Json entry = {{"column", format.column}};
    if (format.date) entry["date"] = to_string(*format.date);
    if (!format.prefix.empty()) entry["prefix"] = format.prefix;
    if (!format.suffix.empty()) entry["suffix"] = format.suffix;
    if (!format.group.empty()) entry["group"] = format.group;
    if (format.decimal_comma) entry["decimal_comma"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

std::optional<std::vector<ColumnFormat>> formats_from(const Json& json) {
  std::vector<ColumnFormat> formats;
  std::set<std::string> columns;
  if (!json.is_array()) return {};
  for (const Json& entry : json) {
    if (!entry.is_object()) return {};
    const auto text = [&](const char* key) {
      const auto found = entry.find(key);
      return found == entry.end() ? std::string() : found->get<std::string>();
    };
    try {
      ColumnFormat format{.column = text("column"),
                          .prefix = text("prefix"),
                          .suffix = text("suffix"),
                          .group = text("group"),
                          .decimal_comma = entry.value("decimal_comma", false)};
      if (const std::string order = text("date"); !order.empty()) {
        if (!is_order(order)) return {};
        format.date = from_string<DateOrder>(order);
      }
      if (!fits_together(format) || !columns.insert(format.column).second) return {};
      formats.push_back(std::move(format));
    } catch (const Json::exception&) {
      return {};
    }
  }
  return formats;
}

}  // namespace knotwork::table
