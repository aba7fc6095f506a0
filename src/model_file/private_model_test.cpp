// SPDX-License-Identifier: MIT
// Tests that the file of a private model contains nothing that only describes the training table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "model_file/test_saved_models.hpp"

#include <knotwork/training.hpp>

namespace knotwork::model_file {
namespace {

using testing::IsEmpty;
using testing::Not;

constexpr double kLow = -98765.4375, kHigh = 1234567.0625, kLargestPrice = 7654321.375;

// Rows of a number, a category, a column that is left out with a remark, and a target. One row has
// each of the extreme numbers.
Table planted_table() {
  Table table;
  table.source = "patients_of_ward_9.csv";
  table.names = {"dose", "place", "always_the_same", "price"};
  table.columns.resize(4);
  table.labels.resize(4);
  table.labels[1] = {"north", "south"};
  for (int r = 0; r < 80; ++r) {
    table.columns[0].push_back(r == 11 ? kLow : r == 30 ? kHigh : 10.0 * r);
    table.columns[1].push_back(r % 2);
    table.columns[2].push_back(5);
    table.columns[3].push_back(r == 50 ? kLargestPrice : 3.0 * r + r % 2);
  }
  return table;
}

Model planted_model(bool is_private) {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 5;
  options.threads = 1;
  options.private_model = is_private;
  TableTask task;
  task.test_fraction = 0.2;
  task.test_last = true;  // the extreme numbers are training rows
  return train(planted_table(), task, options);
}

bool contains(const Bytes& bytes, const auto& part) {
  return std::search(bytes.begin(), bytes.end(), part.begin(), part.end()) != bytes.end();
}

template <class Number>
Bytes bytes_of(Number number) {
  Bytes bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

// Whether the file contains a number as text or in the bytes of a double or a float.
bool contains_number(const Bytes& bytes, double number) {
  return contains(bytes, fmt::format("{}", number)) || contains(bytes, bytes_of(number)) ||
         contains(bytes, bytes_of(static_cast<float>(number)));
}

TEST(PrivateModel, ItsFileDescribesNoRowOfTheTable) {
  const Model model = planted_model(true);
  const Bytes usual = serialize(planted_model(false)), bytes = serialize(model);
  for (const std::string text : {"ward_9", "always_the_same", model.training.rows_sha256.c_str()}) {
    EXPECT_TRUE(contains(usual, text)) << text;
    EXPECT_FALSE(contains(bytes, text)) << text;
  }
  for (const double extreme : {kLow, kHigh}) {
    EXPECT_TRUE(contains_number(usual, extreme)) << extreme;
    EXPECT_FALSE(contains_number(bytes, extreme)) << extreme;
  }
  EXPECT_FALSE(contains_number(bytes, kLargestPrice));
}

TEST(PrivateModel, PredictsTheSameBits) {
  const Model usual = planted_model(false), trained = planted_model(true);
  const Model loaded = deserialize(serialize(trained), "a file");
  EXPECT_EQ(trained.parameters_sha256(), usual.parameters_sha256());
  EXPECT_EQ(loaded.parameters_sha256(), usual.parameters_sha256());
  const Table table = planted_table();
  EXPECT_EQ(trained.predict(table), usual.predict(table));
  EXPECT_EQ(loaded.predict(table), usual.predict(table));
  EXPECT_EQ(loaded.training.test->rmse, usual.training.test->rmse);
}

TEST(PrivateModel, StaysPrivateWhenItIsSavedAgain) {
  const Model trained = planted_model(true);
  EXPECT_THAT(trained.training.remarks, Not(IsEmpty()));  // for who trains it
  const Model loaded = deserialize(serialize(trained), "a file");
  EXPECT_TRUE(loaded.training.is_private);
  EXPECT_FALSE(planted_model(false).training.is_private);
  EXPECT_THAT(loaded.training.remarks, IsEmpty());
  EXPECT_EQ(loaded.training.data, "");
  EXPECT_EQ(loaded.training.rows_sha256, "");
  EXPECT_GT(loaded.inputs[0].low, loaded.inputs[0].high);  // unknown
  EXPECT_EQ(serialize(loaded), serialize(trained));
}

}  // namespace
}  // namespace knotwork::model_file
