// SPDX-License-Identifier: MIT
// Training on a table that stays in its file, by one process or several: the bits of the same table
// in memory.
#include <gtest/gtest.h>

#include "objective/lane_order.hpp"
#include "parallel/test_ranks.hpp"
#include "training/data/test_sources.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

// What must not depend on where the rows are, and on who trains.
void expect_same(const Model& found, const Model& wanted) {
  EXPECT_EQ(found.parameters_sha256(), wanted.parameters_sha256());
  EXPECT_EQ(found.training.rows_sha256, wanted.training.rows_sha256);
  EXPECT_EQ(found.training.remarks, wanted.training.remarks);
  EXPECT_EQ(found.training.iterations, wanted.training.iterations);
  ASSERT_EQ(found.inputs.size(), wanted.inputs.size());
  for (std::size_t c = 0; c < found.inputs.size(); ++c) {
    EXPECT_EQ(found.inputs[c].scaling.offset, wanted.inputs[c].scaling.offset);
    EXPECT_EQ(found.inputs[c].scaling.scale, wanted.inputs[c].scaling.scale);
    EXPECT_EQ(found.inputs[c].scaling.quantiles, wanted.inputs[c].scaling.quantiles);
    EXPECT_EQ(found.inputs[c].category, wanted.inputs[c].category);
  }
  for (const auto part : {&Summary::train, &Summary::validation, &Summary::test}) {
    ASSERT_EQ((found.training.*part).has_value(), (wanted.training.*part).has_value());
    if (!(wanted.training.*part)) continue;
    EXPECT_EQ((found.training.*part)->rows, (wanted.training.*part)->rows);
    EXPECT_EQ((found.training.*part)->to_compare(), (wanted.training.*part)->to_compare());
  }
}

TEST_F(StreamedTraining, HasTheBitsOfATableInMemory) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const Table table = mixed_table(5000, one.classes);
    const TrainOptions options = options_of(one);
    const Model wanted = train(PreparedTable(table, task_of(one), options.seed), options);
    const StoredTable file = stored(table);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      const PreparedTable prepared(file, {}, task_of(one), options.seed, nullptr, storage(memory));
      expect_same(train(prepared, options), wanted);
    }
    for (const std::size_t count : {2, 3, 4}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        TrainOptions own = options;
        own.threads = 1 + ranks.rank() % 2;
        expect_same(train(PreparedTable(file, {}, task_of(one), options.seed, nullptr,
                                        storage(1 << 20, &ranks)),
                          own),
                    wanted);
        expect_same(train(PreparedTable(table, task_of(one), options.seed, nullptr, &ranks), own),
                    wanted);
      });
    }
  }
}

// Sets of more than a million rows are shuffled in chunks, sampled for their quantiles, and had in
// shares by processes that train together.
TEST_F(StreamedTraining, HasTheBitsOfATableInMemoryWithManyRows) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "millions of rows take minutes under a sanitizer";
#endif
  const Table table = mixed_table(2 * kManyRows + kManyRows / 2, false);
  const StoredTable file = stored(table);
  for (const Case& one :
       {Case{"all rows", {{"optimizer", "lbfgs"}, {"fit-range", "neuron"}, {"iterations", "2"}}},
        Case{"batches",
             {{"optimizer", "adam"},
              {"batch", "20000"},
              {"scale-inputs", "quantile"},
              {"iterations", "1"},
              {"validation-fraction", "0.5"}},
             false,
             "weight"}}) {
    SCOPED_TRACE(one.name);
    TrainOptions options = options_of(one);
    options.hidden = {2};
    options.precision = Precision::float32;
    TableTask task = task_of(one);
    task.test_fraction = 0.05;
    const Model wanted = train(PreparedTable(table, task, options.seed), options);
    expect_same(train(PreparedTable(file, {}, task, options.seed, nullptr, storage(0)), options),
                wanted);
    parallel::run_ranks(3, [&](Ranks& ranks) {
      const PreparedTable prepared(file, {}, task, options.seed, nullptr, storage(0, &ranks));
      expect_same(train(prepared, options), wanted);
    });
  }
}

TEST_F(StreamedTraining, OptionsThatAreLeftOpenAreChosenAlike) {
  const Table table = mixed_table(900, false);
  TrainOptions options;
  options.iterations = 5;
  options.hidden = {3};
  const std::vector<std::string> given = {"iterations", "hidden"};
  const TableTask task = task_of(kCases[0]);
  const Model wanted = train_automatically(PreparedTable(table, task, 0), options, given);
  ASSERT_FALSE(wanted.training.tried.empty());
  const StoredTable file = stored(table);
  const auto check = [&](const Model& found) {
    expect_same(found, wanted);
    ASSERT_EQ(found.training.tried.size(), wanted.training.tried.size());
    for (std::size_t k = 0; k < wanted.training.tried.size(); ++k) {
      EXPECT_EQ(found.training.tried[k].score, wanted.training.tried[k].score);
    }
  };
  check(train_automatically(PreparedTable(file, {}, task, 0), options, given));
  parallel::run_ranks(3, [&](Ranks& ranks) {
    check(train_automatically(PreparedTable(file, {}, task, 0, nullptr, storage(0, &ranks)),
                              options, given));
  });
}

// The rows that are compared on are divided once more, by their numbers in the table.
TEST_F(StreamedTraining, OptionsAreChosenAlikeWithAValidationPart) {
  for (const Case& one : {kCases[5], kCases[8], kCases[6]}) {
    SCOPED_TRACE(one.name);
    const Table table = mixed_table(900, one.classes);
    TrainOptions options;
    options.iterations = 5;
    options.hidden = {3};
    options.ensemble = 1;
    options.validation_fraction = 0.2;
    const std::vector<std::string> given = {"iterations", "hidden", "ensemble",
                                            "validation-fraction"};
    const Model wanted = train_automatically(PreparedTable(table, task_of(one), 0), options, given);
    const Model found = train_automatically(
        PreparedTable(stored(table), {}, task_of(one), 0, nullptr, storage(0)), options, given);
    expect_same(found, wanted);
    ASSERT_FALSE(wanted.training.tried.empty());
    for (std::size_t k = 0; k < wanted.training.tried.size(); ++k) {
      EXPECT_EQ(found.training.tried[k].score, wanted.training.tried[k].score);
    }
  }
}

TEST_F(StreamedTraining, ATrainingThatRanksBeganIsGoneOnWithByOthers) {
  const Table table = mixed_table(4000, false);
  const StoredTable file = stored(table);
  for (const Case& one : {kCases[0], kCases[1], kCases[2], kCases[6]}) {
    SCOPED_TRACE(one.name);
    const TrainOptions options = options_of(one);
    const Model wanted =
        train(PreparedTable(file, {}, task_of(one), options.seed, nullptr, storage(0)), options);
    // Four begin; the first one's newest state is kept.
    TrainingState kept;
    parallel::run_ranks(4, [&](Ranks& ranks) {
      const PreparedTable prepared(file, {}, task_of(one), options.seed, nullptr,
                                   storage(0, &ranks));
      Checkpoints checkpoints(
          [&](const TrainingState& state) {
            if (ranks.is_first()) kept = state;
          },
          1);
      std::size_t seen = 0;
      train(
          prepared, options, [&](const TrainIteration&) { return ++seen < 4; }, nullptr,
          &checkpoints);
    });
    for (const std::size_t count : {1, 3}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        const PreparedTable prepared(file, {}, task_of(one), options.seed, nullptr,
                                     storage(0, &ranks));
        Checkpoints checkpoints([](const TrainingState&) {}, 0, kept);
        EXPECT_EQ(train(prepared, options, {}, nullptr, &checkpoints).parameters_sha256(),
                  wanted.parameters_sha256());
      });
    }
  }
}

TEST_F(StreamedTraining, GoesOnFromAModelAsInMemory) {
  const Table table = mixed_table(3000, false);
  const StoredTable file = stored(table);
  const TrainOptions options = options_of(kCases[0]);
  const TableTask task = task_of(kCases[0]);
  const Model start = train(PreparedTable(table, task, options.seed), options);
  const Model wanted = train(PreparedTable(table, task, options.seed, &start), options, {}, &start);
  EXPECT_NE(wanted.parameters_sha256(), start.parameters_sha256());
  for (const std::size_t count : {1, 2}) {
    parallel::run_ranks(count, [&](Ranks& ranks) {
      const PreparedTable prepared(file, {}, task, options.seed, &start, storage(0, &ranks));
      expect_same(train(prepared, options, {}, &start), wanted);
    });
  }
}

// An array does not say what is in it: it is read for that.
TEST_F(StreamedTraining, ACheckpointKnowsTheCellsOfAnArray) {
  Table table{.source = "array", .names = {"x1", "x2"}, .columns = {{}, {}}};
  for (std::size_t r = 0; r < 9000; ++r) {
    table.columns[0].push_back(std::sin(static_cast<double>(r)));
    table.columns[1].push_back(std::cos(static_cast<double>(r)));
  }
  const auto array = [&](const char* name) {
    write_npy(stored(table), folder_ / name);
    return StoredTable(folder_ / name);
  };
  const StoredTable file = array("a.npy");
  table.columns[0][8500] += 1e-9;
  const StoredTable changed = array("b.npy");
  const TrainOptions options = options_of(kCases[0]);
  TrainingState kept;
  Checkpoints keeping([&](const TrainingState& state) { kept = state; }, 2);
  const Model wanted =
      train(PreparedTable(file, {}, {}, 0, nullptr, storage(0)), options, {}, nullptr, &keeping);
  Checkpoints resumed([](const TrainingState&) {}, 0, kept);
  EXPECT_EQ(
      train(PreparedTable(file, {}, {}, 0, nullptr, storage(0)), options, {}, nullptr, &resumed)
          .parameters_sha256(),
      wanted.parameters_sha256());
  Checkpoints other([](const TrainingState&) {}, 0, kept);
  EXPECT_THROW(
      train(PreparedTable(changed, {}, {}, 0, nullptr, storage(0)), options, {}, nullptr, &other),
      Error);
}

TEST_F(StreamedTraining, OneProcessThatMustEndEndsAll) {
  const StoredTable file = stored(mixed_table(3000, false));
  const TrainOptions options = options_of(kCases[0]);
  parallel::run_ranks(3, [&](Ranks& ranks) {
    const PreparedTable prepared(file, {}, task_of(kCases[0]), 0, nullptr, storage(0, &ranks));
    const Model model = train(prepared, options, [&](const TrainIteration& now) {
      return ranks.rank() != 1 || now.iteration < 2;
    });
    EXPECT_EQ(model.training.reason, StopReason::requested);
    EXPECT_EQ(model.training.iterations, 2u);
  });
}

TEST_F(StreamedTraining, PassesOverTheFileAreWatched) {
  const StoredTable file = stored(mixed_table(200'000, false));
  std::size_t passes = 0, between = 0;
  TableStorage storage;
  storage.watch = [&](double share) {
    EXPECT_GT(share, 0);
    EXPECT_LE(share, 1);
    passes += share == 1 ? 1 : 0;
    between += share < 1 ? 1 : 0;
  };
  const PreparedTable prepared(file, {}, task_of(kCases[0]), 0, nullptr, storage);
  EXPECT_GT(passes, 2u);
  EXPECT_GT(between, 0u);  // some take more than one window
  const std::size_t before = passes;
  TrainOptions options = options_of(kCases[0]);
  options.iterations = 0;
  train(prepared, options);
  EXPECT_GT(passes, before + 2);
}

TEST_F(StreamedTraining, RowsThatStayInTheirFileAreNotHandedOut) {
  const StoredTable file = stored(mixed_table(300, false));
  const PreparedTable prepared(file, {}, task_of(kCases[0]), 0);
  EXPECT_THROW(prepared.data(), Error);
  EXPECT_THROW(prepared.partition(), Error);
  const Table some = prepared.some_rows(true, 10);
  EXPECT_EQ(some.rows(), 10u);
  EXPECT_EQ(prepared.some_rows(false, 1000).rows(), prepared.training_rows());
}

}  // namespace
}  // namespace knotwork::training
