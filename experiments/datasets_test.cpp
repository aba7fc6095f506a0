// SPDX-License-Identifier: MIT
#include "experiments/datasets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/test_support.hpp"

namespace knotwork::experiments {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Datasets, WhatIsMissingIsNamedWithItsRemedy) {
  EXPECT_THAT(
      message_of([] {
        load_datasets({"chemical", "california"}, "no-such-folder");
      }),
      AllOf(HasSubstr("no-such-folder/chemical.csv and no-such-folder/california_housing.csv are"),
            HasSubstr("docs/data.md"), HasSubstr("scripts/get-data california"),
            HasSubstr("--data-dir")));
  EXPECT_THAT(message_of([] { load_datasets({"california"}, "no-such-folder"); }),
              HasSubstr("california_housing.csv is not there: scripts/get-data california"));
}

TEST(Datasets, NamesAreChecked) {
  EXPECT_THAT(message_of([] { load_datasets({"chemicals"}, "x"); }),
              HasSubstr("no data set called 'chemicals'; did you mean 'chemical'?"));
  EXPECT_THAT(message_of([] {
                load_datasets({"chemical", "chemical"}, "x");
              }),
              HasSubstr("'chemical' is named twice"));
  EXPECT_THAT(message_of([] { load_datasets({}, "x"); }), HasSubstr("chemical and california"));
}

TEST(Datasets, ATableOfAnotherShapeIsRefused) {
  Table table = made_table(20);
  table.names.pop_back();
  table.columns.pop_back();
  EXPECT_THAT(message_of([&] { make_dataset(paper_datasets().at("chemical"), table); }),
              HasSubstr("made.csv has 8 columns, but the paper's chemical set has 8 inputs and a"));
}

TEST(Datasets, AnotherCellIsAnotherDigest) {
  const DatasetEntry& entry = paper_datasets().at("chemical");
  Table table = made_table(20);
  const std::string digest = make_dataset(entry, table).digest;
  EXPECT_EQ(make_dataset(entry, table).digest, digest);
  table.columns[3][7] += 1e-9;
  EXPECT_NE(make_dataset(entry, table).digest, digest);
}

}  // namespace
}  // namespace knotwork::experiments
