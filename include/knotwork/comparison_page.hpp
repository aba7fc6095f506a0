// SPDX-License-Identifier: MIT
// What a comparison found, for people: a table of cells, and a page of HTML.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <knotwork/comparison.hpp>
#include <knotwork/export.hpp>

namespace knotwork {

// The best first: rank, name, score, accuracy (of classes), parameters, processor seconds of one
// training, difference to the first variant, its p and the adjusted p. The first line has the heads
// of the columns. Cells that would say nothing are empty.
KNOTWORK_API std::vector<std::vector<std::string>> comparison_cells(const ComparisonResult& result);
KNOTWORK_API std::string comparison_markdown(const ComparisonResult& result);
// What the columns of the test mean, in two sentences.
KNOTWORK_API std::string explain_test(const ComparisonResult& result);

struct ComparisonPage {
  std::string title;
  std::string command;                                     // that was run
  std::vector<std::pair<std::string, std::string>> facts;  // "rows" -> "1030"
};
// One file that needs no other and no network: the table, a figure of all scores, the explanation
// of the test, the chosen penalties, the facts, the command and the version of the library. It is
// well-formed XML after its first line, adapts to light and dark, to narrow screens and to paper.
KNOTWORK_API std::string comparison_page(const ComparisonResult& result,
                                         const ComparisonPage& page);

}  // namespace knotwork
