// SPDX-License-Identifier: MIT
// What the commands print: results on standard output, remarks on standard error.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/output/document.hpp"

#include <knotwork/metrics.hpp>

namespace knotwork::cli {

// Throws failed_run when standard output cannot take it (a full disk). If it is a pipe that nobody
// reads any more, the program ends quietly.
void print_result(const std::string& text);
void print_result(const Json& document);
std::string describe(const Scores& scores);
std::string describe(const IntervalScores& interval);
// Rows are true classes and columns predicted ones; nothing for more classes than can be looked at.
std::string confusion_table(const ClassScores& scores, const std::vector<std::string>& classes);

// Into a file, whole or not at all.
void write_text(const std::filesystem::path& path, const std::string& text);
// Throws bad_file when it is not there and cannot be made.
void make_folder(const std::string& folder);

// One line each on standard error.
void print_remarks(const std::vector<std::string>& remarks);
// To standard error as it is. What cannot be written there is lost, and nothing else: a log that is
// full must not end a training.
void print_aside(const std::string& text);

// Columns of a terminal, or `otherwise` if the descriptor is none.
std::size_t terminal_width(int descriptor, std::size_t otherwise);

// --out - is standard output.
inline bool is_standard_output(const std::string& out) {
  return out.empty() || out == "-";
}
// Whether or not something is there.
bool lead_to_one_file(const std::string& a, const std::string& b);
// Throws bad_option when a result would be written over a file that the command reads.
void check_not_an_input(const std::string& option, const std::string& out,
                        const std::vector<std::string>& inputs);

}  // namespace knotwork::cli
