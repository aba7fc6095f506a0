// SPDX-License-Identifier: MIT
// Models whose knots changed during training.
#include <gtest/gtest.h>

#include "network/spline_layer.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/table_training.hpp>

namespace knotwork {
namespace {

std::size_t knots_of(const Model& model, std::size_t member = 0) {
  return SplineLayer(model.members[member], 0).knots(0).count;
}

TEST(ModelFile, HasTheKnotsThatTrainingEndedWith) {
  const Table table = make_builtin("friedman1", 200);
  for (const std::optional<Precision> precision : {Precision::single_, Precision::double_}) {
    TrainOptions options;
    options.hidden = {4};
    options.iterations = 30;
    options.precision = precision;
    options.fit_range = FitRange::neuron;
    options.refit_range = 1;
    options.halve_step = 1;
    options.ensemble = 2;
    const Model model = train(table, {}, options);
    const Model loaded = deserialise(serialise(model), "the saved model");
    EXPECT_EQ(knots_of(loaded, 1), 39u);
    EXPECT_EQ(loaded.predict(table), model.predict(table));
    EXPECT_EQ(loaded.training.stages[1].step_halved, true);
    EXPECT_EQ(loaded.training.stages[1].range_fitted, true);
    // Members fit their own ranges.
    EXPECT_NE(SplineLayer(model.members[0], 0).knots(0).step,
              SplineLayer(model.members[1], 0).knots(0).step);
    // And training goes on from it, finer still.
    options.halve_step = 1;
    const Model finer = train(table, {}, options, {}, &loaded);
    EXPECT_EQ(knots_of(finer), 75u);
  }
}

}  // namespace
}  // namespace knotwork
