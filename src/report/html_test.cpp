// SPDX-License-Identifier: MIT
// Tests of the building blocks of pages: markup, wording, compact figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "figures/drawing/svg.hpp"
#include "figures/drawing/test_xml.hpp"
#include "report/base64.hpp"
#include "report/compact_svg.hpp"
#include "report/html.hpp"
#include "report/wording.hpp"

namespace knotwork::report {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Html, EscapesTexts) {
  EXPECT_EQ(paragraph("a < b & \"c\""), "<p>a &lt; b &amp; &quot;c&quot;</p>\n");
  EXPECT_THAT(definition_list({{"<", ">"}}), HasSubstr("<dt>&lt;</dt><dd>&gt;</dd>"));
  EXPECT_THAT(bullet_list({"&"}), HasSubstr("<li>&amp;</li>"));
  EXPECT_EQ(bullet_list({}), "");
}

TEST(Html, TablesTellHeadsFromCells) {
  const std::string table = html_table({.label = "l",
                                        .caption = "c",
                                        .heads = {"name", "kind", "x"},
                                        .rows = {{"a", "b", "1"}, {"c", "d", "2"}},
                                        .reference = 1,
                                        .text_columns = 1});
  EXPECT_THAT(table, HasSubstr("<tr><th scope=\"row\">a</th><td class=\"name\">b</td><td>1</td>"));
  EXPECT_THAT(table, HasSubstr("<tr class=\"reference\"><th scope=\"row\">c</th>"));
  EXPECT_THAT(figures::elements_named(table, "th"), SizeIs(3 + 2));
}

// The digest that browsers compare with styles and scripts, here of the empty text.
TEST(Html, ThePolicyNamesWhatMayRun) {
  const PageFile nothing{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"};
  const std::string page =
      html_document({.title = "t", .styles = {nothing}, .script = nothing, .body = ""});
  const std::string source = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
  EXPECT_THAT(page, HasSubstr("style-src " + source + "; script-src " + source + "\""));
}

TEST(Html, FilesOfThePageAreWhole) {
  EXPECT_TRUE(page_style().text.starts_with("/* SPDX-License-Identifier: MIT */\n"));
  EXPECT_TRUE(report_script().text.ends_with("})();\n"));
  for (const PageFile& file : {page_style(), report_style(), report_script()}) {
    EXPECT_THAT(std::string(file.sha256), SizeIs(64));
    EXPECT_EQ(file.text.find('\r'), std::string_view::npos);
    EXPECT_EQ(file.text.find("</"), std::string_view::npos) << "would end its element";
    EXPECT_EQ(file.text.find("<!--"), std::string_view::npos);
  }
}

TEST(Base64, IsThatOfTheStandard) {
  const auto of = [](std::string_view text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(of("\xff\xfe\xfd"), "//79");
}

TEST(Wording, NumbersHaveFourDigitsThatSaySomething) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.123456), "0.1235");
  EXPECT_EQ(short_number(0.00012345), "0.0001234");
  EXPECT_EQ(short_number(12.3), "12.3");
  EXPECT_EQ(short_number(-1.5), "\u22121.5");
  EXPECT_EQ(short_number(123456.7), "123457");
  EXPECT_EQ(short_number(1.2346e-7), "1.235·10⁻⁷");
  EXPECT_EQ(short_number(-2e12), "\u22122·10¹²");
  EXPECT_EQ(short_number(NAN), "–");
  EXPECT_EQ(short_number(INFINITY), "–");
}

TEST(Wording, SharesAreInPercent) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.0123), "1.2 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(1e-5), "< 0.1 %");
  EXPECT_EQ(percent(0.99999), "> 99.9 %");
}

TEST(Wording, SentencesFitTheirNumbers) {
  EXPECT_EQ(count(1, "row"), "1 row");
  EXPECT_EQ(count(0, "row"), "0 rows");
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "a, b and 1 more");
  EXPECT_EQ(duration(3723), "1:02:03 h");
}

TEST(CompactSvg, SaysOnceWhatNeighborsShare) {
  figures::Svg svg(100, 50, "t", "d");
  for (int k = 0; k < 3; ++k) svg.line(k, 0, k, 50, {"#e6e6e6", 1});
  svg.line(0, 7, 100, 7, {"#e6e6e6", 1});
  svg.line(0, 9, 100, 9, {"#123456", 1});
  for (int k = 0; k < 2; ++k) svg.rectangle({10.0 * k, 5, 3, 4}, "#dcdcdc");
  for (int k = 0; k < 3; ++k) svg.marker(figures::Marker::ring, k, k, 2, "#12355b");
  for (int k = 0; k < 2; ++k) svg.text(k, 10, k == 0 ? "a" : "b", {});
  const std::string document = std::move(svg).finish();
  const std::string compact = compact_svg(document);
  const auto paths = figures::elements_named(compact, "path");
  ASSERT_THAT(paths, SizeIs(2));
  EXPECT_EQ(paths[0].attributes.at("d"), "M0,0V50M1,0V50M2,0V50M0,7H100");
  EXPECT_EQ(paths[1].attributes.at("d"), "M0,5h3v4h-3zM10,5h3v4h-3z");
  EXPECT_THAT(figures::elements_named(compact, "line"), SizeIs(1));
  EXPECT_THAT(figures::elements_named(compact, "rect"), SizeIs(0)) << "no white ground";
  EXPECT_THAT(figures::elements_named(compact, "circle"), SizeIs(3));
  EXPECT_THAT(figures::elements_named(compact, "text"), SizeIs(2));
  const auto groups = figures::elements_named(compact, "g");
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].attributes.at("stroke"), "#12355b");
  EXPECT_EQ(groups[1].text, "ab");
  EXPECT_LT(compact.size(), 0.7 * static_cast<double>(document.size()));
}

TEST(CompactSvg, LeavesTheRestAsItIs) {
  figures::Svg svg(100, 50, "t", "d");
  svg.outline({1, 2, 3, 4}, {}, "class=\"frame\" data-x=\"0 1 linear\"");
  svg.outline({1, 2, 3, 4}, {}, "class=\"frame\" data-x=\"0 1 linear\"");
  svg.curve({{0, 0}, {1, 1}}, {}, "learned");
  svg.text(1, 2, "2^-3", {.upwards = true});
  const std::string document = std::move(svg).finish();
  const std::string ground =
      "<rect x=\"0\" y=\"0\" width=\"100\" height=\"50\" fill=\"#ffffff\"/>\n";
  std::string expected = document;
  expected.erase(expected.find(ground), ground.size());
  EXPECT_EQ(compact_svg(document), expected);
}

TEST(Wording, EveryEndOfATrainingHasItsOwnWords) {
  std::set<std::string_view> words;
  for (const StopReason reason :
       {StopReason::iterations, StopReason::evaluations, StopReason::gradient_norm,
        StopReason::relative_decrease, StopReason::time, StopReason::requested,
        StopReason::no_progress, StopReason::non_finite, StopReason::early_stopping}) {
    EXPECT_FALSE(in_words(reason).empty());
    words.insert(in_words(reason));
  }
  EXPECT_EQ(words.size(), 9u);
}

}  // namespace
}  // namespace knotwork::report
