// SPDX-License-Identifier: MIT
// Values of options that have a fixed list of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knotwork::cli {

// Words for characters that are hard to type.
const std::vector<std::pair<std::string, char>>& delimiter_names();
// What compare --penalties all means.
inline const std::vector<std::string> kPenalties = {"none", "damping", "slope", "curvature",
                                                    "damping+curvature"};
inline const std::vector<std::string> kBaselines = {"none", "linear", "all"};
inline const std::vector<std::string> kTasks = {"auto", "regression", "classification"};
inline const std::vector<std::string> kShells = {"bash"};
inline const std::vector<std::string> kExportFormats = {"onnx", "c"};

// What can follow the option (its long name without dashes), for completion; empty if anything can.
std::vector<std::string> known_values(std::string_view option);

// Throws bad_option with the closest one unless the value is among those known.
void check_value(std::string_view family, const std::string& value,
                 const std::vector<std::string>& known);

}  // namespace knotwork::cli
