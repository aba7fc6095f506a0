// SPDX-License-Identifier: MIT
// Ten short trainings that together use all optimizers, losses and kinds of networks.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

struct ReferenceRun {
  std::string name;
  std::string preset;  // empty: none
  std::string set;     // a built-in data set
  std::size_t rows = 0;
  std::vector<std::pair<std::string, std::string>> options;
  std::function<void(Table&)> change = {};  // changes the table before training
};
const std::vector<ReferenceRun>& reference_runs();

Model train(const ReferenceRun& run, std::size_t threads);

}  // namespace knotwork
