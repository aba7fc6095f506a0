// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <future>
#include <map>
#include <memory>
#include <thread>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

TrainOptions small_ensemble() {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 12;
  options.ensemble = 3;
  return options;
}

TableTask with_test_part() {
  TableTask task;
  task.test_fraction = 0.3;
  return task;
}

TEST(Ensemble, PredictsTheMeanOfItsMembers) {
  const Table table = make_builtin("friedman1", 120);
  const Model model = train(table, {}, small_ensemble());
  ASSERT_EQ(model.members.size(), 3u);
  std::vector<double> mean(table.rows());
  for (const Network& member : model.members) {
    const Model alone{{member}, model.precision, model.inputs, model.targets, {}};
    const auto predictions = alone.predict(table)[0];
    for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += predictions[r] / 3;
  }
  const auto together = model.predict(table)[0];
  for (std::size_t r = 0; r < mean.size(); ++r) ASSERT_NEAR(together[r], mean[r], 1e-9);
}

TEST(Ensemble, SpreadIsTheDeviationOverItsMembersAndGrowsFarFromTheRows) {
  const Table table = make_builtin("sinc", 200);
  TrainOptions options = small_ensemble();
  options.hidden = {8};
  options.iterations = 60;
  const Model model = train(table, {}, options);
  const auto spread = model.spread(table), mean = model.predict(table);
  ASSERT_EQ(spread.size(), 1u);
  std::vector<double> squares(table.rows());
  for (const Network& member : model.members) {
    const auto own =
        Model{{member}, model.precision, model.inputs, model.targets, {}}.predict(table);
    for (std::size_t r = 0; r < squares.size(); ++r) {
      squares[r] += (own[0][r] - mean[0][r]) * (own[0][r] - mean[0][r]) / 2;
    }
  }
  double inside = 0;
  for (std::size_t r = 0; r < squares.size(); ++r) {
    ASSERT_NEAR(spread[0][r], std::sqrt(squares[r]), 1e-12);
    inside = std::max(inside, spread[0][r]);
  }
  Table far = table;
  for (double& cell : far.columns[0]) cell += 100;
  EXPECT_GT(model.spread(far)[0][0], 3 * inside);
  options.ensemble = 1;
  EXPECT_THROW(train(table, {}, options).spread(table), Error);
}

TEST(Ensemble, ItsFirstMemberIsTheNetworkTrainedAlone) {
  const Table table = make_builtin("friedman1", 120);
  TrainOptions options = small_ensemble();
  const Model several = train(table, {}, options);
  options.ensemble = 1;
  const Model alone = train(table, {}, options);
  EXPECT_THAT(several.members[0].parameters(),
              testing::ElementsAreArray(alone.members[0].parameters()));
  EXPECT_THAT(several.members[1].parameters(),
              testing::Not(testing::ElementsAreArray(alone.members[0].parameters())));
}

TEST(Ensemble, BitsDoNotDependOnThreads) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = small_ensemble();
  options.validation_fraction = 0.2;
  std::string expected;
  for (std::size_t threads : {1u, 2u, 7u}) {
    options.threads = threads;
    const std::string sha = train(table, with_test_part(), options).parameters_sha256();
    if (expected.empty()) expected = sha;
    EXPECT_EQ(sha, expected);
  }
}

TEST(Ensemble, TheSummaryAddsUp) {
  const Table table = make_builtin("friedman1", 120);
  TrainOptions options = small_ensemble();
  options.threads = 2;
  std::size_t last = 0;
  const Model model = train(table, {}, options, watched([&](const TrainIteration& now) {
                              EXPECT_EQ(now.total_iterations, 36u);
                              EXPECT_LT(now.member, 3u);
                              EXPECT_GE(now.iteration, last);
                              last = now.iteration;
                              return true;
                            }));
  EXPECT_EQ(last, model.training.iterations);
  ASSERT_EQ(model.training.stages.size(), 3u);
  double objective = 0;
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(model.training.stages[m].member, m);
    objective += model.training.stages[m].objective / 3;
  }
  EXPECT_NEAR(model.training.objective.value, objective, 1e-9);
}

TEST(Ensemble, MembersThatHadNotBegunAreLeftOut) {
  const Table table = make_builtin("friedman1", 120);
  TrainOptions options = small_ensemble();
  options.threads = 1;
  const Model model = train(table, {}, options,
                            watched([](const TrainIteration& now) { return now.iteration < 15; }));
  EXPECT_EQ(model.training.reason, StopReason::requested);
  EXPECT_EQ(model.members.size(), 2u) << "12 iterations of the first, 3 of the second";
  EXPECT_THAT(model.training.options,
              testing::Contains(std::pair<std::string, std::string>("ensemble", "2")));
  EXPECT_TRUE(std::isfinite(model.training.train->nrmse));
}

// One of two members waits until the other has made an iteration and training is ended. Usually the
// first member waits; it must be left out nevertheless.
TEST(Ensemble, OfTwoThreadsTheMemberThatHadNotBegunIsLeftOut) {
  const Table table = make_builtin("friedman1", 120);
  for (int repetition = 0; repetition < 5; ++repetition) {
    std::promise<void> ended;
    const std::shared_future<void> end = ended.get_future().share();
    // This thread checks options, which also makes losses; so only the member in the other thread
    // waits.
    const std::thread::id own = std::this_thread::get_id();
    LossTable losses("loss", {{"waiting", "", [&](const LossOptions&) {
                                 if (std::this_thread::get_id() != own) end.wait();
                                 return builtin_losses().at("squared").make({});
                               }}});
    TrainOptions options = small_ensemble();
    options.ensemble = 2;
    options.threads = 2;
    options.loss = "waiting";
    options.losses = std::make_shared<LossTable>(losses);
    std::map<std::size_t, std::size_t> reports;  // of each member: its start, then its iterations
    const Model model = train(table, {}, options, watched([&](const TrainIteration& now) {
                                if (++reports[now.member] == 1) return true;
                                ended.set_value();
                                return false;
                              }));
    EXPECT_THAT(reports, testing::SizeIs(1));
    EXPECT_THAT(model.members, testing::SizeIs(1));
    EXPECT_EQ(model.training.iterations, 1u);
    EXPECT_THAT(model.training.remarks,
                testing::ElementsAre(testing::HasSubstr("when 1 of 2 networks had begun")));
  }
}

// The first member makes its last iteration and ends by itself; the others never begin. If this
// counted as a complete training, its score would be that of another ensemble.
TEST(Ensemble, ThatLacksMembersWasEndedFromOutside) {
  TrainOptions options = small_ensemble();
  options.threads = 1;
  const Model model =
      train(make_builtin("friedman1", 120), {}, options,
            watched([&](const TrainIteration& now) { return now.iteration < options.iterations; }));
  EXPECT_THAT(model.members, testing::SizeIs(1));
  EXPECT_EQ(model.training.iterations, options.iterations);
  EXPECT_EQ(model.training.reason, StopReason::requested);
}

TEST(Ensemble, IfNoMemberHadBegunTheFirstStays) {
  TrainOptions options = small_ensemble();
  const Model model = train(make_builtin("friedman1", 120), {}, options,
                            watched([](const TrainIteration&) { return false; }));
  EXPECT_THAT(model.members, testing::SizeIs(1));
  EXPECT_THAT(model.training.remarks,
              testing::ElementsAre(testing::HasSubstr("the model is not trained")));
}

TEST(Refit, TrainsOnAllRowsAndKeepsTheScores) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = small_ensemble();
  options.ensemble = 1;
  const Model before = train(table, with_test_part(), options);
  options.refit = true;
  std::vector<Phase> phases;
  const Model after =
      train(table, with_test_part(), options, watched([&](const TrainIteration& now) {
              if (phases.empty() || phases.back() != now.phase) phases.push_back(now.phase);
              return true;
            }));
  EXPECT_THAT(phases, testing::ElementsAre(Phase::training, Phase::refitting));
  EXPECT_TRUE(after.training.refitted);
  EXPECT_EQ(after.training.test->nrmse, before.training.test->nrmse);
  options.refit = false;
  EXPECT_EQ(after.parameters_sha256(), train(table, {}, options).parameters_sha256());
}

TEST(Refit, KeepsTheModelWhenTheTimeIsUp) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = small_ensemble();
  options.hidden = {40};  // takes seconds to converge
  options.iterations = 1'000'000;
  options.time_limit = 0.05;
  options.refit = true;
  const Model model = train(table, with_test_part(), options);
  EXPECT_FALSE(model.training.refitted);
  EXPECT_THAT(model.training.remarks,
              testing::Contains(testing::HasSubstr("all rows was ended by the time limit")));
  EXPECT_EQ(model.evaluate(table).rows, 200u);
  EXPECT_GT(model.training.iterations, 0u);
}

TEST(Refit, MakesAsManyIterationsAsEarlyStoppingFoundBest) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = small_ensemble();
  options.ensemble = 1;
  options.hidden = {20};
  options.lambda_w = 0;
  options.lambda_curvature = 0;
  options.iterations = 300;
  options.validation_fraction = 0.3;
  options.patience = 10;
  options.refit = true;
  const Model model = train(table, with_test_part(), options);
  const Model stopped = [&] {
    TrainOptions once = options;
    once.refit = false;
    return train(table, with_test_part(), once);
  }();
  EXPECT_EQ(model.training.iterations, *stopped.training.stages[0].best_iteration);
  EXPECT_LT(model.training.iterations, 300u);
}

TEST(Refit, MakesTheBestIterationsOfEachStage) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = small_ensemble();
  options.ensemble = 2;
  options.hidden = {20};
  options.lambda_curvature = 0;
  options.warm_path = {1e-6, 1e-3, 1e-2};
  options.iterations = 300;
  options.validation_fraction = 0.3;
  options.patience = 5;
  const Model stopped = train(table, with_test_part(), options);
  options.refit = true;
  const Model model = train(table, with_test_part(), options);
  ASSERT_TRUE(model.training.refitted);
  ASSERT_EQ(model.training.stages.size(), 6u);
  std::vector<std::size_t> best(3);
  for (std::size_t k = 0; k < 6; ++k) {
    best[k % 3] = std::max(best[k % 3], *stopped.training.stages[k].best_iteration);
  }
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(model.training.stages[k].iterations, best[k % 3]) << k;
  }
  EXPECT_NE(best[0], best[1]) << "or equal shares would do as well";
}

TEST(Refit, KeepsTheModelWhenItIsEnded) {
  const Table table = make_builtin("friedman1", 150);
  TrainOptions options = small_ensemble();
  options.refit = true;
  const Model model =
      train(table, with_test_part(), options,
            watched([](const TrainIteration& now) { return now.phase != Phase::refitting; }));
  EXPECT_FALSE(model.training.refitted);
  EXPECT_EQ(model.members.size(), 3u);
  EXPECT_THAT(
      model.training.remarks,
      testing::ElementsAre(testing::HasSubstr("all rows was ended before it was complete")));
}

TEST(StartFrom, TellsWhenTestRowsMayNotBeNew) {
  const Table table = make_builtin("friedman1", 200);
  const auto remarks = [&](const Model& start, std::uint64_t seed) {
    TrainOptions options = small_ensemble();
    options.seed = seed;
    const Model model = train(table, with_test_part(), options, {.start = lent(start)});
    EXPECT_EQ(model.training.rows_sha256.empty(), !model.training.remarks.empty());
    return model.training.remarks;
  };
  TrainOptions options = small_ensemble();
  const Model start = train(table, with_test_part(), options);
  const auto warning = testing::ElementsAre(testing::HasSubstr("may have been trained on rows"));
  EXPECT_THAT(remarks(start, 0), testing::IsEmpty());
  EXPECT_THAT(remarks(start, 1), warning) << "another seed has other test rows";
  options.refit = true;
  EXPECT_THAT(remarks(train(table, with_test_part(), options), 0), warning);
}

TEST(StartFrom, InputsOfTheModelStayInputs) {
  const Table table = make_builtin("friedman1", 100);
  const Model start = train(table, with_test_part(), small_ensemble());
  for (std::string TableTask::*use : {&TableTask::group_column, &TableTask::weight_column}) {
    TableTask task = with_test_part();
    task.*use = table.names.front();
    try {
      train(table, task, small_ensemble(), {.start = lent(start)});
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("is an input of the model to start from"));
    }
  }
}

TEST(StartFrom, GoesOnWhereTheModelStands) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = small_ensemble();
  options.ensemble = 2;
  const Model start = train(table, with_test_part(), options);
  TrainOptions none = options;
  none.iterations = 0;
  EXPECT_EQ(train(table, with_test_part(), none, {.start = lent(start)}).parameters_sha256(),
            start.parameters_sha256());
  const Model on = train(table, with_test_part(), options, {.start = lent(start)});
  EXPECT_LT(on.training.objective.value, start.training.objective.value);
  EXPECT_EQ(on.members.size(), 2u);
  const Table other = make_builtin("sinc", 200);
  EXPECT_THROW(train(other, {}, options, {.start = lent(start)}), Error);
}

}  // namespace
}  // namespace knotwork::training
