// SPDX-License-Identifier: MIT
#include <limits>
#include <string>

#include <knotwork/comparison.hpp>
#include <knotwork/version.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/drawing/test_xml.hpp"

namespace knotwork::report {
namespace {

using namespace figures;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

VariantResult variant(const std::string& name, const std::vector<double>& scores,
                      std::size_t rank) {
  VariantResult result;
  result.variant.name = name;
  result.variant.tuned = {"lambda-w"};
  for (const double score : scores) {
    result.rounds.push_back({.score = score, .chosen = {{"lambda-w", "0.001"}}});
  }
  result.score = mean_deviation(scores);
  result.parameters = 41;
  result.seconds = {0.123, 0.01};
  result.rank = rank;
  return result;
}

// The reference variant is in the middle.
ComparisonResult sample() {
  ComparisonResult result;
  result.score_name = "NRMSE";
  result.rows = 60;
  result.variants = {variant("spline", {0.3, 0.5}, 2), variant("a|b<c", {0.2, 0.3}, 1),
                     variant("wild", {0.5, kInfinity}, 3)};
  result.variants[1].against_first = PairedTest{-0.15, -3, 1, 0.0004};
  result.variants[1].adjusted_p = 0.02;
  result.variants[2].score = {kInfinity, kInfinity};
  result.variants[2].rounds[1].failure = "The objective is inf & <more>.";
  return result;
}

std::string page_of(const ComparisonResult& result) {
  return comparison_page(result, {.title = "3 variants on a<b.csv",
                                  .command = "knotwork compare 'a<b.csv' --activations all",
                                  .facts = {{"rows", "60"}}});
}

// The page without its first line, which is not XML.
std::string xml_of(const std::string& page) {
  return page.substr(page.find('\n') + 1);
}

TEST(ComparisonCells, HaveTheBestFirst) {
  EXPECT_THAT(
      comparison_cells(sample()),
      ElementsAre(
          ElementsAre("rank", "variant", "NRMSE", "parameters", "seconds", "difference", "p",
                      "adjusted p"),
          ElementsAre("1", "a|b<c", "0.2500 ± 0.0707", "41", "0.12", "-0.1500", "< 0.001", "0.020"),
          ElementsAre("2", "spline", "0.4000 ± 0.1414", "41", "0.12", "reference", "", ""),
          ElementsAre("3", "wild", "failed", "41", "0.12", "", "", "")));
}

TEST(ComparisonCells, HaveAnAccuracyForClasses) {
  ComparisonResult result = sample();
  result.classes = true;
  result.score_name = "log loss";
  result.variants[0].accuracy = MeanDeviation{0.9, 0.05};
  const auto cells = comparison_cells(result);
  EXPECT_EQ(cells[0][2], "log loss");
  EXPECT_EQ(cells[0][3], "accuracy");
  EXPECT_EQ(cells[2][3], "0.9000 ± 0.0500");
  EXPECT_EQ(cells[3][3], "");
}

TEST(ComparisonMarkdown, IsATable) {
  const std::string text = comparison_markdown(sample());
  EXPECT_THAT(text, HasSubstr("| rank | variant | NRMSE |"));
  EXPECT_THAT(text, HasSubstr("\n|--:|---|--:|--:|--:|--:|--:|--:|\n"));
  EXPECT_THAT(text, HasSubstr("| 1 | a\\|b<c | 0.2500 ± 0.0707 |"));
}

TEST(ComparisonPage, IsWellFormed) {
  const std::string page = page_of(sample());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_NO_THROW(XmlReader::read(xml_of(page)));
}

TEST(ComparisonPage, NeedsNoOtherFileAndNoNetwork) {
  const std::string page = page_of(sample());
  for (const char* word : {"src=", "href=", "@import", "url(", "<script", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(word)));
  }
}

TEST(ComparisonPage, HasATableWithHeads) {
  const std::string xml = xml_of(page_of(sample()));
  std::vector<std::string> rows, columns;
  for (const Element& head : elements_named(xml, "th")) {
    (head.attributes.at("scope") == "row" ? rows : columns).push_back(head.text);
  }
  EXPECT_THAT(rows, ElementsAre("a|b&lt;c", "spline", "wild"));
  EXPECT_THAT(columns, SizeIs(8));
  EXPECT_THAT(elements_named(xml, "caption"), SizeIs(1));
  EXPECT_THAT(elements_named(xml, "svg"), SizeIs(1));
  EXPECT_THAT(elements_named(xml, "circle"), SizeIs(1 + 5));  // the legend and the finite scores
}

TEST(ComparisonPage, TellsWhatWasRunAndWhatTheTestMeans) {
  const std::string page = page_of(sample());
  EXPECT_THAT(page, HasSubstr("knotwork compare 'a&lt;b.csv' --activations all"));
  EXPECT_THAT(page, HasSubstr("Knotwork " KNOTWORK_VERSION_STRING));
  EXPECT_THAT(page, HasSubstr("Nadeau and Bengio"));
  EXPECT_THAT(page, HasSubstr("number of tests into account, here 1"));
  EXPECT_THAT(page, HasSubstr("A fold failed: The objective is inf &amp; &lt;more&gt;."));
}

TEST(ComparisonPage, AdaptsToDarkNarrowAndPaper) {
  const std::string page = page_of(sample());
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("width=device-width"));
  EXPECT_THAT(page, HasSubstr("@media print"));
}

}  // namespace
}  // namespace knotwork::report
