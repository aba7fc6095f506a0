// SPDX-License-Identifier: MIT
// Presets are options that belong together, by name.
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
  // Without penalties, only the step keeps curves smooth. With 0.5 there are 6 spans, enough for a
  // maximum and a minimum; with the paper's 0.2 the test error is a tenth to a quarter higher
  // (docs/historical.md, also for the rates).
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
      "preset",
      {{"paper", "the settings of the paper's experiments", paper_options},
       {"historical", "spline networks as before the paper, sample by sample and without penalties",
        historical_options}});
  return table;
}

}  // namespace knotwork
