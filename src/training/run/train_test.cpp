// SPDX-License-Identifier: MIT
#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <knotwork/builtin_data.hpp>

namespace knotwork::training {
namespace {

TableTask with_test_part() {
  TableTask task;
  task.test_fraction = 0.3;
  return task;
}

TEST(Train, LearnsASmoothCurve) {
  const Model model = train(make_builtin("sinc"), with_test_part(), {});
  // The noise of 0.05 alone is an NRMSE of about 0.15.
  EXPECT_LT(model.training.test->nrmse, 0.2);
  EXPECT_EQ(model.training.train->rows, 350u);
  EXPECT_EQ(model.training.test->rows, 150u);
}

// Damping is the paper's switch between the two networks: with a huge lambda_q control points stay
// on tanh whatever the weights do.
TEST(Train, AHugeDampingTurnsTheSplineNetworkIntoTheTanhNetwork) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options;
  options.hidden = {4};
  options.output_activation = "same";
  options.spline.knots = 161;  // from -8 to 8 in steps of 0.1: nothing reaches the tails
  options.spline.range = 8;
  options.lambda_curvature = 0;
  options.lambda_q = 1e6;
  options.scale_target = ScalingKind::range;
  const Model splines = train(table, {}, options);
  const Network& trained = splines.members.front();
  const auto& tensors = trained.tensors();
  for (const TensorInfo& tensor : tensors) {
    if (tensor.anchor < 0) continue;
    const auto q = trained.values(tensor);
    const auto start = trained.values(tensors[static_cast<std::size_t>(tensor.anchor)]);
    for (std::size_t k = 0; k < q.size(); ++k) ASSERT_NEAR(q[k], start[k], 1e-6);
  }

  // The same weights with tanh in place of the splines.
  const auto tanh = builtin_activations().at("tanh").make({});
  Network network = make_network({10, 4, 1}, tanh, tanh);
  for (const TensorInfo& tensor : network.tensors()) {
    const auto weights = trained.values(trained.tensor(tensor.name));
    std::copy(weights.begin(), weights.end(), network.values(tensor).begin());
  }
  const Model tanhs{{network}, splines.precision, splines.inputs, splines.targets, {}};
  const auto a = splines.predict(table)[0], b = tanhs.predict(table)[0];
  // The targets span about 25; between its knots the spline follows tanh to about 1e-4.
  for (std::size_t r = 0; r < a.size(); ++r) ASSERT_NEAR(a[r], b[r], 0.01);

  // Trained to the end, the spline network is as good as the tanh network. (1e6 makes the problem
  // too stiff for that.)
  options.lambda_q = 10;
  options.spline.init_noise = 0;
  options.iterations = 3000;
  const double damped = train(table, {}, options).training.train->nrmse;
  options.activation = "tanh";
  const double trained_tanh = train(table, {}, options).training.train->nrmse;
  EXPECT_NEAR(damped, trained_tanh, 0.01);
  options.activation = "spline";
  options.lambda_q = 1e-5;
  EXPECT_LT(train(table, {}, options).training.train->nrmse, trained_tanh - 0.04)
      << "without that damping the two must differ";
}

TEST(Train, EveryActivationGetsBetterInAFewIterations) {
  const Table table = make_builtin("friedman1", 300);
  for (const std::string& activation : builtin_activations().names()) {
    for (const char* optimizer : {"lbfgs", "cg", "adam"}) {
      TrainOptions options;
      options.hidden = {6};
      options.activation = activation;
      options.output_activation = activation == "relu" ? "identity" : "same";
      options.optimizer = optimizer;
      options.rate = 0.01;
      options.iterations = 40;
      std::vector<double> course;
      const Model model =
          train(table, with_test_part(), options, watched([&](const TrainIteration& seen) {
                  course.push_back(seen.objective.value);
                  return true;
                }));
      ASSERT_GT(course.size(), 5u) << activation << " " << optimizer;
      EXPECT_LT(course.back(), 0.95 * course.front()) << activation << " " << optimizer;
      for (double value : course) EXPECT_TRUE(std::isfinite(value)) << activation;
    }
  }
}

TEST(Train, BitsDoNotDependOnThreadsForAnyOptimizer) {
  const Table table = make_builtin("friedman1", 6000);  // several leaves of rows to train on
  for (const std::string& optimizer : builtin_optimizers().names()) {
    for (Precision precision : {Precision::float32, Precision::float64}) {
      for (std::size_t batch : {0u, 100u}) {
        if (batch > 0 && !optimizer.starts_with("adam")) continue;
        TrainOptions options;
        options.hidden = {6, 5};
        options.optimizer = optimizer;
        options.precision = precision;
        options.batch = batch;
        options.iterations = 4;
        options.validation_fraction = 0.2;
        std::string expected;
        for (std::size_t threads : {1u, 2u, 7u}) {
          options.threads = threads;
          const std::string sha = train(table, with_test_part(), options).parameters_sha256();
          if (expected.empty()) expected = sha;
          EXPECT_EQ(sha, expected)
              << optimizer << ' ' << to_string(precision) << ' ' << batch << " on " << threads;
        }
        options.seed = 1;
        EXPECT_NE(train(table, with_test_part(), options).parameters_sha256(), expected);
      }
    }
  }
}

TEST(Train, MiniBatchesAreInFloatUnlessAskedForOtherwise) {
  const Table table = make_builtin("sinc", 100);
  TrainOptions options;
  options.iterations = 2;
  EXPECT_EQ(train(table, {}, options).precision, Precision::float64);
  options.optimizer = "adam";
  EXPECT_EQ(train(table, {}, options).precision, Precision::float64);
  options.batch = 20;
  EXPECT_EQ(train(table, {}, options).precision, Precision::float32);
  options.precision = Precision::float64;
  EXPECT_EQ(train(table, {}, options).precision, Precision::float64);
}

TEST(Train, AWarmPathGoesThroughItsValuesAndSharesTheIterations) {
  const Table table = make_builtin("sinc", 200);
  TrainOptions options = paper_options();
  options.iterations = 10;
  options.warm_path = {0.01, 0.1, 1};
  options.warm_path_q = {1e-3, 1e-4, 1e-5};
  std::vector<std::size_t> stages;
  const Model model = train(table, {}, options, watched([&](const TrainIteration& now) {
                              EXPECT_EQ(now.iteration, stages.size());
                              EXPECT_EQ(now.total_iterations, 10u);
                              stages.push_back(now.stage);
                              return true;
                            }));
  EXPECT_THAT(stages, testing::ElementsAre(0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2));
  const auto& path = model.training.stages;
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(path[1].lambda_w, 0.1);
  EXPECT_EQ(path[2].lambda_q, 1e-5);
  EXPECT_EQ(path[0].iterations + path[1].iterations + path[2].iterations, 10u);
  EXPECT_EQ(model.training.iterations, 10u);
  // The second stage's objective has a tenfold lambda_w but starts where the first one ended.
  EXPECT_GT(path[1].objective, path[0].objective);
}

TEST(Train, LimitsHoldOverTheWholeWarmPath) {
  const Table table = make_builtin("sinc", 200);
  TrainOptions options = paper_options();
  options.iterations = 300;
  options.warm_path = {0.01, 0.1, 1};
  options.max_evaluations = 30;
  Model model = train(table, {}, options);
  EXPECT_EQ(model.training.reason, StopReason::evaluations);
  EXPECT_GE(model.training.evaluations, 30u);
  EXPECT_LE(model.training.evaluations, 50u);  // at most one more line search
  EXPECT_EQ(model.training.stages.size(), 1u);
  options.max_evaluations = 0;
  options.time_limit = 1e-6;
  model = train(table, {}, options);
  EXPECT_EQ(model.training.reason, StopReason::time);
  EXPECT_EQ(model.training.stages.size(), 1u);
}

TEST(Train, MonitorsSeeTheObjectiveAndItsParts) {
  TrainOptions options;
  options.iterations = 5;
  options.lambda_q = 1e-3;
  options.lambda_slope = 1e-5;
  options.validation_fraction = 0.25;
  std::size_t calls = 0;
  double last = INFINITY;
  train(make_builtin("sinc", 200), {}, options, watched([&](const TrainIteration& now) {
          ++calls;
          EXPECT_LE(now.objective.value, last);
          last = now.objective.value;
          double sum = 0;
          std::vector<std::string> names;
          for (const auto& [name, part] : now.objective.parts) {
            names.push_back(name);
            EXPECT_GE(part, 0) << name;
            sum += part;
          }
          EXPECT_THAT(names,
                      testing::ElementsAre("loss", "weights", "damping", "slope", "curvature"));
          EXPECT_NEAR(sum, now.objective.value, 1e-12);
          EXPECT_TRUE(now.validation.has_value());
          EXPECT_GT(now.gradient_norm, 0);
          return true;
        }));
  EXPECT_EQ(calls, 6u);
}

TEST(Train, AMonitorCanStopTraining) {
  const Model model = train(make_builtin("sinc", 200), {}, {},
                            watched([](const TrainIteration& now) { return now.iteration < 3; }));
  EXPECT_EQ(model.training.reason, StopReason::requested);
  EXPECT_EQ(model.training.iterations, 3u);
}

TEST(Train, EarlyStoppingRestoresTheBestValidatedWeights) {
  // Few rows, many splines, no penalty: overfitting is certain.
  const Table table = make_builtin("friedman1", 60);
  TrainOptions options;
  options.hidden = {30};
  options.lambda_w = options.lambda_curvature = 0;
  options.validation_fraction = 0.3;
  options.patience = 15;
  double best = INFINITY, last = 0;
  std::size_t best_iteration = 0;
  const Model model = train(table, {}, options, watched([&](const TrainIteration& now) {
                              last = *now.validation;
                              if (last < best) best = last, best_iteration = now.iteration;
                              return true;
                            }));
  EXPECT_EQ(model.training.reason, StopReason::early_stopping);
  EXPECT_EQ(model.training.stages.at(0).best_iteration, best_iteration);
  EXPECT_EQ(model.training.iterations, best_iteration + 15);
  // The monitor's score is in scaled units.
  EXPECT_NEAR(model.training.validation->rmse * model.targets[0].scaling.scale, best, 1e-9);
  EXPECT_GT(last, best);
}

TEST(Train, NumbersThatLeaveTheFiniteNeverBecomeTheResult) {
  const Table table = make_builtin("sinc", 200);
  for (std::size_t batch : {0u, 32u}) {
    TrainOptions options;
    options.optimizer = "adam";
    options.batch = batch;
    options.rate = 1e200;
    options.iterations = 20;
    const Model model = train(table, {}, options);
    EXPECT_EQ(model.training.reason, StopReason::non_finite);
    EXPECT_TRUE(std::isfinite(model.training.objective.value));
    for (double p : model.members.front().parameters()) ASSERT_TRUE(std::isfinite(p));
    EXPECT_TRUE(std::isfinite(model.training.train->nrmse));
  }
}

TEST(Train, SampleWeightsCountAndCanLeaveRowsOut) {
  Table table = make_builtin("sinc", 300);
  table.names.insert(table.names.begin(), "w");
  table.columns.insert(table.columns.begin(), std::vector<double>(300, 1.0));
  // Spoil a third of the rows; with weight 0 they must not matter.
  for (std::size_t r = 0; r < 300; r += 3) {
    table.columns[0][r] = 0;
    table.columns.back()[r] += 100;
  }
  TableTask task;
  task.weight_column = "w";
  TrainOptions options;
  options.scale_target = ScalingKind::none;
  const Model weighted = train(table, task, options);
  EXPECT_EQ(weighted.inputs.size(), 1u);
  EXPECT_LT(weighted.training.train->nrmse, 0.25);
  table.columns[0].assign(300, 1.0);
  EXPECT_GT(train(table, task, options).training.train->rmse, 10);
}

TEST(Train, WeightsCountAcrossMiniBatches) {
  // Two kinds of rows with the same input: the best constant is the weighted mean, 0.9.
  Table table{"made", {"x", "w", "y"}, std::vector<std::vector<double>>(3)};
  for (int r = 0; r < 400; ++r) {
    table.columns[0].push_back(r % 7);
    table.columns[1].push_back(r % 2 ? 9 : 1);
    table.columns[2].push_back(r % 2);
  }
  TableTask task;
  task.kind = TaskKind::regression;
  task.weight_column = "w";
  TrainOptions options;
  options.hidden = {};
  options.activation = options.output_activation = "identity";
  options.lambda_w = 0;
  options.scale_target = ScalingKind::none;
  options.optimizer = "adam";
  options.schedule = RateSchedule::cosine;
  options.rate = 0.02;
  options.iterations = 60;
  for (std::size_t batch : {0u, 64u, 8u, 1u}) {
    options.batch = batch;
    if (batch == 0) options.iterations = 2000;
    const auto predicted = train(table, task, options).predict(table)[0];
    EXPECT_NEAR(predicted[0], 0.9, 0.03) << "batches of " << batch;
    options.iterations = 60;
  }
}

TEST(Train, RowsOfWeightZeroDoNotEnterTheScaling) {
  Table table = make_builtin("sinc", 100);
  table.names.push_back("w");
  table.columns.emplace_back(100, 1.0);
  table.columns[0][7] = 1e6;
  table.columns[2][7] = 0;
  TableTask task;
  task.targets = {"y"};
  task.weight_column = "w";
  TrainOptions options;
  options.iterations = 1;
  EXPECT_LT(std::fabs(train(table, task, options).inputs[0].scaling.offset), 10);
}

TEST(Train, AValidationPartWithoutSpreadStillFindsItsBest) {
  Table table = make_builtin("sinc", 12);
  TrainOptions options;
  options.validation_fraction = 0.1;  // one row
  options.patience = 10;
  const Model model = train(table, {}, options);
  EXPECT_EQ(model.training.validation->rows, 1u);
  EXPECT_GT(*model.training.stages.at(0).best_iteration, 0u);
}

TEST(Train, TheSummaryKnowsEveryOption) {
  TrainOptions options;
  options.iterations = 1;
  options.lambda_curvature = 0.125;
  const Model model = train(make_builtin("sinc", 50), {}, options);
  EXPECT_EQ(model.training.options.size(), train_option_fields().size());
  EXPECT_THAT(model.training.options,
              testing::Contains(testing::Pair("lambda-curvature", "0.125")));
}

TEST(Train, SeveralTargetsAreLearnedTogether) {
  Table table = make_builtin("friedman1", 400);
  std::vector<double> second = table.columns.back();
  for (double& y : second) y = 1000 - 3 * y;
  table.names.push_back("second");
  table.columns.push_back(second);
  TableTask task;
  task.targets = {"y", "second"};
  task.test_fraction = 0.3;
  TrainOptions options;
  options.lambda_w = 1e-2;
  const Model model = train(table, task, options);
  EXPECT_EQ(model.targets.size(), 2u);
  EXPECT_EQ(model.inputs.size(), 10u);
  EXPECT_LT(model.training.test->nrmse, 0.5);
}

TEST(Train, ConstantInputColumnsAreHarmless) {
  for (ScalingKind kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::quantile,
                           ScalingKind::uniform, ScalingKind::none}) {
    Table table = make_builtin("sinc", 200);
    table.names.insert(table.names.begin(), "same");
    table.columns.insert(table.columns.begin(), std::vector<double>(200, 0.1));
    TrainOptions options;
    options.scale_inputs = kind;
    const Model model = train(table, {}, options);
    EXPECT_LT(model.training.train->nrmse, 0.3) << to_string(kind);
  }
}

}  // namespace
}  // namespace knotwork::training
