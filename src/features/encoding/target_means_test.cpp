// SPDX-License-Identifier: MIT
#include "features/encoding/target_means.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "features/encoding/encoding_fit.hpp"

#include <knotwork/random.hpp>

namespace knotwork::features::target_means_test {
namespace {

using ::testing::ElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

// A table of one text column; an empty text is a missing cell.
Table table_of(const Texts& cells) {
  std::set<std::string> different(cells.begin(), cells.end());
  different.erase("");
  const Texts labels(different.begin(), different.end());
  Numbers indices;
  for (const std::string& cell : cells) {
    const auto at = std::lower_bound(labels.begin(), labels.end(), cell);
    indices.push_back(cell.empty() ? kNaN : static_cast<double>(at - labels.begin()));
  }
  return {.source = "some.csv", .names = {"t"}, .columns = {indices}, .labels = {labels}};
}

struct Fitted {
  std::vector<InputColumn> inputs;
  OutOfFold out_of_fold;
  std::vector<std::uint8_t> folds;
};

std::vector<std::size_t> counted(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Fits all rows in `pieces` pieces, merged at the end.
Fitted fit(const Texts& cells, const Numbers& targets, std::vector<std::uint8_t> folds,
           const Texts& classes = {}, std::size_t pieces = 1) {
  const Table table = table_of(cells);
  Texts means_of = {"y"};
  if (!classes.empty()) means_of = {classes.begin() + 1, classes.end()};
  const std::vector<std::size_t> columns = {0}, rows = counted(cells.size());
  const Texts keep = {"t"};
  EncodingFit encoding_fit(table, columns, {keep, 1, means_of});
  encoding_fit.see(table, 0, rows);
  Encoding encoding;
  encoding_fit.finish(encoding);
  Fitted fitted{std::move(encoding.inputs), {}, std::move(folds)};
  std::vector<TargetMeans> parts(
      pieces, TargetMeans(table, classes.size(), fitted.inputs, fitted.folds));
  const std::vector<Numbers> values = {targets};
  for (const std::size_t row : rows) {
    parts[row % pieces].see(table, 0, std::vector{row}, values);
  }
  for (std::size_t p = 1; p < pieces; ++p) parts[0].merge(parts[p].state());
  parts[0].finish(fitted.inputs, fitted.out_of_fold);
  return fitted;
}

// The definition in the header, row by row, for one text column and one target.
double reference(const Texts& cells, const Numbers& y, const std::vector<std::uint8_t>& folds,
                 const std::string& text, std::size_t without) {
  std::map<std::string, std::size_t> rows;
  for (const std::string& cell : cells) ++rows[cell];
  const auto group = [&](const std::string& cell) {
    return rows.at(cell) >= kFewestRowsOfText ? "text " + cell : std::string("rare");
  };
  const auto n = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  std::map<std::string, std::pair<double, double>> groups;  // rows, sum
  for (std::size_t r = 0; r < y.size(); ++r) {
    groups[group(cells[r])].first += 1;
    groups[group(cells[r])].second += y[r];
  }
  double between = 0, within = 0, squared_rows = 0;
  for (const auto& [name, sums] : groups) {
    between += sums.first * std::pow(sums.second / sums.first - mean, 2);
    squared_rows += sums.first * sums.first;
  }
  for (std::size_t r = 0; r < y.size(); ++r) {
    const auto& sums = groups[group(cells[r])];
    within += std::pow(y[r] - sums.second / sums.first, 2);
  }
  const auto k = static_cast<double>(groups.size());
  within /= std::max(1.0, n - k);
  const double texts = (between - (k - 1) * within) / std::max(1.0, n - squared_rows / n);
  if (!(texts > 0)) return mean;
  const double m = within / texts;
  double count = 0, sum = 0;
  for (std::size_t r = 0; r < y.size(); ++r) {
    if (group(cells[r]) != group(text) || folds[r] == without) continue;
    count += 1;
    sum += y[r];
  }
  return count > 0 ? (sum + m * mean) / (count + m) : mean;
}

struct Rows {
  Texts cells;
  Numbers targets;
  std::vector<std::uint8_t> folds;
};

Rows random_rows(std::size_t rows, std::size_t texts, std::uint64_t seed, double effect) {
  const Random random(seed, Purpose::builtin_inputs);
  Rows result;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint64_t text = random.below(texts, 2 * r);
    result.cells.push_back(text == 0 ? "" : "text " + std::to_string(text));
    result.targets.push_back(random.normal(2 * r + 1) +
                             effect * std::sin(static_cast<double>(text)));
  }
  result.folds = mean_folds(rows, {}, seed);
  return result;
}

TEST(TargetMeans, AreTheShrunkMeansOfTheDefinition) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Rows rows = random_rows(400, 40, seed, 1);
    const Fitted fitted = fit(rows.cells, rows.targets, rows.folds);
    const InputColumn& input = fitted.inputs.at(0);
    ASSERT_EQ(input.kind, InputKind::target_mean);
    const double prior = std::accumulate(rows.targets.begin(), rows.targets.end(), 0.0) / 400;
    EXPECT_NEAR(input.unseen, prior, 1e-12);
    for (std::size_t l = 0; l < input.levels->size(); ++l) {
      const std::string& text = (*input.levels)[l];
      EXPECT_NEAR(input.values[l], reference(rows.cells, rows.targets, rows.folds, text, 99), 1e-9);
      for (std::size_t fold = 0; fold < kMeanFolds; ++fold) {
        EXPECT_NEAR(fitted.out_of_fold.of_fold[fold].at(0).values[l],
                    reference(rows.cells, rows.targets, rows.folds, text, fold), 1e-9);
      }
    }
    EXPECT_NEAR(input.fill, reference(rows.cells, rows.targets, rows.folds, "", 99), 1e-9);
  }
}

// With one row changed, the rows of its fold see another prior at most: every text moves alike.
TEST(TargetMeans, NoRowSeesItsOwnTarget) {
  const Rows rows = random_rows(300, 12, 7, 2);
  const Fitted before = fit(rows.cells, rows.targets, rows.folds);
  const std::size_t fold = rows.folds[5];
  const auto& levels = *before.inputs[0].levels;
  const auto level = static_cast<std::size_t>(
      std::find(levels.begin(), levels.end(), rows.cells[5]) - levels.begin());
  ASSERT_LT(level, levels.size());
  double rest = 0, count = 0;
  for (std::size_t r = 0; r < rows.cells.size(); ++r) {
    if (rows.cells[r] != rows.cells[5] || rows.folds[r] == fold) continue;
    rest += rows.targets[r];
    ++count;
  }
  // Between the mean of the other folds and the prior, whatever the row's own target is.
  for (const double own : {-1e3, 0.0, 1e3}) {
    Numbers targets = rows.targets;
    targets[5] = own;
    const Fitted after = fit(rows.cells, targets, rows.folds);
    const double prior = after.inputs[0].unseen;
    const double value = after.out_of_fold.of_fold[fold].at(0).values[level];
    EXPECT_GE(value, std::min(prior, rest / count) - 1e-9);
    EXPECT_LE(value, std::max(prior, rest / count) + 1e-9);
  }
}

TEST(TargetMeans, TextsOfOneRowEachSayNothing) {
  Rows rows = random_rows(200, 12, 3, 1);
  for (std::size_t r = 0; r < 200; ++r) rows.cells[r] = "row " + std::to_string(r);
  const Fitted fitted = fit(rows.cells, rows.targets, rows.folds);
  for (const auto& inputs : fitted.out_of_fold.of_fold) {
    EXPECT_EQ(std::set<double>(inputs[0].values.begin(), inputs[0].values.end()).size(), 1u);
    EXPECT_EQ(inputs[0].values, fitted.inputs[0].values);
  }
}

TEST(TargetMeans, OfClassesAreSharesOfAllButTheFirst) {
  const Texts cells = {"a", "a", "a", "b", "b", "b", "a", "b", "a", "b"};
  const Numbers classes = {2, 2, 2, 0, 0, 1, 2, 0, 1, 0};
  const Fitted fitted =
      fit(cells, classes, std::vector<std::uint8_t>(cells.size(), 0), {"low", "mid", "high"});
  ASSERT_EQ(fitted.inputs.size(), 3u);
  EXPECT_EQ(fitted.inputs[0].name(), "t: mean of mid");
  EXPECT_EQ(fitted.inputs[1].name(), "t: mean of high");
  EXPECT_EQ(fitted.inputs[2].name(), "t: frequency");
  EXPECT_NEAR(fitted.inputs[1].unseen, 0.4, 1e-15);
  EXPECT_GT(fitted.inputs[1].values[0], 0.7);  // a: 4 of 5 are high
  EXPECT_LT(fitted.inputs[1].values[1], 0.1);
  EXPECT_DOUBLE_EQ(fitted.inputs[2].values[0], std::log1p(5.0));
}

RC_GTEST_PROP(TargetMeans, DoNotDependOnOrderNamesOrPieces, (std::uint64_t seed)) {
  const Rows rows = random_rows(60 + seed % 100, 3 + seed % 20, seed, 1);
  const Fitted wanted = fit(rows.cells, rows.targets, rows.folds);
  Rows turned = rows;
  std::reverse(turned.cells.begin(), turned.cells.end());
  std::reverse(turned.targets.begin(), turned.targets.end());
  const Fitted other = fit(turned.cells, turned.targets, mean_folds(turned.cells.size(), {}, 1));
  RC_ASSERT(other.inputs[0].values == wanted.inputs[0].values);
  RC_ASSERT(other.inputs[0].fill == wanted.inputs[0].fill);
  const Fitted pieces = fit(rows.cells, rows.targets, rows.folds, {}, 3);
  RC_ASSERT(pieces.inputs[0].values == wanted.inputs[0].values);
  for (std::size_t fold = 0; fold < kMeanFolds; ++fold) {
    RC_ASSERT(pieces.out_of_fold.of_fold[fold][0].values ==
              wanted.out_of_fold.of_fold[fold][0].values);
  }
  // Reversed texts have another order.
  Texts renamed = rows.cells;
  for (std::string& text : renamed) std::reverse(text.begin(), text.end());
  const Fitted named = fit(renamed, rows.targets, rows.folds);
  for (std::size_t r = 0; r < renamed.size(); ++r) {
    if (renamed[r].empty()) continue;
    RC_ASSERT(named.inputs[0].level_value(renamed[r]) ==
              wanted.inputs[0].level_value(rows.cells[r]));
  }
}

TEST(TargetMeans, RowsOfAGroupShareAFold) {
  Numbers groups;
  for (std::size_t r = 0; r < 100; ++r) groups.push_back(static_cast<double>(r / 4));
  const std::vector<std::uint8_t> folds = mean_folds(100, groups, 5);
  std::set<std::uint8_t> seen;
  for (std::size_t r = 0; r < 100; ++r) {
    EXPECT_EQ(folds[r], folds[r / 4 * 4]);
    seen.insert(folds[r]);
  }
  EXPECT_EQ(seen.size(), kMeanFolds);
}

TEST(TargetMeans, UnseenTextsHaveTheMeanOfAllRows) {
  const Rows rows = random_rows(300, 30, 11, 1);
  const Fitted fitted = fit(rows.cells, rows.targets, rows.folds);
  const Table table = table_of({"text 3", "never seen", "", "text 5"});
  const EncodedTable encoded(table, fitted.inputs);
  EXPECT_EQ(encoded(0, 0), fitted.inputs[0].level_value("text 3"));
  EXPECT_EQ(encoded(1, 0), fitted.inputs[0].unseen);
  EXPECT_EQ(encoded(2, 0), fitted.inputs[0].fill);
  EXPECT_EQ(encoded(3, 1), fitted.inputs[1].level_value("text 5"));
  EXPECT_EQ(encoded(1, 1), 0);
  const EncodingReport report = encoded.report();
  EXPECT_THAT(report.columns.at(0).unseen, ElementsAre("never seen"));
}

TEST(TextLevels, PointsOutSpellingsOfOneText) {
  const Table table = table_of({"Low Fat", "low fat", "LF", "Low Fat", "lowfat", "LF"});
  const Encoding encoding =
      fit_encoding(table, std::vector<std::size_t>{0}, counted(table.rows()));
  EXPECT_EQ(encoding.inputs.size(), 4u);
  EXPECT_THAT(encoding.remarks,
              ElementsAre(::testing::AllOf(::testing::HasSubstr("differ only in case or blanks"),
                                ::testing::HasSubstr("'Low Fat' and 'low fat'"))));
}

}  // namespace
}  // namespace knotwork::features::target_means_test
