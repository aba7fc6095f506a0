// SPDX-License-Identifier: MIT
#include "training/evaluate_stored.hpp"

#include <algorithm>

#include "training/score_rows.hpp"
#include "training/table_columns.hpp"

namespace knotwork {
namespace {

constexpr std::size_t kMostUnseen = 5;  // as EncodingReport has it

void merge_texts(std::vector<std::string>& all, const std::vector<std::string>& part) {
  all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > kMostUnseen) all.resize(kMostUnseen);
}

// Columns of all rows one after the other, filled window by window.
class Columns {
 public:
  Columns(std::size_t columns, std::size_t rows) : rows_(rows), values_(columns * rows) {}
  void put(std::size_t column, std::size_t first_row, const std::vector<double>& values) {
    std::copy(values.begin(), values.end(),
              values_.begin() + static_cast<std::ptrdiff_t>(column * rows_ + first_row));
  }
  const std::vector<double>& values() const { return values_; }

 private:
  std::size_t rows_;
  std::vector<double> values_;
};

}  // namespace

void merge(EncodingReport& all, const EncodingReport& part) {
  if (all.columns.empty()) {
    all = part;
    return;
  }
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    EncodingReport::Column& column = all.columns[c];
    const EncodingReport::Column& more = part.columns[c];
    column.cells += more.cells;
    column.missing += more.missing;
    column.outside += more.outside;
    column.unseen_cells += more.unseen_cells;
    merge_texts(column.unseen, more.unseen);
  }
}

StoredEvaluation evaluate_stored(const Model& model, const StoredTable& table,
                                 const CsvOptions& options, std::size_t threads,
                                 const std::string& weight_column) {
  model.check();
  StoredEvaluation result;
  Columns truth(model.targets.size(), table.rows());
  Columns predictions(model.predictions(), table.rows());
  Columns weights(weight_column.empty() ? 0 : 1, table.rows());
  std::size_t first = 0;
  table.for_each_window(options, [&](const Table& window) {
    for (std::size_t t = 0; t < model.targets.size(); ++t) {
      truth.put(t, first, true_values(window, model.targets[t]));
    }
    if (!weight_column.empty()) weights.put(0, first, complete_weights(window, weight_column));
    const std::vector<std::vector<double>> predicted = model.predict(window, threads);
    for (std::size_t c = 0; c < predicted.size(); ++c) predictions.put(c, first, predicted[c]);
    merge(result.report, EncodedTable(window, model.inputs).report());
    first += window.rows();
  });
  const auto view =
      column_major(std::span<const double>(truth.values()), table.rows(), model.targets.size());
  result.scores =
      score_predictions(model.targets, predictions.values(), view, weights.values(), &result.each);
  return result;
}

}  // namespace knotwork
