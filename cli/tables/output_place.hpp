// SPDX-License-Identifier: MIT
// The place of a result: what exists there already, and whether it may be replaced.
#pragma once

#include <string>

namespace knotwork::cli {

// A model may replace only a model, and a checkpoint only a checkpoint. A text (table,
// configuration, figure, script) may replace anything except models, checkpoints, studies, table
// files and .npy files. A table may replace table files and .npy files too. Throws bad_option
// otherwise.
void check_place_of_model(const std::string& option, const std::string& out);
void check_place_of_checkpoint(const std::string& option, const std::string& out);
void check_place_of_text(const std::string& option, const std::string& out);
void check_place_of_table(const std::string& option, const std::string& out);

}  // namespace knotwork::cli
