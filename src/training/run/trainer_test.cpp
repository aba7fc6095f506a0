// SPDX-License-Identifier: MIT
// Tests of trainings whose caller looks at networks and changes them between steps, and of stops
// inside an iteration. (model_file/checkpoint_test.cpp compares steps and states with whole
// trainings, bit by bit.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"
#include "training/run/test_trainings.hpp"
#include "training/run/training_watch.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/trainer.hpp>

namespace knotwork::training {
namespace {

using parallel::StopsAfter;

TrainOptions few_iterations(const std::string& optimizer = "lbfgs") {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 12;
  options.optimizer = optimizer;
  options.threads = 1;
  options.spline.knots = 9;
  options.precision = Precision::float64;
  options.rate = optimizer == "sgd" ? 1e-3 : 0.02;
  if (optimizer != "lbfgs" && optimizer != "cg") options.batch = 20;
  return options;
}

PreparedData some_table(std::size_t rows = 120) {
  TableTask task;
  task.test_fraction = 0.2;
  return {make_builtin("friedman1", rows), task, 1};
}

TEST(Trainer, ShowsTheNetworkOnTheWay) {
  const PreparedData prepared = some_table();
  Trainer trainer(prepared, few_iterations());
  EXPECT_EQ(trainer.reason(), StopReason::none);
  const Network start = trainer.network();
  EXPECT_EQ(trainer.step(0), StopReason::none);
  EXPECT_EQ(trainer.latest().iteration, 0u);
  const double first = trainer.latest().objective.value;
  EXPECT_TRUE(std::ranges::equal(trainer.network().parameters(), start.parameters()));

  EXPECT_EQ(trainer.step(5), StopReason::none);
  EXPECT_EQ(trainer.latest().iteration, 5u);
  EXPECT_LT(trainer.latest().objective.value, first);
  EXPECT_GT(trainer.latest().objective.parts.size(), 1u);
  EXPECT_FALSE(std::ranges::equal(trainer.network().parameters(), start.parameters()));
  const Model now = trainer.model();
  EXPECT_EQ(now.training.history.points.size(), 6u);
  EXPECT_EQ(now.training.iterations, 5u);
  EXPECT_FALSE(now.training.train);
  EXPECT_EQ(now.predict(make_builtin("friedman1", 5)).front().size(), 5u);

  EXPECT_EQ(trainer.step(100), StopReason::iterations);
  EXPECT_EQ(trainer.reason(), StopReason::iterations);
  EXPECT_EQ(trainer.step(), StopReason::iterations) << "it is over";
  const std::string bits = trainer.model().parameters_sha256();
  const Model model = trainer.finish();
  EXPECT_EQ(model.parameters_sha256(), bits);
  EXPECT_TRUE(model.training.test);
  EXPECT_THROW(trainer.step(), Error);
  EXPECT_THROW(trainer.finish(), Error);
}

TEST(Trainer, ThatIsFinishedEarlyWasStopped) {
  const PreparedData prepared = some_table();
  TrainOptions options = few_iterations();
  Trainer trainer(prepared, options);
  trainer.step(4);
  const Model model = trainer.finish();
  EXPECT_EQ(model.training.reason, StopReason::requested);
  EXPECT_EQ(model.training.iterations, 4u);
  EXPECT_TRUE(model.training.test);
  EXPECT_EQ(Trainer(prepared, options).finish().training.iterations, 0u);
}

TEST(Trainer, RunsThroughStagesAndPhases) {
  TrainOptions options = few_iterations();
  options.warm_path = {0.1, 0.01};
  options.refit = true;
  options.ensemble = 2;
  Trainer trainer(some_table(), options);
  EXPECT_EQ(trainer.members(), 2u);
  std::set<std::size_t> stages;
  std::set<Phase> phases;
  do {
    stages.insert(trainer.latest(1).stage);
    phases.insert(trainer.phase());
  } while (trainer.step() == StopReason::none);
  EXPECT_THAT(stages, testing::ElementsAre(0, 1));
  EXPECT_THAT(phases, testing::ElementsAre(Phase::training, Phase::refitting));
  EXPECT_THROW(trainer.network(2), Error);
  EXPECT_TRUE(trainer.finish().training.refitted);
}

TEST(Trainer, GoesOnFromParametersThatWereSet) {
  const PreparedData prepared = some_table();
  for (const char* optimizer : {"cg", "lbfgs", "adam", "sgd"}) {
    Trainer trainer(prepared, few_iterations(optimizer));
    EXPECT_THROW(trainer.set_parameters({}), Error) << "before the first step";
    trainer.step(4);
    Network edited = trainer.network();
    for (double& value : edited.parameters()) value += 0.25;
    trainer.set_parameters(edited.parameters());
    EXPECT_TRUE(std::ranges::equal(trainer.network().parameters(), edited.parameters()))
        << optimizer;
    EXPECT_THROW(trainer.set_parameters(edited.parameters().subspan(1)), Error);
    std::vector<double> unusable(edited.parameters().begin(), edited.parameters().end());
    unusable.front() = std::nan("");
    EXPECT_THROW(trainer.set_parameters(unusable), Error);
    EXPECT_TRUE(std::ranges::equal(trainer.network().parameters(), edited.parameters()));

    // The state includes the change.
    const auto resumed = std::make_shared<Checkpoints>(nullptr, 0, trainer.state());
    trainer.step(1000);
    EXPECT_THROW(trainer.set_parameters(edited.parameters()), Error) << "it is over";
    const Model model = trainer.finish();
    EXPECT_EQ(model.training.iterations, 12u) << optimizer;
    const Model other = train(prepared, few_iterations(optimizer), {.checkpoints = resumed});
    EXPECT_EQ(other.parameters_sha256(), model.parameters_sha256()) << optimizer;
    EXPECT_NE(train(prepared, few_iterations(optimizer)).parameters_sha256(),
              model.parameters_sha256());
  }
}

TEST(Trainer, ForgetsTheBestPointBeforeParametersWereSet) {
  TrainOptions options = few_iterations();
  options.validation_fraction = 0.3;
  options.patience = 1000;
  Trainer trainer(some_table(), options);
  trainer.step(11);
  std::vector<double> spoiled(trainer.network().parameters().size(), 0.5);
  trainer.set_parameters(spoiled);
  const Model model = trainer.finish();
  EXPECT_TRUE(std::ranges::equal(model.members[0].parameters(), spoiled));
}

TEST(Trainer, KeepsItsData) {
  std::vector<double> x(100), y(100);
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = static_cast<double>(k) / 50 - 1;
    y[k] = std::sin(3 * x[k]);
  }
  std::optional<Trainer> trainer;
  {
    TrainingData data;
    data.inputs = column_major(std::span<const double>(x), 100, 1);
    data.targets = column_major(std::span<const double>(y), 100, 1);
    trainer.emplace(PreparedData(data), few_iterations());
  }
  Trainer moved = std::move(*trainer);
  trainer.reset();
  EXPECT_EQ(moved.step(1000), StopReason::iterations);
  EXPECT_LT(moved.finish().training.train->nrmse, 1);
}

// Scores have a tenth of a second after a stop, which on a busy machine may not be enough.
bool has_scores_or_says_why(const Model& model) {
  const std::vector<Remark>& remarks = model.training.remarks;
  return model.training.test || std::find(remarks.begin(), remarks.end(), Remark(kUnscored)) !=
                                    remarks.end();
}

// At whatever question the stop comes, the model is that of the last complete iteration.
TEST(TrainStop, InsideAnIterationTakesItBack) {
  const PreparedData prepared = some_table();
  for (const char* optimizer : {"cg", "lbfgs", "adam", "sgd"}) {
    const TrainOptions options = few_iterations(optimizer);
    std::vector<std::string> after;  // the hash after each number of iterations
    for (std::size_t made = 0; made < 12; ++made) {
      Trainer trainer(prepared, options);
      trainer.step(made);
      after.push_back(trainer.finish().parameters_sha256());
    }
    std::set<std::size_t> seen;
    for (std::size_t questions = 0; questions < 60; ++questions) {
      const Model model =
          train(prepared, options, {.monitor = std::make_shared<StopsAfter>(questions)});
      const std::size_t made = model.training.iterations;
      if (model.training.reason != StopReason::requested) break;
      ASSERT_LT(made, after.size());
      EXPECT_EQ(model.parameters_sha256(), after[made])
          << optimizer << " after " << questions << " questions";
      EXPECT_TRUE(has_scores_or_says_why(model));
      seen.insert(made);
    }
    EXPECT_GT(seen.size(), 3u) << optimizer;
  }
}

TEST(TrainStop, InARangeThatIsFittedOrAScoreKeepsTheIterationBefore) {
  const PreparedData prepared = some_table();
  TrainOptions options = few_iterations();
  options.fit_range = FitRange::layer;
  options.refit_range = 1;
  options.halve_step = 1;
  options.validation_fraction = 0.3;
  options.patience = 1000;
  for (std::size_t questions = 0; questions < 80; ++questions) {
    const Model model =
        train(prepared, options, {.monitor = std::make_shared<StopsAfter>(questions)});
    model.check();
    EXPECT_TRUE(has_scores_or_says_why(model)) << questions;
    EXPECT_TRUE(!model.training.test || std::isfinite(model.training.test->nrmse)) << questions;
    const Settings settings = model.members[0].layers()[0].activation->settings();
    EXPECT_EQ(std::get<double>(settings.at("knots")), 15) << "the knots that it was to have";
  }
}

// The scores of a second table and the check of monotone columns hear a stop, too.
TEST(TrainStop, IsAskedForWhileTheResultIsClosed) {
  const auto questions = [](std::size_t test_rows) {
    TableTask task;
    task.test_data = std::make_shared<const Table>(make_builtin("friedman1", test_rows));
    const auto monitor = std::make_shared<parallel::StoppingMonitor>(0);
    train({make_builtin("friedman1", 200), task, 1}, few_iterations(), {.monitor = monitor});
    return monitor->asked();
  };
  EXPECT_GT(questions(20'000), questions(100) + 20);
}

TEST(TrainStop, LeavesOutTheCheckOfMonotoneColumnsAfterAMoment) {
  TrainOptions options = few_iterations("adam");
  options.monotone_in = {"x4"};
  options.spline.basis = "b-spline";
  // Stops in the first iteration; the scores then take longer than a moment.
  struct Slow final : Monitor {
    bool stop_requested() const override {
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      return true;
    }
  };
  const Model model = train(some_table(), options, {.monitor = std::make_shared<Slow>()});
  EXPECT_THAT(model.training.remarks,
              testing::Contains(testing::HasSubstr("before all columns of monotone-in")));
}

TEST(TrainStop, ByTheTimeLimitIsHeardInsideTheFirstIteration) {
  TrainOptions options = few_iterations();
  options.time_limit = 1e-9;
  const Model model = train(some_table(), options);
  EXPECT_EQ(model.training.reason, StopReason::time);
  EXPECT_EQ(model.training.iterations, 0u);
  EXPECT_GT(model.training.objective.value, 0);
  EXPECT_THAT(model.training.stages, testing::SizeIs(1));
  EXPECT_TRUE(model.training.test);
}

TEST(TrainStop, OfAMonitorThatThrowsEndsTheTraining) {
  class Throws final : public Monitor {
    void see(const Progress& progress) override {
      if (progress.iteration->iteration == 3) throw std::runtime_error("enough");
    }
  };
  TrainOptions options = few_iterations();
  options.ensemble = 2;
  EXPECT_THROW(train(some_table(), options, {.monitor = std::make_shared<Throws>()}),
               std::runtime_error);
}

TEST(TrainStop, OfOneProcessGivesAllTheSameModel) {
  const Table table = make_builtin("friedman1", 3000);
  for (const char* optimizer : {"lbfgs", "adam"}) {
    TrainOptions options = few_iterations(optimizer);
    if (options.batch > 0) options.batch = 500;
    options.validation_fraction = 0.3;
    options.fit_range = FitRange::neuron;
    for (const std::size_t questions : {0, 2, 7, 20, 54}) {
      std::mutex mutex;
      std::vector<Model> models;
      parallel::run_ranks(3, [&](Ranks& ranks) {
        const PreparedData prepared(table, {}, 1, nullptr, &ranks);
        const std::size_t own = ranks.rank() == 2 ? questions : 1000000;
        const Model model =
            train(prepared, options, {.monitor = std::make_shared<StopsAfter>(own)});
        const std::lock_guard lock(mutex);
        models.push_back(model);
      });
      ASSERT_EQ(models.size(), 3u);
      for (const Model& model : models) {
        EXPECT_EQ(model.parameters_sha256(), models[0].parameters_sha256());
        EXPECT_EQ(model.training.reason, models[0].training.reason);
        EXPECT_EQ(model.training.iterations, models[0].training.iterations);
      }
    }
  }
}

}  // namespace
}  // namespace knotwork::training
