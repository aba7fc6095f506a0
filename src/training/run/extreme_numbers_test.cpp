// SPDX-License-Identifier: MIT
// Tests of numbers at the limits of double, and of tables with very few rows or distinct values,
// with every optimizer, precision and scaling: training either ends with a finite model that
// predicts finite numbers for its training rows, or throws an error of one sentence; nothing else
// may happen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "training/run/test_extremes.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

namespace knotwork::testing {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

struct Setting {
  std::string name;
  TrainOptions options;
};

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 6;
  options.batch = 0;
  options.threads = 1;
  return options;
}

struct Scales {
  ScalingKind inputs, target;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  const std::pair<std::string, double> optimizers[] = {
      {"cg", 1}, {"lbfgs", 1}, {"adam", 1e-2}, {"adam", 1e30}};
  const Scales scales[] = {{ScalingKind::none, ScalingKind::none},
                           {ScalingKind::range, ScalingKind::range},
                           {ScalingKind::standard, ScalingKind::standard},
                           {ScalingKind::quantile, ScalingKind::standard},
                           {ScalingKind::uniform, ScalingKind::range}};
  for (const auto& [optimizer, rate] : optimizers) {
    for (const char* activation : {"spline", "tanh"}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const auto& [inputs, target] : scales) {
          Setting& one = all.emplace_back();
          one.options = small_options();
          one.options.optimizer = optimizer;
          one.options.rate = rate;
          one.options.activation = activation;
          one.options.precision = precision;
          one.options.scale_inputs = inputs;
          one.options.scale_target = target;
          one.name = fmt::format("{} of rate {}, {}, {}, inputs {}, target {}", optimizer, rate,
                                 activation, precision == Precision::float32 ? "float" : "double",
                                 to_string(inputs), to_string(target));
        }
      }
    }
  }
  return all;
}

TrainingData data_of(const ExtremeRows& rows, const std::vector<double>& inputs) {
  TrainingData data;
  const std::size_t count = rows.y.size();
  data.inputs = column_major(std::span<const double>(inputs), count, 2);
  data.targets = column_major(std::span<const double>(rows.y), count, 1);
  data.weights = rows.weights;
  data.classes = rows.classes;
  return data;
}

bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); });
}

// Checks that a message is one sentence for a user, without a number that is -nan.
void expect_one_sentence(const std::string& text) {
  EXPECT_THAT(text, EndsWith("."));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
  EXPECT_THAT(text, Not(HasSubstr("-nan")));
  EXPECT_GT(text.size(), 20u);
}

void expect_finite(const Model& model, const TrainingData& data) {
  model.check();
  for (const Network& network : model.members) {
    EXPECT_TRUE(all_finite(network.parameters()));
    EXPECT_TRUE(all_finite(network.constants()));
  }
  const auto inputs = std::get<MatrixView<const double>>(data.inputs);
  std::vector<double> predictions(inputs.rows * model.predictions());
  model.predict(inputs, column_major(std::span(predictions), inputs.rows, model.predictions()));
  // Rows outside the training part may be too extreme to predict; a remark then says so.
  EXPECT_TRUE(all_finite(predictions) || (model.training.validation &&
                                          !std::isfinite(model.training.validation->to_compare()) &&
                                          !model.training.remarks.empty()));
  ASSERT_TRUE(model.training.train);
  const Scores& scores = *model.training.train;
  EXPECT_TRUE(std::isfinite(scores.classes ? scores.classes->log_loss : scores.rmse));
  EXPECT_TRUE(std::isfinite(model.training.objective.value));
}

struct Counts {
  int tried = 0, trained = 0, refused = 0;
};

void try_one(const Extreme& extreme, const Setting& setting, Counts& counts) {
  SCOPED_TRACE(extreme.name + "; " + setting.name);
  const std::vector<double> inputs = extreme.rows.inputs();
  const TrainingData data = data_of(extreme.rows, inputs);
  ++counts.tried;
  try {
    expect_finite(train(data, setting.options), data);
    ++counts.trained;
  } catch (const Error& error) {
    expect_one_sentence(error.what());
    ++counts.refused;
  }
}

TEST(ExtremeNumbers, EndInAFiniteModelOrOneSentence) {
  Counts counts;
  for (const Extreme& extreme : extremes()) {
    for (const Setting& setting : settings()) {
      try_one(extreme, setting, counts);
      ASSERT_FALSE(HasFailure());
    }
  }
  RecordProperty("knotwork_count_extreme_number_cases", counts.tried);
  // Most of them can be trained on.
  EXPECT_GT(counts.trained, counts.tried / 2);
  EXPECT_GT(counts.refused, 0);
}

// The same with a validation part, refitted ranges, an ensemble, and the other losses.
TEST(ExtremeNumbers, AlsoWithWhatElseTrainingDoes) {
  std::vector<Setting> more;
  const auto add = [&](const char* name, auto set) {
    for (const Precision precision : {Precision::float32, Precision::float64}) {
      Setting& one = more.emplace_back(Setting{name, small_options()});
      one.options.precision = precision;
      set(one.options);
    }
  };
  add("validation part", [](TrainOptions& o) { o.validation_fraction = 0.25; });
  add("fitted ranges", [](TrainOptions& o) { o.fit_range = FitRange::neuron; });
  add("halved steps", [](TrainOptions& o) { o.halve_step = 1; });
  add("ensemble", [](TrainOptions& o) { o.ensemble = 2; });
  add("input splines", [](TrainOptions& o) { o.input_splines = 2; });
  add("batches", [](TrainOptions& o) {
    o.optimizer = "adam";
    o.batch = 5;
    o.rate = 0.1;
  });
  add("many neurons", [](TrainOptions& o) { o.hidden = {60}; });
  add("huber", [](TrainOptions& o) { o.loss = "huber"; });
  add("quantiles", [](TrainOptions& o) { o.loss = "quantile"; });
  Counts counts;
  for (const Extreme& extreme : extremes()) {
    for (Setting setting : more) {
      if (!extreme.rows.classes.empty()) setting.options.loss = "auto";
      try_one(extreme, setting, counts);
      ASSERT_FALSE(HasFailure());
    }
  }
  RecordProperty("knotwork_count_extreme_number_cases", counts.tried);
  EXPECT_GT(counts.trained, counts.tried / 2);
}

TEST(ExtremeNumbers, OfWeightsDoNotChangeTheBits) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    TrainOptions options = small_options();
    options.precision = precision;
    ExtremeRows rows;
    rows.weights.resize(kRows);
    const std::vector<double> inputs = rows.inputs();
    std::string wanted;
    for (const double unit : {1.0, 0x1p-1000, 0x1p900}) {
      change(rows.weights,
             [unit](double, std::size_t r) { return unit * (0.5 + static_cast<double>(r % 5)); });
      const Model model = train(data_of(rows, inputs), options);
      if (wanted.empty()) wanted = model.parameters_sha256();
      EXPECT_EQ(model.parameters_sha256(), wanted) << unit;
    }
  }
}

TEST(ExtremeNumbers, ManyColumnsAndFewRows) {
  constexpr std::size_t kColumns = 10000, kFew = 12;
  std::vector<double> inputs(kColumns * kFew), y(kFew);
  for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = std::sin(static_cast<double>(k));
  for (std::size_t r = 0; r < kFew; ++r) y[r] = static_cast<double>(r % 5);
  TrainingData data;
  data.inputs = column_major(std::span<const double>(inputs), kFew, kColumns);
  data.targets = column_major(std::span<const double>(y), kFew, 1);
  for (const char* optimizer : {"cg", "lbfgs", "adam"}) {
    TrainOptions options = small_options();
    options.optimizer = optimizer;
    expect_finite(train(data, options), data);
  }
  RecordProperty("knotwork_count_extreme_number_cases", 3);
}

// The test part may contain rows that no model can predict; the model is complete without their
// scores.
TEST(ExtremeNumbers, RowsToTestOnThatCannotBePredictedLeaveTheirScoresOut) {
  ExtremeRows rows;
  rows.x.back() = kMax;
  const std::vector<double> inputs = rows.inputs();
  const TrainingData data = data_of(rows, inputs);
  Partition partition;
  for (std::size_t r = 0; r < kRows; ++r) {
    (r < kRows - 4 ? partition.train : partition.test).push_back(r);
  }
  TrainOptions options = small_options();
  options.precision = Precision::float32;
  const Model model = train(data, partition, options);
  EXPECT_TRUE(std::isfinite(model.training.train->rmse));
  ASSERT_TRUE(model.training.test);
  EXPECT_FALSE(std::isfinite(model.training.test->rmse));
  EXPECT_THAT(model.training.remarks,
              Contains(HasSubstr("1 of 4 rows of the test part has no finite")));
}

TEST(ExtremeNumbers, ARowOfATableThatCannotBePredictedIsNamedWithItsCell) {
  const ExtremeRows rows;
  Table table;
  table.source = "new.csv";
  table.names = {"x", "z", "y"};
  table.columns = {rows.x, rows.z, rows.y};
  TrainOptions options = small_options();
  options.precision = Precision::float32;
  TableTask task;
  task.kind = TaskKind::regression;
  const Model model = train(table, task, options);
  EXPECT_TRUE(all_finite(model.predict(table).front()));
  table.columns[1][5] = -1e300;
  for (const bool evaluates : {false, true}) {
    try {
      evaluates ? void(model.evaluate(table)) : void(model.predict(table));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_data);
      EXPECT_THAT(
          error.what(),
          HasSubstr(
              "row 5, column 2 ('z'): the prediction for this row is not finite, because -1e+300"));
    }
  }
}

}  // namespace
}  // namespace knotwork::testing
