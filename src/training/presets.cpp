// SPDX-License-Identifier: MIT
// Options that go together, by name.
#include <knotwork/options.hpp>

namespace knotwork {

TrainOptions paper_options() {
  TrainOptions options;
  options.hidden = {5};
  options.output_activation = "same";
  options.scale_inputs = ScalingKind::range;
  options.scale_target = ScalingKind::range;
  options.lambda_w = 1e-2;
  options.lambda_q = 1e-4;
  options.lambda_curvature = 0;
  options.optimizer = "cg";
  options.iterations = 1500;
  return options;
}

TrainOptions historical_options() {
  TrainOptions options = paper_options();
  options.hidden = {10};
  // A step of 0.5 draws the curve on [-1.5, 1.5] in 6 spans. Half as many points as a tanh needs to
  // be drawn well are still enough for a maximum and a minimum beside it; a curve cannot follow the
  // noise of single rows between knots that far apart.
  options.spline.knots = 9;
  options.spline.init_noise = 0;
  options.lambda_w = options.lambda_q = 0;
  options.optimizer = "sgd";
  options.batch = 1;
  options.iterations = 300;
  options.rate = 0.02;
  options.control_point_rate = 0.5;
  return options;
}

const NamedTable<Preset>& training_presets() {
  static const NamedTable<Preset> table(
      "preset", {{"paper", "the settings of the paper's experiments", paper_options},
                 {"historical", "spline networks before the paper: sample by sample, no penalty",
                  historical_options}});
  return table;
}

}  // namespace knotwork
