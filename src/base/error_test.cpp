// SPDX-License-Identifier: MIT
#include <knotwork/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fail.hpp"
#include "base/test_errors.hpp"

namespace knotwork {
namespace {

const HintWords kFlags = {"use", [](const OptionSetting& setting) {
                            return "--" + setting.option + " " + setting.value;
                          }};

TEST(Error, OfASentenceHasNoFields) {
  const Error error(ErrorKind::bad_data, "It is wrong.");
  EXPECT_EQ(error.kind(), ErrorKind::bad_data);
  EXPECT_STREQ(error.what(), "It is wrong.");
  EXPECT_EQ(error.option(), "");
  EXPECT_EQ(error.file(), "");
  EXPECT_EQ(error.line(), 0u);
  EXPECT_EQ(error.column(), 0u);
  EXPECT_TRUE(error.hint().is_empty());
  EXPECT_EQ(error.message(kFlags), "It is wrong.");
}

TEST(Error, SaysThePlaceThenTheSentenceThenTheHint) {
  const Error error(
      ErrorKind::bad_data, {.file = "t.csv", .line = 7, .column = 3, .column_name = "age"},
      {.action = "correct it", .settings = {{"missing", "abc"}, {"categorical", "age"}}},
      "'abc' is not a number.");
  EXPECT_STREQ(error.what(),
               "t.csv, line 7, column 3 ('age'): 'abc' is not a number; correct it, or set the "
               "option missing to abc or categorical to age.");
  EXPECT_EQ(error.message(kFlags),
            "t.csv, line 7, column 3 ('age'): 'abc' is not a number; correct it, or use --missing "
            "abc or --categorical age.");
  EXPECT_THAT(error, IsAt("t.csv", 7, 3));
}

TEST(Error, BeginsWithWhatIsKnownOfThePlace) {
  const auto text = [](Where where) {
    return std::string(Error(ErrorKind::bad_file, std::move(where), {}, "is gone.").what());
  };
  EXPECT_EQ(text({}), "is gone.");
  EXPECT_EQ(text({.file = "a"}), "a is gone.");
  EXPECT_EQ(text({.file = "a", .is_in_sentence = true}), "is gone.");
  EXPECT_EQ(text({.subject = "The checkpoint"}), "The checkpoint is gone.");
  EXPECT_EQ(text({.file = "c.st", .subject = "The checkpoint"}), "The checkpoint c.st is gone.");
  EXPECT_EQ(text({.file = "a", .row = 0, .column = 2}), "a, row 0, column 2: is gone.");
  EXPECT_EQ(text({.file = "a", .column_name = "x"}), "a, column 'x': is gone.");
  EXPECT_EQ(text({.file = "a", .row_name = "record 7"}), "a, record 7: is gone.");
  EXPECT_EQ(text({.file = "a", .part = "Rank 1"}), "Rank 1: a is gone.");
}

TEST(Error, HintsHavePurposesAndSwitches) {
  const auto text = [](Hint hint) {
    return std::string(Error(ErrorKind::bad_option, {}, std::move(hint), "No.").what());
  };
  EXPECT_EQ(text({.action = "try again"}), "No; try again.");
  EXPECT_EQ(text({.purpose = "to leave it out", .settings = {{"drop", "id"}}}),
            "No; to leave it out, set the option drop to id.");
  EXPECT_EQ(text({.settings = {{"isa", ""}}}), "No; set the option isa.");
}

TEST(Error, KeepsItsFieldsWhenItIsMovedAndWrapped) {
  const Error error = *error_of([] {
    fail(ErrorKind::bad_option, of_option("hidden", "residual"),
         Hint{.settings = {{"hidden", "16,16"}}}, "{} is wrong.", 1);
  });
  EXPECT_THAT([&] { throw error; }, ThrowsError(ErrorKind::bad_option, "hidden"));
  EXPECT_EQ(error.where().other_option, "residual");
  const Error part = of_part(of_part(error, "Variant 'a'"), "Rank 2");
  EXPECT_STREQ(part.what(), "Rank 2: Variant 'a': 1 is wrong; set the option hidden to 16,16.");
  EXPECT_EQ(part.option(), "hidden");
  const Error known = as_error(part);
  EXPECT_EQ(known.hint().settings, part.hint().settings);
  EXPECT_THAT([&] { with_option("other", [&] { throw error; }); },
              ThrowsError(ErrorKind::bad_option, "hidden"));
  EXPECT_THAT([] { with_option("other", [] { fail(ErrorKind::bad_option, "No."); }); },
              ThrowsError(ErrorKind::bad_option, "other"));
}

TEST(Remark, IsASentenceWithAHint) {
  const Remark plain("It is so.");
  EXPECT_EQ(plain, "It is so.");
  EXPECT_EQ(plain.message(kFlags), "It is so.");
  const Remark remark({.purpose = "to leave it out", .settings = {{"drop", "id"}}},
                      "Column 'id' looks like a row number.");
  EXPECT_EQ(remark,
            "Column 'id' looks like a row number; to leave it out, set the option drop to "
            "id.");
  EXPECT_EQ(remark.message(kFlags),
            "Column 'id' looks like a row number; to leave it out, use --drop id.");
}

}  // namespace
}  // namespace knotwork
