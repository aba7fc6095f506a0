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

// Throws an Error that says whether the file is a table, a study, or something else that is not a
// model.
Model read_model(const std::string& path);

// Remarks on what the table contains that the training rows did not, one sentence for each kind;
// for a table, after the remarks of its reader.
std::vector<std::string> remarks_on(const Table& table, const Model& model);
std::vector<std::string> remarks_on(const EncodingReport& report);

}  // namespace knotwork::cli
