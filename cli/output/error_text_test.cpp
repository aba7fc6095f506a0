// SPDX-License-Identifier: MIT
#include "cli/output/error_text.hpp"

#include <gtest/gtest.h>

#include "base/fail.hpp"

namespace knotwork::cli {
namespace {

TEST(ErrorText, ShowsOptionsAsOneWouldTypeThem) {
  EXPECT_EQ(as_typed({"missing", "n/a"}), "--missing n/a");
  EXPECT_EQ(as_typed({"missing", "-"}), "--missing=-");
  EXPECT_EQ(as_typed({"missing", "not known"}), "--missing 'not known'");
  EXPECT_EQ(as_typed({"missing", "don't"}), "--missing \"don't\"");
  EXPECT_EQ(as_typed({"missing", "gr\xC3\xB6"}), "--missing gr\xC3\xB6");
  EXPECT_EQ(as_typed({"delimiter", ";"}), "--delimiter ';'");
  EXPECT_EQ(as_typed({"resume", "true"}), "--resume");
  EXPECT_EQ(as_typed({"isa", ""}), "--isa");
}

TEST(ErrorText, WordsHintsAsThePlaceOfTheOptionWantsIt) {
  const Error error(ErrorKind::bad_option, of_option("optimizer"),
                    {.settings = {{"optimizer", "adam"}}}, "max-slope needs the optimizer adam.");
  EXPECT_EQ(error_text(error), "max-slope needs the optimizer adam; use --optimizer adam.");
  const Error configured = moved_to(error, {.option = "optimizer", .file = "run.toml", .line = 3});
  EXPECT_EQ(error_text(configured),
            "run.toml, line 3: max-slope needs the optimizer adam; write optimizer = \"adam\".");
}

TEST(ErrorText, WordsRemarks) {
  EXPECT_EQ(remark_texts({"So it is.", Remark({.settings = {{"drop", "id"}}}, "It is odd.")}),
            (std::vector<std::string>{"So it is.", "It is odd; use --drop id."}));
}

}  // namespace
}  // namespace knotwork::cli
