// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/fail.hpp"
#include "data/csv_text.hpp"
#include "training/kept_training.hpp"
#include "training/memory_rows.hpp"
#include "training/rank_agreement.hpp"
#include "training/streamed_rows.hpp"
#include "training/table_columns.hpp"
#include "training/table_plan.hpp"

#include <knotwork/table_training.hpp>

namespace knotwork {
namespace {

// Everything that scoring will need, before the time for training is spent.
void check_test_data(const Table& table, const std::vector<InputColumn>& inputs,
                     const std::vector<std::string>& targets,
                     const std::vector<std::string>& classes, const std::string& weight_column) {
  table.check();
  const EncodedTable encoded(table, inputs);
  for (const std::string& target : targets) true_values(table, {target, {}, {}, classes});
  if (!weight_column.empty()) weights_to_score_by(table, weight_column);
}

// For a record that must be text; a name that is none is left out.
std::string name_of_file(const std::string& source) {
  const std::string name = std::filesystem::path(source).filename().string();
  return csv::is_utf8(name) ? name : "";
}

std::vector<std::size_t> list_of(const RowSet& set) {
  std::vector<std::size_t> rows;
  rows.reserve(set.size());
  set.for_each(0, set.table_rows(), [&](std::size_t row) { rows.push_back(row); });
  return rows;
}

TrainingData described(const TablePlan& plan, const TableTask& task, const CellFormat& cells) {
  TrainingData data;
  data.encoding = plan.encoding;
  data.cells = cells;
  data.target_names = plan.targets;
  data.classes = plan.classes;
  data.in_time_order = task.test_last;
  return data;
}

// That nothing in the file was changed or damaged. Processes share the columns of one file; of
// copies each checks its own.
void check_cells(const TableWindows& table, Ranks* ranks) {
  const bool shared = ranks && is_one_file(*ranks, table);
  const std::size_t first = shared ? ranks->rank() : 0, step = shared ? ranks->size() : 1;
  for (std::size_t c = first; c < table.description().names.size(); c += step) {
    table.check_column(c);
  }
}

std::shared_ptr<const TableWindows> watched_windows(const StoredTable& table,
                                                    const CsvOptions& columns,
                                                    const std::function<void(double)>& watch) {
  auto windows = std::make_shared<TableWindows>(table, columns);
  windows->watch(watch);
  return windows;
}

}  // namespace

// Rows in memory, and what refers to them.
struct PreparedTable::InMemory {
  InMemory(const Table& table, const TableTask& task, const TablePlan& plan)
      : data(described(plan, task, table.cells)) {
    const std::size_t rows = table.rows();
    const EncodedTable encoded(table, plan.encoding);
    inputs.resize(rows * encoded.inputs());
    for (std::size_t c = 0; c < encoded.inputs(); ++c) {
      for (std::size_t r = 0; r < rows; ++r) inputs[c * rows + r] = encoded(r, c);
    }
    for (const std::string& name : plan.targets) {
      const std::vector<double> values = true_values(table, {name, {}, {}, plan.classes});
      targets.insert(targets.end(), values.begin(), values.end());
    }
    if (!task.weight_column.empty()) weights = complete_weights(table, task.weight_column);
    if (!task.group_column.empty()) groups = table.columns[table.index_of(task.group_column)];
    partition = {list_of(plan.train), list_of(plan.test)};
    data.inputs = column_major(std::span<const double>(inputs), rows, encoded.inputs());
    data.targets = column_major(std::span<const double>(targets), rows, plan.targets.size());
    data.weights = weights;
    data.groups = groups;
  }

  std::vector<double> inputs, targets, weights, groups;  // column by column
  TrainingData data;
  Partition partition;
};

PreparedTable::PreparedTable(const Table& table, const TableTask& task, std::uint64_t seed,
                             const Model* start, Ranks* ranks)
    : PreparedTable(std::make_shared<TableWindows>(table), task, seed, start, ranks) {
  // Every process has the table; they share the work on it.
  memory_ = std::make_shared<InMemory>(table, task, *plan_);
  rows_ = std::make_shared<MemoryRows>(memory_->data, memory_->partition, ranks_);
  windows_.reset();  // the table may go
}

PreparedTable::PreparedTable(const StoredTable& table, const CsvOptions& columns,
                             const TableTask& task, std::uint64_t seed, const Model* start,
                             const TableStorage& storage)
    : PreparedTable(watched_windows(table, columns, storage.watch), task, seed, start,
                    storage.ranks) {
  StreamedTable streamed{*windows_,
                         described(*plan_, task, table.description().cells),
                         task.weight_column,
                         task.group_column,
                         plan_->train,
                         plan_->test,
                         {storage.memory, storage.scratch},
                         ranks_};
  rows_ = std::make_shared<StreamedRows>(std::move(streamed));
}

PreparedTable::PreparedTable(std::shared_ptr<const TableWindows> table, const TableTask& task,
                             std::uint64_t seed, const Model* start, Ranks* ranks)
    : source_(name_of_file(table->description().source)),
      weight_column_(task.weight_column),
      test_data_(task.test_data),
      ranks_(ranks && ranks->size() > 1 ? ranks : nullptr),
      windows_(std::move(table)) {
  check_agreement(ranks_, task, seed);
  check_agreement(ranks_, *windows_);
  if (!windows_->memory()) check_cells(*windows_, ranks_);
  // A table in memory is there in every process.
  plan_ = std::make_shared<TablePlan>(
      plan_table(*windows_, task, seed, start, windows_->memory() ? nullptr : ranks_));
  if (!task.test_data) return;
  check_test_data(*task.test_data, plan_->encoding, plan_->targets, plan_->classes,
                  task.weight_column);
}

std::size_t PreparedTable::training_rows() const {
  return plan_->train.size();
}

std::size_t PreparedTable::test_rows() const {
  return plan_->test.size();
}

const std::vector<std::string>& PreparedTable::remarks() const {
  return plan_->remarks;
}

std::size_t PreparedTable::missing_cells() const {
  return plan_->missing_cells;
}

Table PreparedTable::some_rows(bool of_test_part, std::size_t most) const {
  if (!windows_) {
    fail(ErrorKind::bad_option, "{} was in memory, so that its rows are the caller's.", source_);
  }
  const RowSet& part = of_test_part ? plan_->test : plan_->train;
  const std::size_t count = std::min(most, part.size());
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back(part[k * part.size() / count]);
  return windows_->read_rows(rows);
}

const PreparedTable::InMemory& PreparedTable::memory() const {
  if (memory_) return *memory_;
  fail(ErrorKind::bad_option, "The rows of {} stay in their file; they cannot be had at once.",
       source_);
}

const TrainingData& PreparedTable::data() const {
  return memory().data;
}

const Partition& PreparedTable::partition() const {
  return memory().partition;
}

void PreparedTable::complete(Model& model, std::size_t threads) const {
  Summary& summary = model.training;
  if (test_data_) {
    // Rows far from those of training may have no prediction; the model is whole without the
    // scores.
    try {
      std::vector<Scores> each;
      summary.test = model.evaluate(*test_data_, threads, weight_column_, &each);
      for (std::size_t o = 0; o < summary.target_scores.size(); ++o) {
        summary.target_scores[o].test = each[o];
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data) throw;
      summary.remarks.push_back(fmt::format("The test part has no scores: {}", error.what()));
    }
  }
  summary.data = source_;
  summary.rows_sha256 = plan_->rows_sha256;
  summary.remarks.insert(summary.remarks.begin(), plan_->remarks.begin(),
                         plan_->remarks.end());
  constexpr double kFarAboveOne = 1.5;
  if (summary.test && !summary.test->classes && summary.test->nrmse > kFarAboveOne &&
      std::isfinite(summary.test->nrmse)) {
    summary.remarks.push_back(
        fmt::format("On the test part the model is far worse than always predicting the mean "
                    "(NRMSE {:.3g}); {}.",
                    summary.test->nrmse,
                    summary.train && summary.train->nrmse > kFarAboveOne
                        ? "so it is on the rows of training, which a lower rate may mend"
                        : "its rows may be unlike those of training"));
  }
}

Model train(const PreparedTable& prepared, const TrainOptions& options,
            const TrainObserver& observer, const Model* start, Checkpoints* checkpoints) {
  Model model = train_rows(prepared.rows(), options, observer, start, checkpoints);
  prepared.complete(model, options.threads);
  return model;
}

Model train(const Table& table, const TableTask& task, const TrainOptions& options,
            const TrainObserver& observer, const Model* start) {
  return train(PreparedTable(table, task, options.seed, start), options, observer, start);
}

}  // namespace knotwork
