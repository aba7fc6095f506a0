// SPDX-License-Identifier: MIT
// These functions write the record of training as JSON, for model files and the program's output,
// and read it.
#pragma once

#include <nlohmann/json.hpp>

#include <knotwork/model.hpp>

namespace knotwork::model_file {

// Throws bad_model unless the value is a whole number of at least 0.
std::size_t count_from(const nlohmann::ordered_json& json);

// Names and texts as an object.
nlohmann::ordered_json pairs(const std::vector<std::pair<std::string, std::string>>& list);
std::vector<std::pair<std::string, std::string>> pairs_from(const nlohmann::ordered_json& json);
nlohmann::ordered_json to_json(const std::vector<TriedSetting>& tried);
std::vector<TriedSetting> tried_from(const nlohmann::ordered_json& json);

nlohmann::ordered_json to_json(const Scores& scores);
nlohmann::ordered_json to_json(const Summary& summary);
// Throws a JSON exception when an entry is missing, Error when a name is unknown.
Summary summary_from(const nlohmann::ordered_json& json);

}  // namespace knotwork::model_file
