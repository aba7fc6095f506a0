// SPDX-License-Identifier: MIT
// The description of a model that inspect prints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork::cli {

// A heading, with its lines beside it.
std::string section(const std::string& heading, const std::vector<std::string>& lines);

// `path` is the model's file; lists are broken into lines of at most `width` characters.
std::string describe_model(const Model& model, const std::string& path, std::size_t width);

}  // namespace knotwork::cli
