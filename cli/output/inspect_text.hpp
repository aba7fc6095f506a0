// SPDX-License-Identifier: MIT
// A model for people to read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork::cli {

// A heading, and its lines beside it.
std::string section(const std::string& heading, const std::vector<std::string>& lines);

// `path` is where it was read from; lines of lists are broken at `width`.
std::string describe_model(const Model& model, const std::string& path, std::size_t width);

}  // namespace knotwork::cli
