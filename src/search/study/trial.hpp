// SPDX-License-Identifier: MIT
// Functions on trials that studies and searches share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <knotwork/search.hpp>

namespace knotwork::searching {

// Sets complete, mean and deviation from the scores.
void summarize(TrialRecord& trial, std::size_t folds);

// Calls `evaluate` and returns the result as described at FoldScore and Evaluate; nothing if the
// evaluation was given up.
std::optional<FoldScore> evaluate_fold(const Evaluate& evaluate, const FoldTask& task);

// A JSON object of texts, in the setting's order: {"hidden":"20","lambda-w":"0.01"}.
std::string setting_to_json(const Setting& setting);
// Nothing if the text is not such an object.
std::optional<Setting> setting_from_json(std::string_view text);

}  // namespace knotwork::searching
