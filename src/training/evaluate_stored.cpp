// SPDX-License-Identifier: MIT
#include "training/evaluate_stored.hpp"

#include <algorithm>

#include "base/contains.hpp"
#include "base/packing.hpp"
#include "training/merge_ranks.hpp"
#include "training/rank_agreement.hpp"
#include "training/row_scores.hpp"
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

// The columns that scores need beside the predictions.
CsvOptions scored_columns(const Model& model, CsvOptions options,
                          const std::string& weight_column) {
  std::vector<std::string>& only = options.only.emplace();
  for (const TargetColumn& target : model.targets) only.push_back(target.column);
  if (!weight_column.empty() && !contains(only, weight_column)) only.push_back(weight_column);
  return options;
}

// What the scores are of in one window, column by column.
struct Scored {
  Scored(const Model& model, const Table& window, const std::string& weight_column) {
    for (const TargetColumn& target : model.targets) {
      const std::vector<double> column = true_values(window, target);
      values.insert(values.end(), column.begin(), column.end());
    }
    truth = column_major(std::span<const double>(values), window.rows(), model.targets.size());
    if (!weight_column.empty()) weights = complete_weights(window, weight_column);
  }
  std::vector<double> values;
  MatrixView<const double> truth;
  std::span<const double> weights;  // of the window
};

Ranks::Bytes packed(const EncodingReport& report) {
  Packer packer;
  for (const EncodingReport::Column& column : report.columns) {
    packer.put(std::string_view(column.name));
    for (const std::size_t count :
         {column.cells, column.missing, column.outside, column.unseen_cells, column.unseen.size()}) {
      packer.put(std::uint64_t{count});
    }
    for (const std::string& text : column.unseen) packer.put(std::string_view(text));
  }
  return packer.take();
}

EncodingReport unpacked(const Ranks::Bytes& bytes) {
  EncodingReport report;
  for (Unpacker from(bytes); !from.is_empty();) {
    EncodingReport::Column& column = report.columns.emplace_back();
    column.name = from.get_text();
    column.cells = from.get<std::uint64_t>();
    column.missing = from.get<std::uint64_t>();
    column.outside = from.get<std::uint64_t>();
    column.unseen_cells = from.get<std::uint64_t>();
    for (auto texts = from.get<std::uint64_t>(); texts > 0; --texts) {
      column.unseen.push_back(from.get_text());
    }
  }
  return report;
}

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

void merge_over(Ranks* ranks, EncodingReport& report) {
  if (!ranks) return;
  const auto join = [](Ranks::Bytes& left, Ranks::Bytes&& right) {
    EncodingReport all = unpacked(left);
    merge(all, unpacked(right));
    left = packed(all);
  };
  report = unpacked(ranks->combine(packed(report), join));
}

StoredEvaluation evaluate_stored(const Model& model, const StoredTable& table,
                                 const CsvOptions& options, std::size_t threads,
                                 const std::string& weight_column, Ranks* ranks,
                                 const std::function<void(double share)>& progress) {
  model.check();
  const TableWindows windows(table, options);
  check_agreement(ranks, windows);
  if (progress) progress(0);
  StoredEvaluation result;
  RowScores scores(model.targets, table.rows());
  const TableWindows truth(table, scored_columns(model, options, weight_column));
  const RowsOfTable own_truth = own_windows(truth, ranks);
  truth.for_each(own_truth.first, own_truth.last, [&](const Table& window, std::size_t) {
    const Scored scored(model, window, weight_column);
    scores.see_truth(scored.truth, scored.weights);
  });
  merge_over(ranks, scores);
  const std::string& source = table.description().source;
  if (!weight_column.empty() && table.rows() > 0) {
    check_total_weight(source, weight_column, scores.total_weight());
  }
  scores.begin_predictions();
  std::vector<double> predictions;
  const RowsOfTable own = own_windows(windows, ranks);
  windows.for_each(own.first, own.last, [&](const Table& window, std::size_t row) {
    const Scored scored(model, window, weight_column);
    predictions.clear();
    for (const std::vector<double>& column : model.predict(window, threads)) {
      predictions.insert(predictions.end(), column.begin(), column.end());
    }
    scores.see(
        column_major(std::span<const double>(predictions), window.rows(), model.predictions()),
        scored.truth, scored.weights);
    merge(result.report, EncodedTable(window, model.inputs).report());
    if (progress) {
      progress(static_cast<double>(row + window.rows() - own.first) /
               static_cast<double>(own.last - own.first));
    }
  });
  merge_over(ranks, scores);
  merge_over(ranks, result.report);
  result.scores = scores.finish(&result.each);
  check_finite_errors(source, result.scores);
  return result;
}

}  // namespace knotwork
