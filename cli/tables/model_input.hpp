// SPDX-License-Identifier: MIT
// MODEL on the command line, and remarks on tables for which it is used.
#pragma once

#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {

inline constexpr const char* kModelHelp = "a model file written by knotwork train";

// Throws an Error that says if the file is a table, a study, or no model at all.
Model read_model(const std::string& path);

// What the model has not seen before in the table, one sentence for each kind.
std::vector<std::string> remarks_on(const Table& table, const Model& model);
std::vector<std::string> remarks_on(const EncodingReport& report);

}  // namespace knotwork::cli
