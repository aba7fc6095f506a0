// SPDX-License-Identifier: MIT
// The commands of the program. Each adds its options to the parser and returns what to run.
#pragma once

#include <functional>

#include "cli/options/parser.hpp"
#include "cli/program/exit_code.hpp"

namespace knotwork::cli {

// Runs the command after parsing and returns the exit code.
using Run = std::function<int()>;

struct Command {
  App app;
  Run run;
  // Whether the command runs on all ranks and shares its work; otherwise it runs on the first rank
  // alone.
  bool shares_work = false;
};

Command add_train(App program);
Command add_tune(App program);
Command add_compare(App program);
Command add_predict(App program);
Command add_evaluate(App program);
Command add_inspect(App program);
Command add_report(App program);
Command add_export(App program);
Command add_convert(App program);
Command add_datasets(App program);
Command add_reproduce(App program);
Command add_completion(App program);
Command add_help(App program);

}  // namespace knotwork::cli
