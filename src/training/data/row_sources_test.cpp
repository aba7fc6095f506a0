// SPDX-License-Identifier: MIT
// Tests that training gives the same bits and fingerprints for every kind of row source.
#include <gtest/gtest.h>

#include <cmath>

#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"
#include "training/data/prepared_state.hpp"
#include "training/data/test_sources.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/predict.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using RowSources = StreamedTraining;

// Recorded before training read all rows through RowSource.
constexpr const char* kTableSha256 =
    "425d284144904f59e4d3cf26e709ba4f745a28b4f75903cf2a0a394e89728e47";
constexpr const char* kFileSha256 =
    "05b74faa6bfb02a1bf20b5d69feb8c3be8d9a80a5a1b885741d8c95728940ea3";
constexpr const char* kMatrixSha256 =
    "1a46d4df4970fbd1444272870912f8f818ad97462c6173ffd1c6b5939fc93834";
constexpr const char* kWholeMatrixSha256 =
    "bf75acbd056d6acbaba1c7a8a3fc89ec6d6f654694cf6e724404d0c1462d558e";

// A source that only this test knows; it returns the cells of a table but lends no memory.
class OwnSource final : public RowSource {
 public:
  explicit OwnSource(const Table& table) : table_(table), schema_(schema_of(table)) {}
  const Schema& schema() const override { return schema_; }
  std::size_t rows() const override { return table_.rows(); }
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const override {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t r = 0; r < cells[k].size(); ++r) {
        cells[k][r] = table_.columns[columns[k]][first_row + r];
      }
    }
  }
  Where place_of(std::size_t row) const override {
    return {.file = schema_.source, .row_name = "record " + std::to_string(row)};
  }

 private:
  const Table& table_;
  Schema schema_;
};

TEST_F(RowSources, HasTheBitsOfATableInMemoryFromASourceOfOnesOwn) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const Table table = mixed_table(5000, one.classes);
    const TrainOptions options = options_of(one);
    const Model wanted = train(PreparedData(table, task_of(one), options.seed), options);
    for (const std::size_t count : {1, 2, 3}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        const PreparedData prepared(std::make_shared<OwnSource>(table), task_of(one), options.seed,
                                    nullptr, storage(0, &ranks));
        const Model model = train(prepared, options);
        expect_same(model, wanted);
        const Evaluation scores = evaluate(model, OwnSource(table), {.ranks = &ranks});
        EXPECT_EQ(scores.scores.to_compare(), model.evaluate(table).to_compare());
      });
    }
  }
}

TEST_F(RowSources, ASourceOfOnesOwnSaysWhatItsRowsAreCalled) {
  Table table = mixed_table(300, false);
  table.columns[5][123] = NAN;
  TableTask task = task_of(kCases[0]);
  task.require_target = true;
  try {
    PreparedData(std::make_shared<OwnSource>(table), task, 0);
    ADD_FAILURE() << "a missing target is refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("mixed, record 123, column 6 ('y')"),
              std::string::npos)
        << error.what();
  }
}

// Numbers only, so that every kind of source can have them.
TEST_F(RowSources, CsvFilesArraysMatricesAndSourcesHaveTheSameBits) {
  Table table{.source = "numbers", .names = {"x1", "x2", "x3"}, .columns = {{}, {}, {}}};
  for (std::size_t r = 0; r < 3000; ++r) {
    const auto k = static_cast<double>(r);
    table.columns[0].push_back(std::sin(k));
    table.columns[1].push_back(std::cos(3 * k) + 2);
    table.columns[2].push_back(std::sin(k) * std::cos(3 * k) + std::sin(k / 7));
  }
  for (const Case& one : {kCases[0], kCases[1], kCases[3], kCases[6]}) {
    SCOPED_TRACE(one.name);
    const TrainOptions options = options_of(one);
    TableTask task;
    task.test_fraction = 0.25;
    const PreparedData in_memory(table, task, options.seed);
    const Model wanted = train(in_memory, options);
    expect_same(
        train(PreparedData(parse_csv(to_csv(table), "numbers"), task, options.seed), options),
        wanted);
    write_npy(stored(table), folder_ / "n.npy");
    TrainingData matrices;
    std::vector<double> inputs = table.columns[0];
    inputs.insert(inputs.end(), table.columns[1].begin(), table.columns[1].end());
    matrices.inputs = column_major(std::span<const double>(inputs), 3000, 2);
    matrices.targets = column_major(std::span<const double>(table.columns[2]), 3000, 1);
    const Model of_matrices = train(PreparedData(matrices, in_memory.partition()), options);
    EXPECT_EQ(of_matrices.parameters_sha256(), wanted.parameters_sha256());
    EXPECT_EQ(of_matrices.training.test->to_compare(), wanted.training.test->to_compare());
    for (const std::size_t count : {1, 2, 3}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        expect_same(train(PreparedData(StoredTable(folder_ / "n.npy"), {}, task, options.seed,
                                       nullptr, storage(0, &ranks)),
                          options),
                    wanted);
        expect_same(train(PreparedData(std::make_shared<OwnSource>(table), task, options.seed,
                                       nullptr, storage(1 << 20, &ranks)),
                          options),
                    wanted);
      });
    }
  }
}

TEST_F(RowSources, FitTakesTwoMatrices) {
  const Table table = mixed_table(500, false);
  const TrainOptions options = options_of(kCases[0]);
  const AnyMatrixView inputs = column_major(std::span<const double>(table.columns[4]), 500, 1);
  const AnyMatrixView targets = column_major(std::span<const double>(table.columns[5]), 500, 1);
  TrainingData data;
  data.inputs = inputs;
  data.targets = targets;
  EXPECT_EQ(fit(inputs, targets, options).parameters_sha256(),
            train(data, options).parameters_sha256());
  const auto stopped = std::make_shared<Monitor>();
  stopped->request_stop();
  EXPECT_EQ(fit(inputs, targets, options, {.monitor = stopped}).training.reason,
            StopReason::requested);
}

TEST_F(RowSources, AStopEndsTheFingerprintOfEveryKind) {
  const Table table = mixed_table(20'000, false);
  write_npy(stored(table), folder_ / "n.npy", {.only = std::vector<std::string>{"z", "y"}});
  const TableTask task = task_of(kCases[0]);
  const PreparedData in_memory(table, task, 0);
  const PreparedData own(std::make_shared<OwnSource>(table), task, 0);
  const PreparedData of_array(StoredTable(folder_ / "n.npy"), {}, {}, 0);
  for (const PreparedData* prepared : {&in_memory, &own, &of_array}) {
    parallel::expect_stops(4, [&](const std::shared_ptr<Monitor>& monitor) {
      state_of(*prepared).rows().data_sha256(monitor);
    });
    const auto stopped = std::make_shared<Monitor>();
    stopped->request_stop();
    EXPECT_THROW(train(*prepared, options_of(kCases[0]),
                       {.checkpoints = std::make_shared<Checkpoints>(nullptr, 1),
                        .monitor = stopped}),
                 Error);
  }
}

// A stop before any network exists leaves no model; passes over few rows are not stopped.
TEST_F(RowSources, AStopEndsThePassesOverManyRowsInMemory) {
  const Table table = mixed_table(800'000, false);
  const PreparedData prepared(table, task_of(kCases[0]), 0);
  parallel::expect_stops(10, [&](const std::shared_ptr<Monitor>& monitor) {
    state_of(prepared).rows().divide({}, monitor)->fit_inputs({});
  });
}

// Checkpoints of earlier versions must stay resumable, so their fingerprints must not change.
TEST_F(RowSources, RowsAreToldByTheSameFingerprintsAsBefore) {
  Case one = kCases[8];
  one.group = "group";
  const Table table = mixed_table(700, true);
  const auto sha_of = [&](const PreparedData& prepared) {
    return state_of(prepared).rows().data_sha256();
  };
  const PreparedData in_memory(table, task_of(one), 3);
  const PreparedData in_file(stored(table), {}, task_of(one), 3, nullptr, storage(0));
  EXPECT_EQ(sha_of(in_memory), kTableSha256);
  EXPECT_EQ(sha_of(PreparedData(in_memory.data(), in_memory.partition())), kTableSha256);
  EXPECT_EQ(sha_of(in_file), kFileSha256);
  std::vector<double> numbers = table.columns[4];
  numbers.insert(numbers.end(), table.columns[3].begin(), table.columns[3].end());
  TrainingData matrices;
  matrices.inputs = row_major(std::span<const double>(numbers), 700, 2);
  matrices.targets = column_major(std::span<const double>(table.columns[5]), 700, 1);
  matrices.input_names = {"a", "b"};
  EXPECT_EQ(sha_of(PreparedData(matrices, {{0, 1, 2, 5, 8}, {3, 4}})), kMatrixSha256);
  EXPECT_EQ(sha_of(PreparedData(matrices)), kWholeMatrixSha256);
}

}  // namespace
}  // namespace knotwork::training
