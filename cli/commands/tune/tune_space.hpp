// SPDX-License-Identifier: MIT
// The search space of tune: the options it varies, and the options it keeps fixed.
#pragma once

#include <string>
#include <vector>

#include "cli/options/training_options.hpp"

#include <knotwork/search.hpp>

namespace knotwork::cli {

struct TuneSpace {
  TrainOptions fixed;   // the options that are not varied
  TrainOptions sample;  // the options of one setting, which determine the score
  std::vector<Dimension> dimensions;
};

// Each text in `vary` describes one option as parse_dimension() reads it. If `vary` is empty,
// lambda-w and lambda-q are varied unless they are given or have no effect. Throws bad_option for
// unknown options, for options that cannot be varied, for values that training would refuse, and
// for options that have no effect in any setting.
TuneSpace make_space(const TrainingRequest& request, const std::vector<std::string>& vary);

// The options of one trial: the budget shortens its iterations.
TrainOptions options_at(const TrainOptions& fixed, const Setting& setting, double budget = 1);

}  // namespace knotwork::cli
