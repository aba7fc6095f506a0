// SPDX-License-Identifier: MIT
#include "cli/model_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/fail.hpp"
#include "cli/data_source.hpp"
#include "cli/wording.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

constexpr std::size_t kMostColumns = 5;  // named in a remark

// The first bytes: of a model file the length of its header, of which the highest bytes are zero,
// and that header.
std::string start_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(9, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

bool starts_like_a_model(const std::string& start) {
  return start.size() == 9 && start[8] == '{' && start[7] == 0 && start[6] == 0;
}

// A text has no zero bytes.
bool looks_like_a_table(const std::string& start) {
  const bool packed = start.starts_with("\x1F\x8B");
  return packed || (start.size() > 1 && start.find('\0') == std::string::npos &&
                    std::all_of(start.begin(), start.end(), [](char c) {
                      return static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n' ||
                             c == '\r';
                    }));
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string share(const EncodingReport::Column& column, std::size_t cells) {
  return fmt::format("'{}' ({} of {})", column.name, cells, column.cells);
}

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

}  // namespace

Model read_model(const std::string& path) {
  const std::string start = start_of(path);
  if (is_builtin(path) || looks_like_a_table(start)) {
    fail(ErrorKind::bad_model,
         "{} is not a model file but looks like a table; a model, as train writes it, is needed "
         "here.",
         path);
  }
  // What is shorter may have been one, and is said to be cut off.
  if (start.size() == 9 && !starts_like_a_model(start)) {
    fail(ErrorKind::bad_model, "{} is not a model file; name one that train wrote.", path);
  }
  return load_model(path);
}

void check_not_a_model(const std::string& option, const std::string& out) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(out, ignored) || !starts_like_a_model(start_of(out))) {
    return;
  }
  fail(ErrorKind::bad_option, "{} {} is a model, which a table would replace; name another file.",
       option, out);
}

CsvOptions columns_for(const Model& model, CsvOptions csv, const std::vector<std::string>& more) {
  std::vector<std::string> texts, numbers;
  for (const InputColumn& input : model.inputs) {
    add_once(input.kind == InputKind::category ? texts : numbers, input.column);
  }
  for (const std::string& name : more) add_once(numbers, name);
  csv.categorical = texts;
  csv.numeric = numbers;
  csv.only = std::move(texts);
  csv.only->insert(csv.only->end(), numbers.begin(), numbers.end());
  return csv;
}

std::vector<std::string> remarks_on(const Table& table, const Model& model) {
  std::vector<std::string> outside, missing, unseen, texts;
  for (const EncodingReport::Column& column : EncodedTable(table, model.inputs).report().columns) {
    if (column.outside > 0) outside.push_back(share(column, column.outside));
    if (column.missing > 0) missing.push_back(share(column, column.missing));
    if (column.unseen_cells > 0) {
      unseen.push_back(share(column, column.unseen_cells));
      for (const std::string& text : column.unseen) texts.push_back(quoted(text));
    }
  }
  std::vector<std::string> remarks;
  if (!outside.empty()) {
    remarks.push_back("Values lie outside what training saw in " + listed(outside, kMostColumns) +
                      "; predictions there are less certain.");
  }
  if (!missing.empty()) {
    remarks.push_back("Cells are missing in " + listed(missing, kMostColumns) +
                      "; numbers count as the median of training, texts as none.");
  }
  if (!unseen.empty()) {
    remarks.push_back("Texts that training never saw stand in " + listed(unseen, kMostColumns) +
                      ", such as " + listed(texts, 3) + "; they count as none.");
  }
  return remarks;
}

}  // namespace knotwork::cli
