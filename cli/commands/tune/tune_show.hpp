// SPDX-License-Identifier: MIT
// tune --show: a study as it stands, finished or not.
#pragma once

#include <optional>
#include <string>

namespace knotwork::cli {

struct ShowRequest {
  std::string study;
  std::optional<std::string> svg;  // where a figure goes
  bool json = false;
};
int show_study(const ShowRequest& request);

// The name under which the finished search is kept in the study.
inline constexpr const char* kResultName = "tune";

}  // namespace knotwork::cli
