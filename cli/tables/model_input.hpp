// SPDX-License-Identifier: MIT
// MODEL on the command line, and remarks on tables that it is used for.
#pragma once

#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kModelHelp = "a model file, as train writes it";

// Says so when the file is a table or a study, or no model at all.
Model read_model(const std::string& path);

// What in the table was new to the model, one sentence for each kind of thing.
std::vector<std::string> remarks_on(const Table& table, const Model& model);
std::vector<std::string> remarks_on(const EncodingReport& report);

}  // namespace knotwork::cli
