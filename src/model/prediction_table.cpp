// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "base/quoting.hpp"
#include "model/prediction_pass.hpp"

#include <knotwork/predict.hpp>

namespace knotwork {

using namespace model;

namespace {

// The names of the columns of predictions. Classes have columns of probabilities, followed by the
// predicted class.
std::vector<std::string> column_names(const Model& model) {
  std::vector<std::string> names;
  for (const TargetColumn& target : model.targets) {
    const std::string name =
        model.targets.size() > 1 ? "prediction_" + target.column : "prediction";
    if (target.predictions() == 1) names.push_back(name);
    for (const std::string& label : target.classes) names.push_back("probability_" + label);
    if (target.quantiles.size() < 2) continue;
    for (const double level : target.quantiles) names.push_back(fmt::format("{}_{}", name, level));
  }
  if (model.classifies()) names.emplace_back("prediction");
  return names;
}

// prediction_price becomes spread_price, and so on.
std::vector<std::string> spread_names(const Model& model) {
  std::vector<std::string> names = column_names(model);
  names.resize(model.predictions());
  for (std::string& name : names) {
    constexpr std::string_view kPrediction = "prediction";
    if (name.starts_with(kPrediction)) name.erase(0, kPrediction.size());
    name = (name.empty() || name.starts_with("_") ? "spread" : "spread_") + name;
  }
  return names;
}

void check_kept(const Table& kept, std::size_t rows) {
  for (std::size_t c = 0; c < kept.names.size(); ++c) {
    const auto begin = kept.names.begin(), end = begin + static_cast<std::ptrdiff_t>(c);
    if (std::find(begin, end, kept.names[c]) != end) {
      fail(ErrorKind::bad_option, "The kept column '{}' is named twice; name it once.",
           shown(kept.names[c]));
    }
    if (kept.columns[c].size() != rows) {
      fail(ErrorKind::bad_option,
           "The kept column '{}' has {} rows, but there are {} predictions; both must be from the "
           "same table.",
           shown(kept.names[c]), kept.columns[c].size(), rows);
    }
  }
}

void add_names(const std::vector<std::string>& names, Table& result) {
  for (const std::string& name : names) {
    if (std::find(result.names.begin(), result.names.end(), name) != result.names.end()) {
      fail(ErrorKind::bad_option,
           "The kept column '{}' has the name of a prediction column; rename it.", shown(name));
    }
    result.names.push_back(name);
  }
}

// The table has the kept columns, then the spread if it is requested, then the predictions.
Table make_result(Table kept, const Model& model, std::vector<std::vector<double>> spread,
                  std::vector<std::vector<double>> predictions) {
  Table result = std::move(kept);
  result.source = "predictions";
  result.labels.resize(result.columns.size());
  if (!spread.empty()) add_names(spread_names(model), result);
  add_names(column_names(model), result);
  for (std::vector<double>& column : spread) result.columns.push_back(std::move(column));
  if (model.classifies()) {
    // Texts in a table are sorted by bytes, classes that are numbers by value.
    std::vector<std::string> labels = model.targets.front().classes;
    std::sort(labels.begin(), labels.end());
    std::vector<double> cells;
    for (const std::size_t likely : Model::most_probable(predictions)) {
      const auto place =
          std::find(labels.begin(), labels.end(), model.targets.front().classes[likely]);
      cells.push_back(static_cast<double>(place - labels.begin()));
    }
    predictions.push_back(std::move(cells));
    result.labels.resize(result.names.size());
    result.labels.back() = std::move(labels);
  }
  for (std::vector<double>& column : predictions) result.columns.push_back(std::move(column));
  result.labels.resize(result.names.size());
  result.dates.resize(result.names.size());
  result.lines.clear();
  result.row_place = nullptr;
  result.positions.clear();
  return result;
}

}  // namespace

Table predict_table(const Model& model, const Table& table, Table kept,
                    const PredictOptions& options) {
  check_kept(kept, table.rows());
  std::vector<std::vector<double>> distances;
  if (table.rows() == 0) {
    // Without rows it is not known which columns are text, and nothing has to be.
    if (options.spread) distances.resize(model.predictions());
    return make_result(std::move(kept), model, std::move(distances),
                       std::vector<std::vector<double>>(model.predictions()));
  }
  const Monitor* const monitor = options.monitor.get();
  if (options.spread) distances = spread_columns(model, table, options.threads, monitor);
  return make_result(std::move(kept), model, std::move(distances),
                     predict_columns(model, table, options.threads, monitor));
}

Table predict_table(const Model& model, const Table& table, const PredictOptions& options) {
  Table kept{.source = table.source, .names = {}, .columns = {}};
  for (const std::string& name : options.keep) {
    const std::size_t column = table.index_of(name);
    kept.names.push_back(name);
    kept.columns.push_back(table.columns[column]);
    kept.labels.push_back(table.is_text(column) ? table.labels[column]
                                                : std::vector<std::string>());
    kept.dates.push_back(table.is_date(column));
  }
  return predict_table(model, table, std::move(kept), options);
}

}  // namespace knotwork
