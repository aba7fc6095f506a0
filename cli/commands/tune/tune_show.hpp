// SPDX-License-Identifier: MIT
// tune --show: the current state of a study, finished or not.
#pragma once

#include <optional>
#include <string>

namespace knotwork::cli {

struct ShowRequest {
  std::string study;
  std::optional<std::string> svg;  // the file for a figure
  bool json = false;
};
int show_study(const ShowRequest& request);

// The name of the finished search's result in the study.
inline constexpr const char* kResultName = "tune";

}  // namespace knotwork::cli
