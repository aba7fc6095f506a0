// SPDX-License-Identifier: MIT
// The output of compare: what it prints and the files it writes.
#pragma once

#include <string>
#include <vector>

#include "cli/output/printing.hpp"

#include <knotwork/comparison.hpp>

namespace knotwork::cli {

// The facts of a comparison in addition to its result.
struct ComparisonRun {
  std::string data, command;
  std::vector<std::string> targets;
  ComparisonOptions options;
  std::vector<std::string> remarks;
  double seconds = 0;  // of wall-clock time
};

Lines to_text(const ComparisonResult& result, const ComparisonRun& run);
Json to_document(const ComparisonResult& result, const ComparisonRun& run);
// One line for each variant and fold.
std::string to_csv(const ComparisonResult& result, const ComparisonRun& run);
std::string to_page(const ComparisonResult& result, const ComparisonRun& run);

}  // namespace knotwork::cli
