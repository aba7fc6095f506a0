// SPDX-License-Identifier: MIT
// What the commands print: results on standard output, remarks on standard error.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include <knotwork/metrics.hpp>

namespace knotwork::cli {

using Json = nlohmann::ordered_json;

// Throws failed_run when standard output cannot take it (a full disk, a closed pipe).
void print_result(const std::string& text);
void print_result(const Json& document);
std::string describe(const Scores& scores);

}  // namespace knotwork::cli
