// SPDX-License-Identifier: MIT
// Options of train that other commands take too: the same names, the same checks.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include <knotwork/options.hpp>

namespace knotwork::cli {

// `name` is one of train_option_fields(); `options` must outlive parsing.
void add_shared_option(CLI::App& app, const std::string& name, const std::string& help,
                       TrainOptions& options);

}  // namespace knotwork::cli
