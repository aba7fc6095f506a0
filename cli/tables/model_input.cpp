// SPDX-License-Identifier: MIT
#include "cli/tables/model_input.hpp"

#include <fmt/format.h>

#include "base/fail.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/tables/data_source.hpp"

#include <knotwork/file_kind.hpp>
#include <knotwork/model_file.hpp>

namespace knotwork::cli {
namespace {

constexpr std::size_t kMostColumns = 5;  // named in a remark

std::string share(const EncodingReport::Column& column, std::size_t cells) {
  return fmt::format("'{}' ({} of {})", column.name, cells, column.cells);
}

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

}  // namespace

Model read_model(const std::string& path) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::table_file || kind == FileKind::npy) {
    fail(ErrorKind::bad_model, about_file(path),
         "{} is a table, not a model file; name a model file written by knotwork train.", path);
  }
  if (is_builtin(path) || kind == FileKind::text) {
    fail(ErrorKind::bad_model, about_file(path),
         "{} is not a model file but looks like a table; name a model file written by knotwork "
         "train.",
         path);
  }
  if (kind == FileKind::study) {
    fail(ErrorKind::bad_model, about_file(path),
         "{} is a study, not a model file; name a model (knotwork tune --show {} shows the study).",
         path, path);
  }
  if (kind == FileKind::other) {
    fail(ErrorKind::bad_model, about_file(path),
         "{} is not a model file; name a model file written by knotwork train.", path);
  }
  return load_model(path, builtin_activations(), program_monitor().get());
}

std::vector<std::string> remarks_on(const Table& table, const Model& model) {
  std::vector<std::string> remarks = remark_texts(table.remarks);
  if (table.rows() == 0) return remarks;
  const auto more = remarks_on(EncodedTable(table, model.inputs).report());
  remarks.insert(remarks.end(), more.begin(), more.end());
  return remarks;
}

std::vector<std::string> remarks_on(const EncodingReport& report) {
  std::vector<std::string> outside, missing, unseen, texts;
  for (const EncodingReport::Column& column : report.columns) {
    if (column.outside > 0) outside.push_back(share(column, column.outside));
    if (column.missing > 0) missing.push_back(share(column, column.missing));
    if (column.unseen_cells > 0) {
      unseen.push_back(share(column, column.unseen_cells));
      for (const std::string& text : column.unseen) texts.push_back(quoted(text));
    }
  }
  std::vector<std::string> remarks;
  if (!outside.empty()) {
    remarks.push_back("Values are outside the range of the training data in " +
                      listed(outside, kMostColumns) +
                      "; predictions for these rows are less certain.");
  }
  if (!missing.empty()) {
    remarks.push_back("Cells are missing in " + listed(missing, kMostColumns) +
                      "; a missing number is replaced by the median of the training data, and a "
                      "missing text counts as unknown.");
  }
  if (!unseen.empty()) {
    remarks.push_back("Texts that were not in the training data are in " +
                      listed(unseen, kMostColumns) + ", such as " + listed(texts, 3) +
                      "; these texts are treated as unknown.");
  }
  return remarks;
}

}  // namespace knotwork::cli
