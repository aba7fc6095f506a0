// SPDX-License-Identifier: MIT
// Tests the table of combinations in docs/regularization.md: every cell is tried.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "checks.hpp"
#include "markdown.hpp"

#include <knotwork/knotwork.hpp>

namespace knotwork::docs {
namespace {

using Row = std::vector<std::string>;

// Cells between the bars, without blanks and backticks.
Row cells_of(const std::string& line) {
  Row cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    std::erase_if(cell, [](char c) { return c == ' ' || c == '`'; });
    cells.push_back(cell);
  }
  return cells;
}

std::vector<Row> combinations() {
  std::vector<Row> rows;
  bool inside = false;
  const std::filesystem::path page =
      std::filesystem::path(KNOTWORK_SOURCE_DIR) / "docs/regularization.md";
  for (const std::string& line : split_lines(read_text(page))) {
    if (line == "<!-- end of combinations -->") break;
    if (inside && line.starts_with("| ")) rows.push_back(cells_of(line));
    inside = inside || line == "<!-- combinations -->";
  }
  return rows;
}

const std::map<std::string, std::string> kSamples = {
    {"lambda-w", "0.01"},     {"lambda-q", "0.01"},
    {"lambda-slope", "0.01"}, {"lambda-curvature", "0.01"},
    {"free-bias", "true"},    {"weight-decay", "0.01"},
    {"lambda-w1", "0.01"},    {"lambda-kinks", "0.01"},
    {"monotone", "true"},     {"max-slope", "0.5"},
    {"monotone-in", "x1"},    {"penalty-schedule", "lambda-w=1..0.1"},
    {"warm-path", "0.1,1"},   {"warm-path-q", "0.1,1"},
    {"lambda-bank", "0.01"},  {"dropout", "0.5"}};

TrainOptions plain(const std::string& column) {
  TrainOptions options;
  options.hidden = {3};
  options.output_activation = "same";
  options.iterations = 3;
  options.rate = 0.01;
  const bool is_basis = spline_bases().find(column) != nullptr;
  options.optimizer = is_basis ? "adamw" : column;
  options.spline.basis = is_basis ? column : "b-spline";
  return options;
}

// "yes" if the option leads to another model of the table than without it; otherwise the message.
std::string outcome(const std::string& option, const std::string& column) {
  static const Table table = make_builtin("friedman1", 60);
  TrainOptions options = plain(column);
  if (option == "lambda-bank") options.input_splines = 2;
  const std::string without = train({table, {}, options.seed}, options).parameters_sha256();
  try {
    set_option(options, option, kSamples.at(option));
    return train({table, {}, options.seed}, options).parameters_sha256() == without
               ? "it has no effect"
               : "yes";
  } catch (const Error& error) {
    return error.kind() == ErrorKind::bad_option ? error.what() : "it fails";
  }
}

TEST(Combinations, EveryCellOfTheTableIsTrue) {
  const std::vector<Row> rows = combinations();
  ASSERT_GT(rows.size(), 1u);
  Row columns = builtin_optimizers().names();
  for (const std::string& basis : spline_bases().names()) columns.push_back(basis);
  const Row heading(rows[0].begin() + 1, rows[0].end());
  ASSERT_THAT(heading, ::testing::UnorderedElementsAreArray(columns));
  for (std::size_t r = 1; r < rows.size(); ++r) {
    ASSERT_EQ(rows[r].size(), heading.size() + 1);
    ASSERT_TRUE(rows[r][0].starts_with("--"));
    const std::string option = rows[r][0].substr(2);
    ASSERT_TRUE(kSamples.contains(option)) << option;
    for (std::size_t c = 0; c < heading.size(); ++c) {
      const std::string said = outcome(option, heading[c]);
      if (rows[r][c + 1] == "yes") {
        EXPECT_EQ(said, "yes") << option << " with " << heading[c];
      } else {
        EXPECT_EQ(rows[r][c + 1], "no");
        EXPECT_TRUE(said.starts_with(option)) << option << " with " << heading[c] << ": " << said;
      }
    }
  }
}

TEST(Combinations, EveryPenaltyAndConstraintHasARow) {
  Row there;
  for (const Row& row : combinations()) there.push_back(row[0]);
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    EXPECT_THAT(there, ::testing::Contains("--" + lambda_field(entry.name).name));
  }
  for (const auto& [option, sample] : kSamples) {
    EXPECT_THAT(there, ::testing::Contains("--" + option));
  }
}

}  // namespace
}  // namespace knotwork::docs
