// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "training/run/test_trainings.hpp"

#include <algorithm>

#include <knotwork/builtin_data.hpp>
#include <knotwork/predict.hpp>
#include <knotwork/random.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Points around the corners of a polygon, labeled with their corner, as texts or as numbers.
Table corners(std::size_t classes, std::size_t rows, bool texts = true, double spread = 0.25) {
  const Random random(7, Purpose::builtin_inputs);
  Table table;
  table.source = "corners";
  table.names = {"x", "y", "corner"};
  table.columns.resize(3);
  table.labels.resize(3);
  for (std::size_t c = 0; c < classes && texts; ++c) {
    table.labels[2].push_back(std::string(1, static_cast<char>('a' + c)));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t c = r % classes;
    const double angle =
        2 * 3.141592653589793 * static_cast<double>(c) / static_cast<double>(classes);
    table.columns[0].push_back(std::cos(angle) + spread * random.normal(2 * r));
    table.columns[1].push_back(std::sin(angle) + spread * random.normal(2 * r + 1));
    table.columns[2].push_back(static_cast<double>(texts ? c : 10 * c));
  }
  return table;
}

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {6};
  options.iterations = 60;
  options.threads = 1;
  return options;
}

TableTask with_test_part() {
  TableTask task;
  task.test_fraction = 0.3;
  return task;
}

template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Classification, LearnsTwoAndMoreClasses) {
  for (const std::size_t classes : {2u, 3u, 5u}) {
    const Model model = train(corners(classes, 300), with_test_part(), quick());
    ASSERT_TRUE(model.classifies());
    EXPECT_EQ(model.outputs(), classes == 2 ? 1 : classes);
    EXPECT_EQ(model.predictions(), classes);
    ASSERT_TRUE(model.training.test && model.training.test->classes);
    EXPECT_GT(model.training.test->classes->accuracy, 0.9) << classes;
    EXPECT_LT(model.training.test->classes->log_loss, 0.4) << classes;
    EXPECT_GT(model.training.test->classes->auc, 0.97) << classes;
  }
}

TEST(Classification, ProbabilitiesSumToOneAndTheLargestIsThePrediction) {
  for (const std::size_t classes : {2u, 4u}) {
    for (const std::size_t members : {1u, 3u}) {
      TrainOptions options = quick();
      options.ensemble = members;
      options.iterations = 20;
      const Table table = corners(classes, 120);
      const Model model = train(table, {}, options);
      const auto columns = model.predict(table);
      ASSERT_EQ(columns.size(), classes);
      const std::vector<std::size_t> likely = Model::most_probable(columns);
      double right = 0;
      for (std::size_t r = 0; r < table.rows(); ++r) {
        double sum = 0;
        for (const auto& column : columns) {
          EXPECT_GE(column[r], 0);
          EXPECT_LE(column[r], columns[likely[r]][r]);
          sum += column[r];
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        right += likely[r] == static_cast<std::size_t>(table.columns[2][r]) ? 1 : 0;
      }
      EXPECT_DOUBLE_EQ(model.training.train->classes->accuracy,
                       right / static_cast<double>(table.rows()));
    }
  }
}

TEST(Classification, OfEquallyProbableClassesTheFirstIsPredicted) {
  EXPECT_EQ(Model::most_probable({{0.4, 0.2, 0.3}, {0.4, 0.4, 0.3}, {0.2, 0.4, 0.4}}),
            (std::vector<std::size_t>{0, 1, 2}));
}

// The mean is over probabilities, not over outputs.
TEST(Classification, AnEnsembleAveragesProbabilities) {
  TrainOptions options = quick();
  options.ensemble = 2;
  options.iterations = 15;
  const Table table = corners(3, 90, true, 0.8);
  const Model both = train(table, {}, options);
  Model first = both, second = both;
  first.members = {both.members[0]};
  second.members = {both.members[1]};
  const auto all = both.predict(table), one = first.predict(table), two = second.predict(table);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t r = 0; r < table.rows(); ++r) {
      ASSERT_NEAR(all[c][r], (one[c][r] + two[c][r]) / 2, 1e-15);
    }
  }
}

TEST(Classification, FewWholeNumbersAreClassesUnlessTheTaskSaysOtherwise) {
  const Table table = corners(3, 90, false);
  TableTask task;
  const PreparedData guessed(table, task, 0);
  EXPECT_THAT(guessed.data().classes, ElementsAre("0", "10", "20"));
  EXPECT_THAT(guessed.remarks(),
              testing::Contains(HasSubstr("'corner' has only 3 different whole numbers")));
  task.kind = TaskKind::regression;
  EXPECT_THAT(PreparedData(table, task, 0).data().classes, IsEmpty());
  task.kind = TaskKind::classification;
  const PreparedData asked(table, task, 0);
  EXPECT_THAT(asked.data().classes, ElementsAre("0", "10", "20"));
  EXPECT_THAT(asked.remarks(), IsEmpty());

  Table fractions = table;
  for (double& cell : fractions.columns[2]) cell += 0.5;
  EXPECT_THAT(PreparedData(fractions, {}, 0).data().classes, IsEmpty());
  EXPECT_THAT(PreparedData(make_builtin("friedman1", 50), {}, 0).data().classes, IsEmpty());
}

TEST(Classification, PartsHaveTheSameSharesOfClasses) {
  Table table = corners(2, 200);
  for (std::size_t r = 0; r < table.rows(); ++r) table.columns[2][r] = r % 10 == 0 ? 1 : 0;
  TrainOptions options = quick();
  options.iterations = 1;
  options.validation_fraction = 0.25;
  const Model model = train(table, with_test_part(), options);
  const auto rows_of_second = [](const std::optional<Scores>& scores) {
    const auto& row = scores->classes->confusion[1];
    return row[0] + row[1];
  };
  EXPECT_EQ(rows_of_second(model.training.test), 6);
  EXPECT_EQ(rows_of_second(model.training.train), 10);  // and 4 or so for validation
  EXPECT_EQ(rows_of_second(model.training.validation), 4);
  const PreparedData prepared(table, {}, 0);
  std::vector<std::size_t> all(table.rows());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = r;
  std::map<std::size_t, int> in_fold;
  const auto folds = training_folds(prepared.data(), all, 4, 3);
  for (std::size_t r = 0; r < all.size(); r += 10) ++in_fold[folds[r]];
  EXPECT_THAT(in_fold, testing::Each(testing::Pair(testing::_, 5)));
}

TEST(Classification, BitsDoNotDependOnThreads) {
  const Table table = corners(3, 200);
  for (const char* optimizer : {"lbfgs", "adam"}) {
    TrainOptions options = quick();
    options.optimizer = optimizer;
    options.iterations = 5;
    if (options.optimizer == "adam") options.batch = 32;
    const Model one = train(table, with_test_part(), options);
    options.threads = 3;
    const Model three = train(table, with_test_part(), options);
    EXPECT_EQ(one.parameters_sha256(), three.parameters_sha256());
  }
}

TEST(Classification, ClassWeightsMoveTheBorder) {
  const Table table = corners(2, 400, true, 1.5);
  const auto share_of_second = [&](const std::string& weights) {
    TrainOptions options = quick();
    options.class_weights = weights;
    const Model model = train(table, {}, options);
    double second = 0;
    for (std::size_t likely : Model::most_probable(model.predict(table)))
      second += static_cast<double>(likely);
    return second / 400;
  };
  const double equal = share_of_second("equal");
  EXPECT_LT(share_of_second("a=5,b=1"), equal - 0.1);
  EXPECT_GT(share_of_second("b=5"), equal + 0.1);
  EXPECT_NEAR(share_of_second("balanced"), equal, 0.01);
}

// Row weights that make one class heavier are balanced too, not only the numbers of rows.
TEST(Classification, BalancedClassesHaveTheSameSumOfRowWeights) {
  Table table = corners(2, 400, true, 1.5);
  TrainOptions options = quick();
  const auto share_of_second = [&](const TableTask& task) {
    const auto likely = Model::most_probable(train(table, task, options).predict(table));
    return static_cast<double>(std::count(likely.begin(), likely.end(), 1u)) / 400;
  };
  const double unweighted = share_of_second({});
  table.names.push_back("weight");
  table.columns.emplace_back();
  table.labels.emplace_back();
  for (const double label : table.columns[2]) table.columns[3].push_back(label == 1 ? 6e200 : 1e200);
  const TableTask weighted{.targets = {table.names[2]}, .weight_column = "weight"};
  EXPECT_GT(share_of_second(weighted), unweighted + 0.1);
  options.class_weights = "balanced";
  EXPECT_NEAR(share_of_second(weighted), unweighted, 0.01);
}

TEST(Classification, OptionsAreComparedByTheLogLoss) {
  TrainOptions options = quick();
  options.iterations = 10;
  const std::vector<std::string> given = {"hidden", "ensemble", "iterations", "scale-inputs",
                                          "lambda-curvature"};
  const Model model =
      train_automatically(corners(3, 150, true, 0.5), with_test_part(), options, given);
  ASSERT_FALSE(model.training.tried.empty());
  for (const TriedSetting& tried : model.training.tried) {
    EXPECT_GT(tried.score, 0.05);
    EXPECT_LT(tried.score, 1.2);
  }
  const auto baselines =
      train_baselines(PreparedData(corners(3, 150, true, 0.5), with_test_part(), 0), options);
  ASSERT_EQ(baselines.size(), 2u);
  EXPECT_GT(baselines[0].test->classes->accuracy, 0.6);
}

TEST(Classification, EvaluatesTablesByLabel) {
  const Table table = corners(3, 120);
  const Model model = train(table, {}, quick());
  Table other = corners(3, 60);
  // This table has only two of the classes, so its labels have other numbers.
  other.labels[2] = {"b", "c"};
  for (std::size_t r = 0; r < other.rows(); ++r) other.columns[2][r] = r % 3 == 2 ? 1 : 0;
  const Scores scores = model.evaluate(other);
  double all = 0;
  for (double weight : scores.classes->confusion[0]) all += weight;
  EXPECT_EQ(all, 0);
  other.labels[2] = {"b", "z"};
  EXPECT_THAT(
      complaint([&] { model.evaluate(other); }),
      HasSubstr("the class 'z' is not a class of the model; its classes are 'a', 'b', 'c'"));
}

TEST(Classification, RefusesWhatDoesNotFit) {
  const Table table = corners(3, 90);
  const auto with = [&](const auto& change) {
    TrainOptions options = quick();
    change(options);
    return complaint([&] { train(table, {}, options); });
  };
  EXPECT_THAT(
      with([](auto& o) { o.loss = "squared"; }),
      HasSubstr(
          "The loss 'squared' does not suit 3 classes; set the option loss to softmax or task to "
          "regression"));
  EXPECT_THAT(with([](auto& o) { o.loss = "logistic"; }), HasSubstr("two classes, not 3"));
  EXPECT_THAT(with([](auto& o) { o.class_weights = "q=2"; }), HasSubstr("'q'"));
  EXPECT_THAT(with([](auto& o) { o.class_weights = "heavy"; }), HasSubstr("label=weight"));
  EXPECT_THAT(with([](auto& o) { o.class_weights = "a=-1"; }), HasSubstr("at least 0"));
  TrainOptions options = quick();
  options.loss = "softmax";
  EXPECT_THAT(complaint([&] { train(make_builtin("friedman1", 50), {}, options); }),
              HasSubstr("a target of numbers"));
  options = quick();
  options.class_weights = "balanced";
  EXPECT_THAT(complaint([&] { train(make_builtin("friedman1", 50), {}, options); }),
              HasSubstr("a target of numbers"));
  TableTask task;
  task.targets = {"x", "corner"};
  task.kind = TaskKind::classification;
  EXPECT_THAT(complaint([&] { train(table, task, quick()); }),
              HasSubstr("one target only, not for 2"));
  Table unique = table;
  unique.labels[2].clear();
  for (std::size_t r = 0; r < 90; ++r) {
    unique.labels[2].push_back("row " + std::to_string(100 + r));
    unique.columns[2][r] = static_cast<double>(r);
  }
  EXPECT_THAT(complaint([&] { train(unique, {}, quick()); }), HasSubstr("90 different texts"));
  Table missing = table;
  missing.columns[2][4] = std::nan("");
  task = {};
  task.require_target = true;
  EXPECT_THAT(complaint([&] { train(missing, task, quick()); }), HasSubstr("must have its class"));
}

// Training from memory, without a table.
TEST(Classification, FromTheCallersMemory) {
  const Table table = corners(2, 100);
  TrainingData data;
  std::vector<double> inputs = table.columns[0];
  inputs.insert(inputs.end(), table.columns[1].begin(), table.columns[1].end());
  data.inputs = column_major(std::span<const double>(inputs), 100, 2);
  data.targets = column_major(std::span<const double>(table.columns[2]), 100, 1);
  data.classes = {"left", "right"};
  const Model model = train(data, quick());
  EXPECT_THAT(model.prediction_names(), ElementsAre("y = left", "y = right"));
  Predictor predictor(model);
  const double row[] = {1, 0};
  double probabilities[2];
  predictor.predict(std::span<const double>(row), std::span<double>(probabilities));
  EXPECT_GT(probabilities[0], 0.9);
  EXPECT_NEAR(probabilities[0] + probabilities[1], 1, 1e-12);
  data.classes = {"one"};
  EXPECT_THAT(complaint([&] { train(data, quick()); }), HasSubstr("at least two of them"));
}

}  // namespace
}  // namespace knotwork::model
