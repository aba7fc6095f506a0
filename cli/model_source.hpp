// SPDX-License-Identifier: MIT
// MODEL on the command line, and tables read for it.
#pragma once

#include <string>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kModelHelp = "a model file, as train writes it";

// Says so when the file is a table, or no model at all.
Model read_model(const std::string& path);
// Throws bad_option when a table would be written over a model.
void check_not_a_model(const std::string& option, const std::string& out);

// The columns that the model needs, with what they are, and `more` that are numbers. Other columns
// are not looked at.
CsvOptions columns_for(const Model& model, CsvOptions csv,
                       const std::vector<std::string>& more = {});

// What in the table was new to the model, one sentence for each kind of thing.
std::vector<std::string> remarks_on(const Table& table, const Model& model);

}  // namespace knotwork::cli
