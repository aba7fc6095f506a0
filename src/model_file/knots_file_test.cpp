// SPDX-License-Identifier: MIT
// Tests models whose knots changed during training.
#include <gtest/gtest.h>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model_file {
namespace {

TEST(ModelFile, HasTheKnotsThatTrainingEndedWith) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 30;
  options.fit_range = FitRange::neuron;
  options.halve_step = 1;
  options.ensemble = 2;
  for (const std::optional<Precision> precision : {Precision::float32, Precision::float64}) {
    options.precision = precision;
    const Model model = train(table, {}, options);
    const Model loaded = deserialize(serialize(model), "the saved model");
    EXPECT_EQ(SplineLayer(loaded.members[1], 0).knots(0).count, 39u);
    EXPECT_EQ(loaded.predict(table), model.predict(table));
    EXPECT_TRUE(loaded.training.stages[1].step_halved);
    EXPECT_EQ(loaded.training.stages[1].range_fitted, model.training.stages[1].range_fitted);
  }
}

}  // namespace
}  // namespace knotwork::model_file
