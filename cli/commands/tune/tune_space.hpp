// SPDX-License-Identifier: MIT
// What tune varies and what it keeps fixed.
#pragma once

#include <string>
#include <vector>

#include "cli/options/training_options.hpp"

#include <knotwork/search.hpp>

namespace knotwork::cli {

struct TuneSpace {
  TrainOptions fixed;   // the options that are not varied
  TrainOptions sample;  // those of one setting; all are scored as it is
  std::vector<Dimension> dimensions;
};

// `vary` has one text for each option, as parse_dimension() reads it; with none, lambda-w and
// lambda-q are varied unless they are given or have no effect. Throws bad_option for options that
// there are not or that cannot be varied, for values that training would refuse, and for what would
// have no effect whatever the setting.
TuneSpace make_space(const TrainingRequest& request, const std::vector<std::string>& vary);

// The options of one trial: the budget shortens its iterations.
TrainOptions options_at(const TrainOptions& fixed, const Setting& setting, double budget = 1);

}  // namespace knotwork::cli
