// SPDX-License-Identifier: MIT
#include "experiments/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/test_support.hpp"

namespace knotwork::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPage =
    "# Results\n\nBefore.\n\n<!-- scenario1 -->\nold\n<!-- end of scenario1 -->\n\nAfter.\n"
    "<!-- cost -->\nkept\n<!-- end of cost -->\n";

TEST(Page, OnlyThePartOfTheScenarioIsReplaced) {
  EXPECT_EQ(replace_part(kPage, "scenario1", "new\n"),
            "# Results\n\nBefore.\n\n<!-- scenario1 -->\nnew\n<!-- end of scenario1 -->\n\nAfter.\n"
            "<!-- cost -->\nkept\n<!-- end of cost -->\n");
}

TEST(Page, WritingTwiceIsWritingOnce) {
  for (const std::string& page : {std::string(), std::string("# Results\n"), kPage}) {
    const std::string once = replace_part(page, "scenario2", "new\n");
    EXPECT_EQ(replace_part(once, "scenario2", "new\n"), once);
  }
}

TEST(Page, AMissingPartIsAddedAtTheEnd) {
  EXPECT_EQ(replace_part("# Results\n", "cost", "new\n"),
            "# Results\n\n<!-- cost -->\nnew\n<!-- end of cost -->\n");
}

TEST(Page, HalfAPartIsRefusedWithWhatIsNeeded) {
  for (const std::string page :
       {"<!-- cost -->\n", "<!-- end of cost -->\n", "<!-- end of cost -->\n<!-- cost -->\n"}) {
    EXPECT_THAT(message_of([&] { replace_part(page, "cost", "new\n"); }),
                HasSubstr("needs '<!-- cost -->' and below it '<!-- end of cost -->'"))
        << page;
  }
}

TEST(Page, APartTellsWhereItsNumbersComeFrom) {
  Report report{.scenario = "cost"};
  report.notes = {"As it was measured."};
  report.costs = {{"8-5-1", "float", 348, {1e-6, 2e-6}, {3e-6, 4e-6}}};
  report.figures = {{"a.svg", "Curves", "<svg/>"}};
  const Origin origin{"knotwork reproduce cost", "some processor, 2 cores"};
  const std::string part = page_part(report, origin, "figures");
  EXPECT_THAT(part, HasSubstr("| 8-5-1"));
  EXPECT_THAT(part, HasSubstr("- As it was measured.\n"));
  EXPECT_THAT(part, HasSubstr("some processor, 2 cores"));
  EXPECT_THAT(part, HasSubstr("\n    knotwork reproduce cost\n"));
  EXPECT_THAT(part, HasSubstr("![Curves](figures/a.svg)"));
  EXPECT_THAT(page_part(report, origin, ""), Not(HasSubstr("a.svg")));
}

TEST(Page, TheMachineIsNamedWithItsCores) {
  EXPECT_THAT(this_machine(), HasSubstr(" core"));
}

}  // namespace
}  // namespace knotwork::experiments
