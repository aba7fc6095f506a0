// SPDX-License-Identifier: MIT
// Lists of values for options that accept only certain values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knotwork::cli {

// Words for characters that are hard to type.
const std::vector<std::pair<std::string, char>>& delimiter_names();
// The value `all` of compare --penalties.
inline const std::vector<std::string> kPenalties = {"none", "damping", "slope", "curvature",
                                                    "damping+curvature"};
inline const std::vector<std::string> kBaselines = {"none", "linear", "all"};
inline const std::vector<std::string> kTasks = {"auto", "regression", "classification"};
inline const std::vector<std::string> kShells = {"bash", "zsh", "fish"};
inline const std::vector<std::string> kExportFormats = {"onnx", "c"};

// The values that can follow the option (its long name without dashes), for completion; empty if
// any value can.
std::vector<std::string> known_values(std::string_view option);

// Throws bad_option with the most similar known value unless the value is known.
void check_value(std::string_view family, const std::string& value,
                 const std::vector<std::string>& known);

}  // namespace knotwork::cli
