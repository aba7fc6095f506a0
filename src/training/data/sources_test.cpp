// SPDX-License-Identifier: MIT
// Tests that training on a table in a file, by one process or several, gives the bits of training
// on the same table in memory.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "objective/lane_order.hpp"
#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"
#include "training/data/test_sources.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

TEST_F(StreamedTraining, HasTheBitsOfATableInMemory) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    const Table table = mixed_table(5000, one.classes);
    const TrainOptions options = options_of(one);
    const Model wanted = train(PreparedData(table, task_of(one), options.seed), options);
    const StoredTable file = stored(table);
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 30}) {
      const PreparedData prepared(file, {}, task_of(one), options.seed, nullptr, storage(memory));
      expect_same(train(prepared, options), wanted);
    }
    for (const std::size_t count : {2, 3, 4}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        TrainOptions own = options;
        own.threads = 1 + ranks.rank() % 2;
        expect_same(train(PreparedData(file, {}, task_of(one), options.seed, nullptr,
                                       storage(1 << 20, &ranks)),
                          own),
                    wanted);
        expect_same(train(PreparedData(table, task_of(one), options.seed, nullptr, &ranks), own),
                    wanted);
      });
    }
  }
}

// Sets of more than a million rows are shuffled in chunks, sampled for their quantiles, and divided
// into shares if processes train together.
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
    const Model wanted = train(PreparedData(table, task, options.seed), options);
    expect_same(train(PreparedData(file, {}, task, options.seed, nullptr, storage(0)), options),
                wanted);
    parallel::run_ranks(3, [&](Ranks& ranks) {
      const PreparedData prepared(file, {}, task, options.seed, nullptr, storage(0, &ranks));
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
  const Model wanted = train_automatically(PreparedData(table, task, 0), options, given);
  ASSERT_FALSE(wanted.training.tried.empty());
  const StoredTable file = stored(table);
  const auto check = [&](const Model& found) {
    expect_same(found, wanted);
    ASSERT_EQ(found.training.tried.size(), wanted.training.tried.size());
    for (std::size_t k = 0; k < wanted.training.tried.size(); ++k) {
      EXPECT_EQ(found.training.tried[k].score, wanted.training.tried[k].score);
    }
  };
  check(train_automatically(PreparedData(file, {}, task, 0), options, given));
  parallel::run_ranks(3, [&](Ranks& ranks) {
    check(train_automatically(PreparedData(file, {}, task, 0, nullptr, storage(0, &ranks)), options,
                              given));
  });
}

// The rows of the comparison are divided once more, by their row numbers in the table.
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
    const Model wanted = train_automatically(PreparedData(table, task_of(one), 0), options, given);
    const Model found = train_automatically(
        PreparedData(stored(table), {}, task_of(one), 0, nullptr, storage(0)), options, given);
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
        train(PreparedData(file, {}, task_of(one), options.seed, nullptr, storage(0)), options);
    // Four processes begin; the latest state of the first one is kept.
    TrainingState kept;
    parallel::run_ranks(4, [&](Ranks& ranks) {
      const PreparedData prepared(file, {}, task_of(one), options.seed, nullptr,
                                  storage(0, &ranks));
      Checkpoints checkpoints(
          [&](const TrainingState& state) {
            if (ranks.is_first()) kept = state;
          },
          1);
      std::size_t seen = 0;
      TrainContext context = watched([&](const TrainIteration&) { return ++seen < 4; });
      context.checkpoints = lent(checkpoints);
      train(prepared, options, context);
    });
    for (const std::size_t count : {1, 3}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        const PreparedData prepared(file, {}, task_of(one), options.seed, nullptr,
                                    storage(0, &ranks));
        Checkpoints checkpoints([](const TrainingState&) {}, 0, kept);
        EXPECT_EQ(train(prepared, options, {.checkpoints = lent(checkpoints)}).parameters_sha256(),
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
  const Model start = train(PreparedData(table, task, options.seed), options);
  const Model wanted =
      train(PreparedData(table, task, options.seed, &start), options, {.start = lent(start)});
  EXPECT_NE(wanted.parameters_sha256(), start.parameters_sha256());
  for (const std::size_t count : {1, 2}) {
    parallel::run_ranks(count, [&](Ranks& ranks) {
      const PreparedData prepared(file, {}, task, options.seed, &start, storage(0, &ranks));
      expect_same(train(prepared, options, {.start = lent(start)}), wanted);
    });
  }
}

// A .npy file stores no hash, so its cells are read.
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
  const Model wanted = train(PreparedData(file, {}, {}, 0, nullptr, storage(0)), options,
                             {.checkpoints = lent(keeping)});
  Checkpoints resumed([](const TrainingState&) {}, 0, kept);
  EXPECT_EQ(train(PreparedData(file, {}, {}, 0, nullptr, storage(0)), options,
                  {.checkpoints = lent(resumed)})
                .parameters_sha256(),
            wanted.parameters_sha256());
  Checkpoints other([](const TrainingState&) {}, 0, kept);
  EXPECT_THROW(train(PreparedData(changed, {}, {}, 0, nullptr, storage(0)), options,
                     {.checkpoints = lent(other)}),
               Error);
}

TEST_F(StreamedTraining, OneProcessThatMustEndEndsAll) {
  const StoredTable file = stored(mixed_table(3000, false));
  const TrainOptions options = options_of(kCases[0]);
  parallel::run_ranks(3, [&](Ranks& ranks) {
    const PreparedData prepared(file, {}, task_of(kCases[0]), 0, nullptr, storage(0, &ranks));
    const Model model = train(prepared, options, watched([&](const TrainIteration& now) {
                                return ranks.rank() != 1 || now.iteration < 2;
                              }));
    EXPECT_EQ(model.training.reason, StopReason::requested);
    EXPECT_EQ(model.training.iterations, 2u);
  });
}

struct Noted : Monitor {
  void see(const Progress& now) override {
    if (now.iteration) return;
    EXPECT_GT(now.share, 0);
    EXPECT_LE(now.share, 1);
    passes += now.share == 1 ? 1 : 0;
    phases.insert(now.phase);
  }
  bool stop_requested() const override { return ++asked > most; }
  std::size_t passes = 0;
  std::set<Phase> phases;
  std::size_t most = 1'000'000;
  mutable std::atomic<std::size_t> asked = 0;
};

TEST_F(StreamedTraining, PassesOverTheFileAreWatched) {
  const StoredTable file = stored(mixed_table(200'000, false));
  TableStorage storage;
  const auto noted = std::make_shared<Noted>();
  storage.monitor = noted;
  const PreparedData prepared(file, {}, task_of(kCases[0]), 0, nullptr, storage);
  EXPECT_GT(noted->passes, 2u);
  EXPECT_GT(noted->asked.load(), 2 * noted->passes);  // a pass takes more than one window
  EXPECT_EQ(noted->phases, std::set{Phase::planning});
  const std::size_t before = noted->passes;
  TrainOptions options = options_of(kCases[0]);
  options.iterations = 0;
  train(prepared, options, {.monitor = noted});
  EXPECT_GT(noted->passes, before + 2);
  EXPECT_EQ(noted->phases, (std::set{Phase::planning, Phase::scoring}));
}

// A stop while all rows are prepared for a second training leaves the model of the first training.
TEST_F(StreamedTraining, AStopAfterTheFirstTrainingLeavesItsModel) {
  struct AfterScoring : Monitor {
    void see(const Progress& now) override {
      if (now.phase == Phase::scoring) request_stop();
    }
  };
  const StoredTable file = stored(mixed_table(3000, false));
  const Model model = train(PreparedData(file, {}, task_of(kCases[6]), 0, nullptr, storage(0)),
                            options_of(kCases[6]), {.monitor = std::make_shared<AfterScoring>()});
  EXPECT_FALSE(model.training.refitted);
  EXPECT_NE(model.training.remarks.back().find("ended before it was complete"), std::string::npos);
}

// At every question, and in each of the processes.
TEST_F(StreamedTraining, AStopEndsPlanningInAllProcesses) {
  const Table table = mixed_table(20'000, true);
  Case one = kCases[8];
  one.group = "";
  for (const auto& source : {rows_of(stored(table)), rows_of(table)}) {
    const auto asked = std::make_shared<Noted>();
    TableStorage whole = storage(0);
    whole.monitor = asked;
    PreparedData(source, task_of(one), 0, nullptr, whole);
    ASSERT_GT(asked->asked.load(), 10u);
    for (const std::size_t told : {0, 1}) {
      for (std::size_t most = 0; most < asked->asked / 2; most += 3) {
        std::vector<int> is_stopped(2, false);
        parallel::run_ranks(2, [&](Ranks& ranks) {
          TableStorage own = storage(0, &ranks);
          const auto monitor = std::make_shared<Noted>();
          monitor->most = most;
          if (ranks.rank() == told) own.monitor = monitor;
          try {
            PreparedData(source, task_of(one), 0, nullptr, own);
          } catch (const Error& error) {
            is_stopped[ranks.rank()] = error.kind() == ErrorKind::stopped;
          }
        });
        EXPECT_EQ(is_stopped, (std::vector<int>{true, true})) << most;
      }
    }
  }
}

// The check of a column against its hash in the file asks while it reads.
TEST_F(StreamedTraining, AStopEndsTheCheckOfAFile) {
  const StoredTable file = stored(make_builtin("sinc", 400'000));
  parallel::expect_stops(8, [&](const std::shared_ptr<Monitor>& monitor) {
    TableStorage storage;
    storage.monitor = monitor;
    PreparedData(file, {}, {}, 0, nullptr, storage);
  });
}

TEST_F(StreamedTraining, RowsThatStayInTheirFileAreNotHandedOut) {
  const StoredTable file = stored(mixed_table(300, false));
  const PreparedData prepared(file, {}, task_of(kCases[0]), 0);
  EXPECT_THROW(prepared.data(), Error);
  EXPECT_THROW(prepared.partition(), Error);
  const Table some = prepared.some_rows(true, 10);
  EXPECT_EQ(some.rows(), 10u);
  EXPECT_EQ(prepared.some_rows(false, 1000).rows(), prepared.training_rows());
}

}  // namespace
}  // namespace knotwork::training
