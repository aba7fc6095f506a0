// SPDX-License-Identifier: MIT
// What trials, studies and searches share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <knotwork/search.hpp>

namespace knotwork::searching {

// Sets complete, mean and deviation from the scores.
void summarize(TrialRecord& trial, std::size_t folds);

// Calls `evaluate` and says what came of it, as FoldScore and Evaluate have it; nothing if it was
// given up.
std::optional<FoldScore> evaluate_fold(const Evaluate& evaluate, const FoldTask& task);

// An object of texts, in the setting's order: {"hidden":"20","lambda-w":"0.01"}.
std::string setting_to_json(const Setting& setting);
// Nothing if it is not such an object.
std::optional<Setting> setting_from_json(std::string_view text);

}  // namespace knotwork::searching
