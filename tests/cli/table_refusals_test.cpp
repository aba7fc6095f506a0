// SPDX-License-Identifier: MIT
// Tests tables that cannot be used: exit code 2 and one sentence that names the place and a remedy.
#include <fmt/format.h>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TableRefusals : public CliTest {
 protected:
  // x from 0 to 9, y = 2 x, with one row replaced.
  static std::string table_with(int line, const std::string& row) {
    std::string text = "x,y\n";
    for (int r = 0; r < 30; ++r) {
      text += r + 2 == line ? row + "\n" : fmt::format("{},{}\n", r % 10, 2 * (r % 10));
    }
    return text;
  }
  std::string refused(const std::string& table, Words options = {}) const {
    options.insert(options.begin(), {"train", "-"});
    const std::string sentence = refusal(options, table);
    EXPECT_THAT(folder_.names(), IsEmpty());
    return sentence;
  }
};

TEST_F(TableRefusals, ARaggedRowIsNamedByItsLine) {
  EXPECT_THAT(refused(table_with(7, "1")), HasSubstr("standard input, line 7"));
  EXPECT_THAT(refused(table_with(9, "1,2,3")), HasSubstr("standard input, line 9"));
}

TEST_F(TableRefusals, AWordInADeclaredColumnIsNamedWithWhatWouldHelp) {
  EXPECT_THAT(refusal({"train", "-", "--numeric", "x"}, table_with(7, "many,2")),
              AllOf(HasSubstr("standard input, line 7, column 1 ('x')"), HasSubstr("'many'"),
                    HasSubstr("--missing")));
}

TEST_F(TableRefusals, InfiniteNumbersAreNamed) {
  EXPECT_THAT(refused(table_with(5, "inf,2")), HasSubstr("line 5, column 1 ('x')"));
  EXPECT_THAT(refused(table_with(5, "1,-inf")), HasSubstr("line 5, column 2 ('y')"));
}

TEST_F(TableRefusals, AnEmptyTableIsSaidToBeOne) {
  EXPECT_THAT(refused(""), HasSubstr("standard input is empty"));
  EXPECT_THAT(refused("x,y\n"), HasSubstr("but no rows"));
}

TEST_F(TableRefusals, AMissingTargetIsNamedAsAColumnOrAsACell) {
  EXPECT_THAT(refused(table_with(0, ""), {"--target", "yy"}), HasSubstr("did you mean 'y'?"));
  EXPECT_THAT(refused(table_with(7, "3,"), {"--require-target"}),
              AllOf(HasSubstr("standard input, line 7, column 2 ('y')"), HasSubstr("missing")));
}

TEST_F(TableRefusals, AConstantTargetIsRefused) {
  std::string number = "x,y\n", text = "x,y\n";
  for (int r = 0; r < 30; ++r) {
    number += fmt::format("{},4\n", r);
    text += fmt::format("{},yes\n", r);
  }
  EXPECT_THAT(refused(number), AllOf(HasSubstr("'y'"), HasSubstr("nothing to learn")));
  EXPECT_THAT(refused(text), HasSubstr("'y'"));
}

TEST_F(TableRefusals, TooFewRowsOrColumnsAreCounted) {
  EXPECT_THAT(refused("x,y\n1,2\n2,3\n"),
              AllOf(HasSubstr("1 training row"), HasSubstr("at least 10")));
  EXPECT_THAT(refused("y\n1\n2\n"), HasSubstr("at least one input"));
}

TEST_F(TableRefusals, AModelAndATableInEachOthersPlaceAreRecognized) {
  folder_.write("t.csv", table_with(0, ""));
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  EXPECT_THAT(refusal({"train", "model.safetensors", "--out", "m.st"}),
              HasSubstr("is a model file, not a table"));
  for (const Words& words :
       {Words{"predict", "t.csv", "model.safetensors"},
        Words{"evaluate", "t.csv", "model.safetensors"}, Words{"inspect", "t.csv"},
        Words{"inspect", "builtin:sinc"}, Words{"train", "t.csv", "--start-from", "t.csv"}}) {
    EXPECT_THAT(refusal(words), HasSubstr("looks like a table")) << words[0];
  }
  EXPECT_THAT(refusal({"predict", "model.safetensors", "model.safetensors"}),
              HasSubstr("is a model file, not a table"));
}

TEST_F(TableRefusals, ATableOfAnotherSchemaIsToldWhichColumnIsMissing) {
  folder_.write(
      "t.csv", "size,colour,y\n" + [] {
        std::string rows;
        for (int r = 0; r < 30; ++r) {
          rows += fmt::format("{},{},{}\n", r % 7, r % 2 ? "red" : "blue", r % 7);
        }
        return rows;
      }());
  ASSERT_EQ(knotwork({"train", "t.csv", "--iterations", "2"}).code, 0);
  const auto predicted = [&](const std::string& table) {
    return refusal({"predict", "model.safetensors", "-"}, table);
  };
  EXPECT_THAT(predicted("sizes,colour\n1,red\n"),
              AllOf(HasSubstr("no column called 'size'"), HasSubstr("'sizes'")));
  EXPECT_THAT(predicted("size\n1\n"), HasSubstr("'colour'"));
  EXPECT_THAT(predicted("size,colour\nbig,red\n"),
              AllOf(HasSubstr("line 2, column 1 ('size')"), HasSubstr("'big'")));
  EXPECT_THAT(refusal({"evaluate", "model.safetensors", "-"}, "size,colour\n1,red\n"),
              HasSubstr("'y'"));
  EXPECT_THAT(refusal({"evaluate", "model.safetensors", "t.csv", "--weight-column", "why"}),
              HasSubstr("'why'"));
}

}  // namespace
}  // namespace knotwork::testing
