// SPDX-License-Identifier: MIT
// Where a result goes: what stands there already, and whether it may be replaced.
#pragma once

#include <string>

namespace knotwork::cli {

// A model may replace a model or nothing, a checkpoint a checkpoint or nothing; a text (table,
// configuration, figure, script) all but these, a study and a table file or .npy, which a table may
// replace, too. Throws bad_option otherwise.
void check_place_of_model(const std::string& option, const std::string& out);
void check_place_of_checkpoint(const std::string& option, const std::string& out);
void check_place_of_text(const std::string& option, const std::string& out);
void check_place_of_table(const std::string& option, const std::string& out);

}  // namespace knotwork::cli
