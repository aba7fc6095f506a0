// SPDX-License-Identifier: MIT
// What compare prints and writes.
#pragma once

#include <string>
#include <vector>

#include <knotwork/comparison.hpp>

namespace knotwork::cli {

// What was compared, beside the result.
struct ComparisonRun {
  std::string data, command;
  std::vector<std::string> targets;
  ComparisonOptions options;
  std::vector<std::string> remarks;
  double seconds = 0;  // on the clock
};

std::string to_text(const ComparisonResult& result, const ComparisonRun& run);
// As JSON.
std::string to_document(const ComparisonResult& result, const ComparisonRun& run);
// A line for each variant and fold.
std::string to_csv(const ComparisonResult& result, const ComparisonRun& run);
std::string to_page(const ComparisonResult& result, const ComparisonRun& run);

}  // namespace knotwork::cli
