// SPDX-License-Identifier: MIT
// The commands of the program. Each adds its options to the parser and returns what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/exit_code.hpp"

namespace knotwork::cli {

// Runs the command after parsing and returns the exit code.
using Run = std::function<int()>;

struct Command {
  CLI::App* app;
  Run run;
  // Whether it is made for several ranks, and runs on all; otherwise it runs on the first alone.
  bool shares_work = false;
};

Command add_train(CLI::App& program);
Command add_tune(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_predict(CLI::App& program);
Command add_evaluate(CLI::App& program);
Command add_inspect(CLI::App& program);
Command add_report(CLI::App& program);
Command add_export(CLI::App& program);
Command add_convert(CLI::App& program);
Command add_datasets(CLI::App& program);
Command add_reproduce(CLI::App& program);
Command add_completion(CLI::App& program);
Command add_help(CLI::App& program);

}  // namespace knotwork::cli
