// SPDX-License-Identifier: MIT
// The record of training as JSON, in model files and in the program's output.
#pragma once

#include <nlohmann/json.hpp>

#include <knotwork/model.hpp>

namespace knotwork {

nlohmann::ordered_json to_json(const Scores& scores);
nlohmann::ordered_json to_json(const Summary& summary);
// Throws a JSON exception when something is missing, Error when a name is unknown.
Summary summary_from(const nlohmann::ordered_json& json);

}  // namespace knotwork
