// SPDX-License-Identifier: MIT
// The output of commands: scores in words, files, and where results go.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/output/printing.hpp"

#include <knotwork/metrics.hpp>

namespace knotwork::cli {

std::string describe(const Scores& scores);
std::string describe(const IntervalScores& interval);
// Rows are true classes, columns are predicted classes; empty if there are too many classes to
// show.
Lines confusion_table(const ClassScores& scores, const std::vector<std::string>& classes);

// Writes the whole file or nothing.
void write_text(const std::filesystem::path& path, const std::string& text);
// Throws bad_file if the folder does not exist and cannot be made.
void make_folder(const std::string& folder);

// The width of a terminal, or `otherwise` if the descriptor is not a terminal.
std::size_t terminal_width(int descriptor, std::size_t otherwise);

// --out - means standard output.
inline bool is_standard_output(const std::string& out) {
  return out.empty() || out == "-";
}
// Whether the paths lead to one file, which need not exist.
bool lead_to_one_file(const std::string& a, const std::string& b);
// Throws bad_option if a result would replace a file that the command reads.
void check_not_an_input(const std::string& option, const std::string& out,
                        const std::vector<std::string>& inputs);

}  // namespace knotwork::cli
