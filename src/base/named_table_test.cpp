// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <knotwork/names.hpp>

namespace knotwork {
namespace {

struct Entry {
  std::string name;
};

TEST(Names, ClosestNameForgivesAboutAThirdOfTheLetters) {
  const std::vector<std::string> known = {"tanh", "sigmoid", "softplus"};
  EXPECT_EQ(closest_name("tahn", known), "tanh");  // neighbors swapped count once
  EXPECT_EQ(closest_name("tamm", known), "");      // two letters of four differ
  EXPECT_EQ(closest_name("tanhh", known), "tanh");
  EXPECT_EQ(closest_name("softpluss", known), "softplus");
  EXPECT_EQ(closest_name("sigmiod", known), "sigmoid");
  EXPECT_EQ(closest_name("relu", known), "");
}

TEST(Names, UnknownNameListsWhatThereIsWhenNothingIsClose) {
  EXPECT_EQ(unknown_name_message("loss", "squared-eror", {"squared-error"}),
            "There is no loss called 'squared-eror'; did you mean 'squared-error'?");
  EXPECT_EQ(unknown_name_message("loss", "x", {"absolute", "squared"}),
            "There is no loss called 'x'; there are absolute, squared.");
}

TEST(Names, AMessageStaysOneLineAndWhole) {
  EXPECT_EQ(unknown_name_message("loss", std::string("a\0b\n", 4), {"absolute"}),
            "There is no loss called 'a\\x00b\\n'; there are absolute.");
}

TEST(Names, AVeryLongNameIsComparedWithNone) {
  EXPECT_EQ(closest_name(std::string(100'000'000, 'x'), {"tanh", "sigmoid"}), "");
}

TEST(Names, TableRefusesADuplicateAndFindsWhatWasAdded) {
  NamedTable<Entry> table("thing", {{"a"}});
  table.add({"b"});
  EXPECT_EQ(table.at("b").name, "b");
  EXPECT_EQ(table.find("c"), nullptr);
  EXPECT_THROW(table.add({"a"}), Error);
  EXPECT_THROW(table.at("c"), Error);
}

}  // namespace
}  // namespace knotwork
