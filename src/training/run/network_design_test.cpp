// SPDX-License-Identifier: MIT
// Tests of networks that options describe: input splines, shared control points, residual
// connections, depth, dropout.
#include "training/run/network_design.hpp"
#include "training/run/test_trainings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TrainOptions quick() {
  TrainOptions options;
  options.hidden = {6};
  options.output_activation = "identity";
  options.iterations = 30;
  options.lambda_curvature = 1e-5;
  return options;
}

std::string refusal(const TrainOptions& options) {
  try {
    check(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::size_t> sizes(const Network& network) {
  std::vector<std::size_t> all = {network.inputs()};
  for (const Layer& layer : network.layers()) all.push_back(layer.outputs);
  return all;
}

TEST(InputSplines, StandBeforeTheFirstLayerAndCoverWhatTheirInputIs) {
  const Table table = make_builtin("friedman1", 100);
  for (ScalingKind scaling : {ScalingKind::uniform, ScalingKind::standard, ScalingKind::range}) {
    TrainOptions options = quick();
    options.input_splines = 3;
    options.input_knots = 9;
    options.scale_inputs = scaling;
    options.iterations = 0;
    const Model model = train(table, {}, options);
    const Network& network = model.members[0];
    EXPECT_THAT(sizes(network), ElementsAre(10, 30, 6, 1));
    EXPECT_EQ(network.layers()[0].kind, LayerKind::bank);
    const auto first = network.values(network.tensor("layers.0.activation.first_knot"));
    const auto step = network.values(network.tensor("layers.0.activation.step"));
    for (std::size_t unit = 0; unit < 30; ++unit) {
      const InputColumn& input = model.inputs[unit / 3];
      EXPECT_NEAR(first[unit] + step[unit], input.scaling.apply(input.low), 1e-12);
      EXPECT_NEAR(first[unit] + 7 * step[unit], input.scaling.apply(input.high), 1e-12);
    }
    // The first unit of an input starts as a line from -1 to 1.
    const double low = model.inputs[1].scaling.apply(model.inputs[1].low);
    const double high = model.inputs[1].scaling.apply(model.inputs[1].high);
    EXPECT_NEAR(network.activate(0, 3, low), -1, 1e-12);
    EXPECT_NEAR(network.activate(0, 3, high), 1, 1e-12);
  }
}

TEST(InputSplines, LearnWhatADenseLayerOfTheSameSizeCannot) {
  // A function of one skewed input with a sharp turn, and a second input that does not matter.
  Table table;
  table.names = {"x", "z", "y"};
  table.columns.resize(3);
  for (int r = 0; r < 400; ++r) {
    const double u = (r + 0.5) / 400, x = std::exp(6 * u);
    table.columns[0].push_back(x);
    table.columns[1].push_back(std::sin(1.7 * r));
    table.columns[2].push_back(std::fabs(u - 0.3) < 0.05 ? 1 : std::sin(25 * u));
  }
  TrainOptions options = quick();
  options.hidden = {2};
  options.iterations = 150;
  options.scale_inputs = ScalingKind::uniform;
  options.lambda_w = 1e-5;
  options.lambda_bank = 1e-8;
  const double plain = train(table, {}, options).training.train->nrmse;
  options.input_splines = 4;
  const Model model = train(table, {}, options);
  EXPECT_LT(model.training.train->nrmse, plain / 2);
  EXPECT_EQ(model.training.objective.parts.back().first, "bank-curvature");
}

TEST(Sharing, GivesOneCurveToALayerOrToTheNetwork) {
  const Table table = make_builtin("friedman1", 120);
  TrainOptions options = quick();
  options.hidden = {5, 4};
  options.output_activation = "same";
  std::vector<std::size_t> parameters;
  for (Sharing sharing : {Sharing::neuron, Sharing::layer, Sharing::network}) {
    options.sharing = sharing;
    const Model model = train(table, {}, options);
    parameters.push_back(model.members[0].parameters().size());
    EXPECT_LT(model.training.train->nrmse, 0.9);
  }
  const std::size_t weights = 10 * 5 + 5 + 5 * 4 + 4 + 4 + 1;
  EXPECT_THAT(parameters, ElementsAre(weights + 10 * 21, weights + 3 * 21, weights + 21));
}

TEST(Residual, ConnectsHiddenLayersOfEqualSize) {
  const Table table = make_builtin("friedman1", 60);
  TrainOptions options = quick();
  options.hidden = {10, 10, 7, 7};
  options.residual = true;
  options.iterations = 2;
  const Model model = train(table, {}, options);
  std::vector<bool> residual;
  for (const Layer& layer : model.members[0].layers()) residual.push_back(layer.residual);
  EXPECT_THAT(residual, ElementsAre(false, true, false, true, false));
  options.hidden = {10, 7};
  EXPECT_THAT(refusal(options), HasSubstr("two consecutive hidden layers of equal size"));
}

TEST(Start, IsByVarianceInDeepNetworksUnlessSaidOtherwise) {
  const Table table = make_builtin("friedman1", 60);
  TrainOptions options = quick();
  options.iterations = 0;
  options.hidden = {8, 8, 8};
  const auto weights = [&](const std::string& start) {
    options.start = start;
    const Model model = train(table, {}, options);
    return model.parameters_sha256();
  };
  EXPECT_EQ(weights("auto"), weights("variance"));
  EXPECT_NE(weights("auto"), weights("glorot"));
  options.hidden = {8, 8};
  EXPECT_EQ(weights("auto"), weights("glorot"));
  options.start = "variants";
  EXPECT_THAT(refusal(options), HasSubstr("did you mean 'variance'?"));
}

TEST(Dropout, IsForAdamAndBitsDoNotDependOnThreads) {
  const Table table = make_builtin("friedman1", 300);
  TrainOptions options = quick();
  options.dropout = 0.2;
  EXPECT_THAT(refusal(options), HasSubstr("use optimizer adam"));
  options.optimizer = "adam";
  options.batch = 32;
  options.iterations = 10;
  options.rate = 1e-2;
  options.threads = 1;
  const Model one = train(table, {}, options);
  options.threads = 3;
  EXPECT_EQ(one.parameters_sha256(), train(table, {}, options).parameters_sha256());
  EXPECT_LT(one.training.train->nrmse, 0.9);
  options.dropout = 0;
  EXPECT_NE(one.parameters_sha256(), train(table, {}, options).parameters_sha256());
  options.dropout = 1;
  EXPECT_THAT(refusal(options), HasSubstr("dropout must be at least 0 and below 1, not 1"));
}

TEST(Design, RefusesSizesThatCannotBe) {
  TrainOptions options = quick();
  options.input_splines = 1001;
  EXPECT_THAT(refusal(options), HasSubstr("input-splines must be from 0 to 1000, not 1001"));
  options = quick();
  options.input_knots = 3;
  EXPECT_THAT(refusal(options), HasSubstr("input-knots must be from 4 to 100000, not 3"));
  options = quick();
  options.lambda_bank = -1;
  EXPECT_THAT(refusal(options), HasSubstr("lambda-bank"));
}

// Networks of one to ten hidden layers all learn.
TEST(Depth, EveryDepthTrains) {
  const Table table = make_builtin("friedman1", 200);
  for (std::size_t depth : {1u, 2u, 4u, 7u, 10u}) {
    for (bool residual : {false, true}) {
      TrainOptions options = quick();
      options.hidden.assign(depth, 10);
      options.residual = residual && depth > 1;
      options.iterations = 100;
      const Model model = train(table, {}, options);
      EXPECT_LT(model.training.train->nrmse, 0.4) << depth << (residual ? ", residual" : "");
    }
  }
}

TEST(Depth, SixLayersTellSpiralsApart) {
  TableTask task;
  task.test_fraction = 0.3;
  TrainOptions options = quick();
  options.hidden.assign(6, 16);
  options.residual = true;
  options.iterations = 300;
  options.lambda_w = 1e-5;
  const Model model = train(make_builtin("spirals"), task, options);
  EXPECT_GE(model.training.test->classes->accuracy, 0.99);
}

}  // namespace
}  // namespace knotwork::training
