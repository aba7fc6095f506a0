// SPDX-License-Identifier: MIT
// Tests the guess whether the first line is a header where it is not obvious, and its remarks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Table guessed(const std::string& text) {
  return parse_csv(text, "t", {});
}

TEST(HeaderGuess, WhatIsObviousIsNotRemarkedOn) {
  for (const char* text : {"a,b\n1,2\n3,4\n", "a,b\nx,1\ny,2\n", "a,b\nx,u\ny,u\n"}) {
    const Table table = guessed(text);
    EXPECT_EQ(table.has_header, true) << text;
    EXPECT_THAT(table.remarks, IsEmpty()) << text;
  }
  for (const char* text : {"1,2\n3,4\n", "1,x\n2,x\n"}) {
    const Table table = guessed(text);
    EXPECT_EQ(table.has_header, false) << text;
    EXPECT_THAT(table.remarks, IsEmpty()) << text;
  }
}

TEST(HeaderGuess, AnOptionNeedsNoRemark) {
  const Table table = parse_csv("bob,1990\nann,2\n", "t", {.header = true});
  EXPECT_EQ(table.has_header, true);
  EXPECT_THAT(table.remarks, IsEmpty());
}

TEST(HeaderGuess, WordsThatOccurAgainAreNoNames) {
  const Table twice = guessed("p,x,p\ne,x,s\np,y,s\n");
  EXPECT_EQ(twice.has_header, false);
  EXPECT_EQ(twice.rows(), 3u);
  EXPECT_THAT(twice.remarks, ElementsAre(HasSubstr("Line 1 is read as a row, because it contains "
                                                   "'p' twice; if it has the names")));
  const Table below = guessed("vhigh,small,unacc\nhigh,big,acc\nlow,small,good\n");
  EXPECT_EQ(below.has_header, false);
  EXPECT_THAT(below.remarks, ElementsAre(HasSubstr("because 'small' occurs again in its column")));
  // A header that is repeated, as where files were joined, stays a header.
  EXPECT_EQ(guessed("size,shape\nsmall,round\nsize,shape\nsmall,flat\n").has_header, true);
}

TEST(HeaderGuess, DifferentWordsMayBeEither) {
  const Table table = guessed("name,city\nann,Oslo\nbob,Rome\n");
  EXPECT_EQ(table.has_header, true);
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("Line 1 is read as the names of the columns, "
                                                   "although the lines below it are words too; if "
                                                   "it is a row, set the option no-header")));
}

TEST(HeaderGuess, ALaterLineShowsTheNumbersBelowAName) {
  EXPECT_EQ(guessed("a,2000\n,1\n,2\n7,3\n").has_header, true);
}

TEST(HeaderGuess, YearsAreNames) {
  const Table table = guessed("country,1990,1991,1992\nChad,3.5,4,6\nMali,2,5,7\n");
  EXPECT_EQ(table.has_header, true);
  EXPECT_THAT(table.names, ElementsAre("country", "1990", "1991", "1992"));
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("because its numbers count up evenly")));
  // Years as data.
  EXPECT_EQ(guessed("x,1990,1991,1992\ny,1991,1992,1990\n").has_header, false);
}

TEST(HeaderGuess, NumberedColumnsAreNames) {
  EXPECT_EQ(guessed(",0,1,2\n0,0.5,1.5,9\n1,2.5,3.5,8\n").has_header, true);
  EXPECT_EQ(guessed("0,1,2,3\n0.5,1.5,9,2\n").has_header, true);
  EXPECT_EQ(guessed("0,1,2,3\n3,2,1,0\n").has_header, false);
  EXPECT_EQ(guessed("1,2,3\n4,5,6\n").has_header, false);
}

TEST(HeaderGuess, ARowWithNamesThatOccurOnlyOnceIsRemarkedOn) {
  const Table table = guessed("Jones,5,1\nSmith,4,2\n");
  EXPECT_EQ(table.has_header, false);
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("because it has numbers where the lines below "
                                                   "have numbers")));
}

TEST(HeaderGuess, NamesOfRowsNeedNoName) {
  const Table table = guessed("\"mpg\" \"cyl\"\n\"Mazda RX4\" 21 6\n\"Datsun\" 22.8 4\n");
  EXPECT_THAT(table.names, ElementsAre("c1", "mpg", "cyl"));
  EXPECT_EQ(table.columns[2], (std::vector<double>{6, 4}));
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("one name fewer than the rows have cells")));
  // With one row, or only in some rows, a cell too many is a mistake.
  EXPECT_THROW(guessed("a,b\n1,2,3\n"), Error);
  EXPECT_THROW(guessed("a,b\n1,2,3\n1,2\n"), Error);
}

}  // namespace
}  // namespace knotwork
