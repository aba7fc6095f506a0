// SPDX-License-Identifier: MIT
#include "figures/drawing/svg.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "figures/drawing/label_text.hpp"
#include "figures/drawing/test_xml.hpp"

namespace knotwork::figures {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Text, IsCleanedOfWhatDocumentsAndTerminalsCannotBear) {
  EXPECT_EQ(clean_text("gr\u00F6\u00DFer \u20AC \U0001F600"), "gr\u00F6\u00DFer \u20AC \U0001F600");
  EXPECT_EQ(clean_text("a\tb\nc"), "a b c");
  EXPECT_EQ(clean_text("\x1b[31m"), "\uFFFD[31m");
  EXPECT_EQ(clean_text("\u009B"), "\uFFFD");
  for (const char* bad : {"\xFF", "\x80", "\xC0", "\xF0"}) EXPECT_EQ(clean_text(bad), "\uFFFD");
  EXPECT_EQ(clean_text("\xE2\x82"), "\uFFFD\uFFFD");            // cut off
  EXPECT_EQ(clean_text("\xC1\x81"), "\uFFFD\uFFFD");            // an overlong encoding of A
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST(Text, IsMeasuredInCharacters) {
  EXPECT_EQ(count_characters("\u20ACx"), 2u);
  EXPECT_EQ(shortened("\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC", 5), "\u20AC\u20AC...");
  EXPECT_EQ(shortened("abcdef", 4), "abcd");
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(left_aligned("a", 3) + "|", "a  |");
  EXPECT_EQ(right_aligned("a", 3), "  a");
  EXPECT_EQ(centered("\u20AC", 3) + "|", " \u20AC |");
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("unbreakable", 8), ElementsAre("unbre..."));
}

// The same as shortening by one character at a time, which takes too long for long texts.
TEST(Text, FitsAsFarAsItsWidthAllows) {
  for (const std::string unit : {"i", "m", "n", "\u20AC", "ilm "}) {
    for (const std::size_t units : {0u, 1u, 3u, 8u, 9u, 40u, 41u, 300u}) {
      std::string text;
      for (std::size_t k = 0; k < units; ++k) text += unit;
      for (const double width : {-1.0, 0.0, 3.0, 11.4, 30.0, 38.0, 110.0}) {
        std::string end = text, inside = text;
        for (std::size_t length = count_characters(text); length > 0; --length) {
          if (text_width(end, 10) > width) end = shortened(text, length - 1);
          if (text_width(inside, 10) > width) inside = shortened_inside(text, length - 1);
        }
        EXPECT_EQ(fitting_text(text, 10, width), end) << text << " in " << width;
        EXPECT_EQ(fitting_ends(text, 10, width), inside) << text << " in " << width;
      }
    }
  }
}

TEST(Svg, NumbersHaveFewDigits) {
  EXPECT_EQ(svg_number(1.0 / 3), "0.33");
  EXPECT_EQ(svg_number(100), "100");
  EXPECT_EQ(svg_number(2.5), "2.5");
  EXPECT_EQ(svg_number(-0.001), "0");
}

TEST(Svg, DocumentHasTitleDescriptionAndSize) {
  const std::string document = Svg(30, 20, "a < b", "c & \"d\"").finish();
  const std::vector<Element> all = XmlReader::read(document);
  EXPECT_EQ(all[0].attributes.at("viewBox"), "0 0 30 20");
  EXPECT_EQ(all[0].attributes.at("xmlns"), "http://www.w3.org/2000/svg");
  EXPECT_EQ(all[1].name + ": " + all[1].text, "title: a &lt; b");
  EXPECT_EQ(all[2].name + ": " + all[2].text, "desc: c &amp; &quot;d&quot;");
}

TEST(Svg, ExponentsAreRaisedAndWhatFollowsIsNot) {
  Svg svg(9, 9, "", "");
  svg.text(0, 0, "-2^-3, 5^x ^", {});
  EXPECT_THAT(std::move(svg).finish(),
              ::testing::HasSubstr(">\u22122<tspan dy=\"-0.45em\" font-size=\"75%\">\u22123</tspan>"
                                   "<tspan dy=\"0.34em\">, 5^x ^</tspan></text>"));
}

TEST(Svg, CurvesAreInterruptedWherePointsAreNotFinite) {
  Svg svg(9, 9, "", "");
  svg.curve({{NAN, 0}, {1, 1}, {2, INFINITY}, {3, 3}, {4, 4}, {5, NAN}, {6, 6}, {7, 7}}, {});
  svg.curve({{NAN, NAN}}, {});
  svg.curve({}, {});
  const std::string document = std::move(svg).finish();
  const std::vector<Element> paths = elements_named(document, "path");
  ASSERT_THAT(paths, SizeIs(1));
  EXPECT_EQ(paths[0].attributes.at("d"), "M3,3 L4,4 M6,6 L7,7");
  EXPECT_THAT(elements_named(document, "circle"), SizeIs(1));  // the single point
}

TEST(Svg, ManyMarkersOrRectanglesAreOneElement) {
  Svg svg(99, 99, "", "");
  svg.markers(Marker::disc, {{1.26, 2}, {NAN, 3}, {4, INFINITY}, {5, 6}}, 2, "#123456", 0.5);
  svg.markers(Marker::diamond, {{9, 20}}, 10, "#123456");
  svg.markers(Marker::disc, {{NAN, NAN}}, 2, "#123456");
  svg.rectangles({{1, 2, 3, 4}, {5, 6, 7.5, 8}}, "#abcdef");
  svg.rectangles({}, "#abcdef");
  const std::vector<Element> paths = elements_named(std::move(svg).finish(), "path");
  ASSERT_THAT(paths, SizeIs(3));
  EXPECT_EQ(paths[0].attributes.at("d"), "M1.3,2h0M5,6h0");
  EXPECT_EQ(paths[0].attributes.at("stroke-width"), "4");
  EXPECT_EQ(paths[0].attributes.at("stroke-linecap"), "round");
  EXPECT_EQ(paths[0].attributes.at("opacity"), "0.5");
  EXPECT_EQ(paths[1].attributes.at("d"), "M9,7l13,13l-13,13l-13-13z");
  EXPECT_FALSE(paths[1].attributes.contains("opacity"));
  EXPECT_EQ(paths[2].attributes.at("d"), "M1,2h3v4h-3zM5,6h7.5v8h-7.5z");
}

RC_GTEST_PROP(Svg, AnyTextGivesAWellFormedDocument, (const std::string& text)) {
  Svg svg(9, 9, text, text);
  svg.text(0, 0, text, {});
  XmlReader::read(std::move(svg).finish());
}

TEST(TestXml, NoticesWhatIsNotWellFormed) {
  for (const char* bad : {"<a>", "<a></b>", "<a/><b/>", "<a>&x;</a>", "<a b=\"<\"/>", "x<a/>",
                          "<a b=\"1\" b=\"2\"/>", "<a>\x01</a>"}) {
    EXPECT_THROW(XmlReader::read(bad), std::runtime_error) << bad;
  }
  const std::string page = "<a width=\"9\" height=\"9\"><b x=\"";
  EXPECT_NO_THROW(check_page(page + "9\"/></a>"));
  for (const char* bad : {"nan", "-inf", "1e30", "-11"}) {
    EXPECT_THROW(check_page(page + bad + "\"/></a>"), std::runtime_error) << bad;
  }
}

}  // namespace
}  // namespace knotwork::figures
