// SPDX-License-Identifier: MIT
#include "training/data/prepared_state.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/fail.hpp"
#include "features/rank_agreement.hpp"
#include "features/target_values.hpp"
#include "table/csv/cell_value.hpp"
#include "training/data/memory_rows.hpp"
#include "training/data/streamed_rows.hpp"
#include "training/run/train.hpp"

namespace knotwork {

using namespace training;
namespace {

// Everything that scoring will need, before the time for training is spent.
void check_test_data(const Table& table, const std::vector<InputColumn>& inputs,
                     const std::vector<std::string>& targets,
                     const std::vector<std::string>& classes, const std::string& weight_column) {
  table.check();
  const EncodedTable encoded(table, inputs);
  for (const std::string& target : targets) features::true_values(table, {target, {}, {}, classes});
  if (!weight_column.empty()) features::weights_to_score_by(table, weight_column);
}

// For a record that must be text; a name that is none is left out.
std::string name_of_file(const std::string& source) {
  const std::string name = std::filesystem::path(source).filename().string();
  return csv::is_utf8(name) ? name : "";
}

std::vector<std::size_t> list_of(const features::RowSet& set) {
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
void check_cells(const table::TableReader& table, Ranks* ranks) {
  const bool shared = ranks && features::is_one_file(*ranks, table);
  const std::size_t first = shared ? ranks->rank() : 0, step = shared ? ranks->size() : 1;
  for (std::size_t c = first; c < table.description().names.size(); c += step) {
    table.check_column(c);
  }
}

std::shared_ptr<const table::TableReader> watched_windows(
    const StoredTable& table, const CsvOptions& columns, const std::function<void(double)>& watch) {
  auto windows = std::make_shared<table::TableReader>(table, columns);
  windows->watch(watch);
  return windows;
}

}  // namespace

// Rows in memory, and what refers to them.
struct PreparedTable::State::InMemory {
  InMemory(const Table& table, const TableTask& task, const TablePlan& plan)
      : data(described(plan, task, table.cells)) {
    const std::size_t rows = table.rows();
    const EncodedTable encoded(table, plan.encoding);
    inputs.resize(rows * encoded.inputs());
    for (std::size_t c = 0; c < encoded.inputs(); ++c) {
      for (std::size_t r = 0; r < rows; ++r) inputs[c * rows + r] = encoded(r, c);
    }
    for (const std::string& name : plan.targets) {
      const std::vector<double> values = features::true_values(table, {name, {}, {}, plan.classes});
      targets.insert(targets.end(), values.begin(), values.end());
    }
    if (!task.weight_column.empty())
      weights = features::complete_weights(table, task.weight_column);
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

PreparedTable::State::State(const Table& table, const TableTask& task, std::uint64_t seed,
                            const Model* start, Ranks* ranks)
    : State(std::make_shared<table::TableReader>(table), task, seed, start, ranks) {
  // Every process has the table; they share the work on it.
  memory_ = std::make_shared<InMemory>(table, task, *plan_);
  rows_ = std::make_shared<MemoryRows>(memory_->data, memory_->partition, ranks_);
  windows_.reset();  // the table may go
}

PreparedTable::State::State(const StoredTable& table, const CsvOptions& columns,
                            const TableTask& task, std::uint64_t seed, const Model* start,
                            const TableStorage& storage)
    : State(watched_windows(table, columns, storage.watch), task, seed, start, storage.ranks) {
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

PreparedTable::State::State(std::shared_ptr<const table::TableReader> table, const TableTask& task,
                            std::uint64_t seed, const Model* start, Ranks* ranks)
    : source_(name_of_file(table->description().source)),
      weight_column_(task.weight_column),
      test_data_(task.test_data),
      ranks_(ranks && ranks->size() > 1 ? ranks : nullptr),
      windows_(std::move(table)) {
  features::check_agreement(ranks_, task, seed);
  features::check_agreement(ranks_, *windows_);
  if (!windows_->memory()) check_cells(*windows_, ranks_);
  // A table in memory is there in every process.
  plan_ = std::make_shared<TablePlan>(
      plan_table(*windows_, task, seed, start, windows_->memory() ? nullptr : ranks_));
  if (!task.test_data) return;
  check_test_data(*task.test_data, plan_->encoding, plan_->targets, plan_->classes,
                  task.weight_column);
}

Table PreparedTable::State::some_rows(bool of_test_part, std::size_t most) const {
  if (!windows_) {
    fail(ErrorKind::bad_option, "{} was in memory, so that its rows are the caller's.", source_);
  }
  const features::RowSet& part = of_test_part ? plan_->test : plan_->train;
  const std::size_t count = std::min(most, part.size());
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back(part[k * part.size() / count]);
  return windows_->read_rows(rows);
}

const PreparedTable::State::InMemory& PreparedTable::State::memory() const {
  if (memory_) return *memory_;
  fail(ErrorKind::bad_option, "The rows of {} stay in their file; they cannot be had at once.",
       source_);
}

const TrainingData& PreparedTable::State::data() const {
  return memory().data;
}

const Partition& PreparedTable::State::partition() const {
  return memory().partition;
}

void PreparedTable::State::complete(Model& model, std::size_t threads) const {
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
  summary.remarks.insert(summary.remarks.begin(), plan_->remarks.begin(), plan_->remarks.end());
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

PreparedTable::PreparedTable(const Table& table, const TableTask& task, std::uint64_t seed,
                             const Model* start, Ranks* ranks)
    : state_(std::make_shared<State>(table, task, seed, start, ranks)) {}

PreparedTable::PreparedTable(const StoredTable& table, const CsvOptions& columns,
                             const TableTask& task, std::uint64_t seed, const Model* start,
                             const TableStorage& storage)
    : state_(std::make_shared<State>(table, columns, task, seed, start, storage)) {}

std::size_t PreparedTable::training_rows() const {
  return state_->plan().train.size();
}

std::size_t PreparedTable::test_rows() const {
  return state_->plan().test.size();
}

const std::vector<std::string>& PreparedTable::remarks() const {
  return state_->plan().remarks;
}

std::size_t PreparedTable::missing_cells() const {
  return state_->plan().missing_cells;
}

Table PreparedTable::some_rows(bool of_test_part, std::size_t most) const {
  return state_->some_rows(of_test_part, most);
}

const TrainingData& PreparedTable::data() const {
  return state_->data();
}

const Partition& PreparedTable::partition() const {
  return state_->partition();
}

Model train(const PreparedTable& prepared, const TrainOptions& options,
            const TrainObserver& observer, const Model* start, Checkpoints* checkpoints) {
  Model model = train_rows(state_of(prepared).rows(), options, observer, start, checkpoints);
  state_of(prepared).complete(model, options.threads);
  return model;
}

Model train(const Table& table, const TableTask& task, const TrainOptions& options,
            const TrainObserver& observer, const Model* start) {
  return train(PreparedTable(table, task, options.seed, start), options, observer, start);
}

}  // namespace knotwork
