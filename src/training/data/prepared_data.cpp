// SPDX-License-Identifier: MIT
#include "training/data/prepared_state.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/fail.hpp"
#include "features/known_targets.hpp"
#include "features/rank_agreement.hpp"
#include "features/target_values.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/cell_value.hpp"
#include "training/run/train.hpp"
#include "training/run/training_watch.hpp"

#include <knotwork/predict.hpp>

namespace knotwork {

using namespace training;
namespace {

// Checks everything that scoring needs before time is spent on training.
void check_test_data(const Table& table, const std::vector<InputColumn>& inputs,
                     const std::vector<std::string>& targets,
                     const std::vector<std::string>& classes, const std::string& weight_column) {
  const EncodedTable encoded(table, inputs);
  for (const std::string& target : targets) features::true_values(table, {target, {}, {}, classes});
  if (!weight_column.empty()) features::weights_to_score_by(table, weight_column);
}

// The second table without the rows that have no target; a remark counts them.
std::shared_ptr<const Table> rows_to_test(const TableTask& task, TablePlan& plan) {
  const Table& table = *task.test_data;
  table.check();
  if (task.require_target) return task.test_data;
  std::vector<TargetColumn> targets;
  for (const std::string& name : plan.targets) targets.push_back({.column = name});
  const std::vector<std::size_t> known = features::rows_with_targets(table, targets);
  if (known.size() == table.rows()) return task.test_data;
  if (known.empty()) features::refuse_without_targets(table, targets);
  const std::size_t count = table.rows() - known.size();
  plan.remarks.push_back(
      fmt::format("In the second table {}; {} not scored.",
                  features::rows_without_target(count, table.rows(), plan.targets),
                  count == 1 ? "it is" : "they are"));
  return std::make_shared<Table>(
      table::TableReader(rows_of(task.test_data)).read_rows(known));
}

// For the record, which must be valid text: a file name that is not valid text becomes empty.
std::string name_of_file(const std::string& source) {
  const std::string name = std::filesystem::path(source).filename().string();
  return csv::is_utf8(name) ? name : "";
}

RowDescription described(const TablePlan& plan, const TableTask& task, const CellFormat& cells) {
  RowDescription rows;
  rows.input_count = plan.encoding.size();
  rows.target_count = plan.targets.size();
  rows.target_names = plan.targets;
  rows.classes = plan.classes;
  rows.encoding = plan.encoding;
  rows.out_of_fold = plan.out_of_fold;
  rows.cells = cells;
  rows.in_time_order = task.test_last;
  return rows;
}

// Checks that nothing in the file was changed or damaged. If all processes read the same file, they
// share its columns; otherwise each checks its own copy.
void check_cells(const StoredTable& table, const CsvOptions& options, const TableStorage& storage) {
  Ranks* const ranks = storage.ranks && storage.ranks->size() > 1 ? storage.ranks : nullptr;
  std::vector<std::size_t> columns;
  table.describe(options, columns);
  const bool shared = ranks && features::is_one_file(*ranks, table.description().source);
  const std::size_t first = shared ? ranks->rank() : 0, step = shared ? ranks->size() : 1;
  table::TableReader::together(ranks, [&] {
    for (std::size_t c = first; c < columns.size(); c += step) {
      parallel::check_stop(storage.monitor.get());
      table.check_column(columns[c], storage.monitor.get());
    }
  });
}

// For a table in memory, whose scaled rows also stay in memory.
TableStorage in_memory(Ranks* ranks) {
  TableStorage storage;
  storage.memory = std::numeric_limits<std::size_t>::max();
  storage.ranks = ranks;
  return storage;
}

}  // namespace

PreparedData::State::State(std::shared_ptr<const RowSource> rows, const TableTask& task,
                           std::uint64_t seed, const Model* start, const TableStorage& storage,
                           const std::function<void()>& check)
    : source_(name_of_file(rows->schema().source)),
      weight_column_(task.weight_column),
      test_data_(task.test_data) {
  Ranks* const ranks = storage.ranks && storage.ranks->size() > 1 ? storage.ranks : nullptr;
  const table::TableReader table =
      table::TableReader(std::move(rows)).watched(storage.monitor, Phase::planning);
  features::check_agreement(ranks, task, seed);
  features::check_agreement(ranks, table);
  if (check) check();
  plan_ = plan_table(table, task, seed, start, ranks);
  rows_ = std::make_shared<const TrainingRows>(
      PlannedRows{table.watched({}, Phase::planning),
                  described(plan_, task, table.description().cells),
                  task.weight_column,
                  task.group_column,
                  plan_.train,
                  plan_.test,
                  {storage.memory, storage.scratch},
                  ranks});
  if (!task.test_data) return;
  test_data_ = rows_to_test(task, plan_);
  check_test_data(*test_data_, plan_.encoding, plan_.targets, plan_.classes, task.weight_column);
}

PreparedData::State::State(TrainingData data, Partition partition)
    : is_of_table_(false), rows_(std::make_shared<const TrainingRows>(data, partition)) {
  matrices_.emplace(RowsInMemory{std::move(data), {}, nullptr});
  partition_ = std::move(partition);
}

Table PreparedData::State::some_rows(bool of_test_part, std::size_t most) const {
  const features::RowSet& part = of_test_part ? rows_->test() : rows_->train();
  const std::size_t count = std::min(most, part.size());
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < count; ++k) rows.push_back(part[k * part.size() / count]);
  return rows_->some_rows(rows);
}

void PreparedData::State::check_in_memory() const {
  if (rows_->table().is_in_memory()) return;
  fail(ErrorKind::bad_option, "The rows of {} stay in their file and are not in memory.", source_);
}

const TrainingData& PreparedData::State::data() const {
  check_in_memory();
  const parallel::Lock lock(mutex_);
  if (!matrices_) {
    matrices_ = rows_->copy_of(list_of(features::RowSet::all(rows_->table().rows())));
  }
  return matrices_->data;
}

const Partition& PreparedData::State::partition() const {
  check_in_memory();
  const parallel::Lock lock(mutex_);
  if (!partition_) partition_ = {list_of(rows_->train()), list_of(rows_->test())};
  return *partition_;
}

void PreparedData::State::complete(Model& model, std::size_t threads,
                                   const std::shared_ptr<Monitor>& monitor) const {
  if (!is_of_table_) return;
  Summary& summary = model.training;
  if (test_data_) {
    // Rows far from the training rows may have no prediction; the model is complete without these
    // scores.
    EvaluateOptions settings{.threads = threads, .weight_column = weight_column_};
    const TrainingWatch watch(monitor, 0);
    const auto closing = std::make_shared<StageMonitor>(watch);
    closing->set(StageMonitor::Work::closing);
    settings.monitor = closing;
    if (summary.reason == StopReason::requested) settings.monitor = std::make_shared<ForAMoment>();
    try {
      const Evaluation result = evaluate(model, *test_data_, settings);
      summary.test = result.scores;
      for (std::size_t o = 0; o < summary.target_scores.size(); ++o) {
        summary.target_scores[o].test = result.each[o];
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_data && error.kind() != ErrorKind::stopped) throw;
      summary.remarks.push_back(fmt::format("The test part has no scores: {}", error.what()));
    }
  }
  summary.data = source_;
  summary.rows_sha256 = plan_.rows_sha256;
  summary.remarks.insert(summary.remarks.begin(), plan_.remarks.begin(), plan_.remarks.end());
  constexpr double kFarAboveOne = 1.5;
  if (summary.test && !summary.test->classes && summary.test->nrmse > kFarAboveOne &&
      std::isfinite(summary.test->nrmse)) {
    summary.remarks.push_back(
        fmt::format("On the test part the model is far worse than always predicting the mean "
                    "(NRMSE {:.3g}); {}.",
                    summary.test->nrmse,
                    summary.train && summary.train->nrmse > kFarAboveOne
                        ? "it is equally bad on the training rows, where a lower rate may help"
                        : "the test rows may differ from the training rows"));
  }
}

PreparedData::PreparedData(std::shared_ptr<const RowSource> rows, const TableTask& task,
                           std::uint64_t seed, const Model* start, const TableStorage& storage)
    : state_(std::make_shared<State>(std::move(rows), task, seed, start, storage)) {}

PreparedData::PreparedData(Table table, const TableTask& task, std::uint64_t seed,
                           const Model* start, Ranks* ranks)
    : PreparedData(rows_of(std::move(table)), task, seed, start, in_memory(ranks)) {}

PreparedData::PreparedData(std::shared_ptr<const Table> table, const TableTask& task,
                           std::uint64_t seed, const Model* start, Ranks* ranks)
    : PreparedData(rows_of(std::move(table)), task, seed, start, in_memory(ranks)) {}

PreparedData::PreparedData(const StoredTable& table, const CsvOptions& columns,
                           const TableTask& task, std::uint64_t seed, const Model* start,
                           const TableStorage& storage)
    : state_(std::make_shared<State>(rows_of(table, columns), task, seed, start, storage,
                                     [&] { check_cells(table, columns, storage); })) {}

PreparedData::PreparedData(TrainingData data, Partition partition)
    : state_(std::make_shared<State>(std::move(data), std::move(partition))) {}

std::size_t PreparedData::training_rows() const {
  return state_->rows().training_rows();
}

std::size_t PreparedData::test_rows() const {
  return state_->rows().test().size();
}

const std::vector<Remark>& PreparedData::remarks() const {
  return state_->plan().remarks;
}

std::size_t PreparedData::rows_without_target() const {
  return state_->plan().without_target;
}

std::size_t PreparedData::missing_cells() const {
  return state_->plan().missing_cells;
}

Table PreparedData::some_rows(bool of_test_part, std::size_t most) const {
  return state_->some_rows(of_test_part, most);
}

const TrainingData& PreparedData::data() const {
  return state_->data();
}

const Partition& PreparedData::partition() const {
  return state_->partition();
}

Model train(const PreparedData& prepared, const TrainOptions& options,
            const TrainContext& context) {
  Model model = train_rows(state_of(prepared).rows(), options, context);
  state_of(prepared).complete(model, options.threads, context.monitor);
  return model;
}

Model fit(const AnyMatrixView& inputs, const AnyMatrixView& targets, const TrainOptions& options,
          const TrainContext& context) {
  return train(TrainingData{.inputs = inputs, .targets = targets}, options, context);
}

}  // namespace knotwork
