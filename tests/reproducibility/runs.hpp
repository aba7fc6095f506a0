// SPDX-License-Identifier: MIT
// Ten short trainings that go, between them, through all optimizers, losses and kinds of networks.
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
  std::string set;     // a built-in one
  std::size_t rows = 0;
  std::vector<std::pair<std::string, std::string>> options;
  std::function<void(Table&)> change = {};  // of the table, before it is trained on
};
const std::vector<ReferenceRun>& reference_runs();

Model train(const ReferenceRun& run, std::size_t threads);

}  // namespace knotwork
