// SPDX-License-Identifier: MIT
// The only way to standard output and standard error. Names, categories, remarks and messages come
// from tables, models and studies of strangers. A text for people is therefore printed as lines,
// and all control characters inside a line are made visible, also line ends: "age\nsaved in x" is
// printed as age\nsaved in x. No text can begin a line that the program did not begin itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output/document.hpp"

namespace knotwork::cli {

using Lines = std::vector<std::string>;

// To standard output. Throws failed_run if it cannot be written (a full disk). If nobody reads it
// any more, the program ends without a message.
void print_lines(const Lines& lines);
void print_document(const Json& document);
// Result files such as CSV and models: every byte as it is, but to a terminal visibly, too. Only
// the files that a rule lists may call this.
void print_data(std::string_view bytes);

// To standard error. A failure to write is ignored, because a full log must not end a training.
void print_lines_aside(const Lines& lines);
// Each remark on a line that begins with the name of the program.
void print_remarks(const std::vector<std::string>& remarks);
// Replaces the line at the cursor of a terminal by this one, which may be empty.
void redraw_line_aside(std::string_view line);

void add_lines(Lines& lines, const Lines& more);
// Splits a text that the program composed itself, such as its help. Only the files that a rule
// lists may call this.
Lines lines_of_own_text(std::string_view text);

}  // namespace knotwork::cli
