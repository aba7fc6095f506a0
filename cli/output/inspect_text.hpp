// SPDX-License-Identifier: MIT
// The description of a model that inspect prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/output/printing.hpp"

#include <knotwork/model.hpp>

namespace knotwork::cli {

inline constexpr std::size_t kIndent = 11;  // of all lines beside headings
// A heading, with its lines beside it.
Lines section(const std::string& heading, const Lines& lines);

// Nothing if the model came through a pipe.
std::optional<std::uintmax_t> size_of_file(const std::string& path);

// `path` is the model's file; lists are broken into lines of at most `width` characters.
Lines describe_model(const Model& model, const std::string& path, std::size_t width);

}  // namespace knotwork::cli
