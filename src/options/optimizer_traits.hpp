// SPDX-License-Identifier: MIT
// These functions say what the optimizer of a training can do, from the table of optimizers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/name_list.hpp"

#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

using OptimizerTrait = bool OptimizerEntry::*;

inline bool optimizer_has(const TrainOptions& options, OptimizerTrait trait) {
  const OptimizerEntry* const entry = builtin_optimizers().find(options.optimizer);
  return entry && entry->*trait;
}

// "adam, adamw and sgd"
inline std::string optimizers_with(OptimizerTrait trait, std::string_view last = "and") {
  std::vector<std::string> names;
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    if (entry.*trait) names.push_back(entry.name);
  }
  return name_list(names, last);
}

}  // namespace knotwork
