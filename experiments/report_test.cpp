// SPDX-License-Identifier: MIT
#include "experiments/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace knotwork::experiments {
namespace {

using ::testing::HasSubstr;

Row some_row(const std::string& scenario) {
  Row row;
  row.scenario = scenario;
  row.dataset = "chemical";
  row.network = "spline";
  row.optimizer = "cg";
  row.splits = 3;
  row.errors = {{0.2751, 0.001}, {0.5, 0.002}};
  row.paper = paper_errors(scenario, row.dataset, row.network);
  row.seconds = 12.4;
  return row;
}

TEST(Report, ARowAsJson) {
  Report report{.scenario = "scenario1"};
  report.rows = {some_row("scenario1")};
  const Json json = to_json(report)[0];
  EXPECT_EQ(json["scenario"], "scenario1");
  EXPECT_EQ(json["dataset"], "chemical");
  EXPECT_EQ(json["network"], "spline");
  EXPECT_EQ(json["optimizer"], "cg");
  EXPECT_EQ(json["splits"], 3);
  EXPECT_EQ(json["train"]["mean"], 0.2751);
  EXPECT_EQ(json["test"]["std"], 0.002);
  EXPECT_EQ(json["paper"]["train"]["mean"], 0.29);
  EXPECT_EQ(json["paper"]["test"]["std"], 0.02);
  EXPECT_FALSE(json.contains("grid"));
  EXPECT_FALSE(json.contains("factor"));
}

TEST(Report, WhatThePaperDoesNotHaveIsNull) {
  Report report{.scenario = "ablation"};
  report.rows = {some_row("ablation")};
  report.rows[0].factor = "knots";
  report.rows[0].value = "41";
  const Json json = to_json(report)[0];
  EXPECT_TRUE(json["paper"].is_null());
  EXPECT_EQ(json["factor"], "knots");
  EXPECT_EQ(json["value"], "41");
  EXPECT_THAT(tables(report), HasSubstr("| knots   | 41 | chemical | 0.275 ± 0.001 |"));
}

TEST(Report, ARowOfASearchHasItsWinner) {
  Report report{.scenario = "scenario2"};
  report.rows = {some_row("scenario2")};
  report.rows[0].grid = "printed";
  report.rows[0].lambda_w = LambdaSummary{0.011, -6.5};
  const Json json = to_json(report)[0];
  EXPECT_EQ(json["grid"], "printed");
  EXPECT_EQ(json["lambda_w"], 0.011);
  EXPECT_EQ(json["lambda_w_median_exponent"], -6.5);
  EXPECT_TRUE(json["lambda_q"].is_null());
  EXPECT_THAT(tables(report),
              HasSubstr("| 0.011     | 2^-6.5 | 0.01  |           |        | 0.0001 |"));
}

TEST(Report, OursStandBesideThePapers) {
  Report report{.scenario = "scenario1"};
  report.rows = {some_row("scenario1")};
  EXPECT_THAT(tables(report),
              HasSubstr("| 0.275 ± 0.001 | 0.29 ± 0.02 | 0.500 ± 0.002 | 0.31 ± 0.02 | yes, no "));
}

TEST(Report, ARowWithoutPaperIsNotComparedWithIt) {
  Report report{.scenario = "scenario1"};
  report.rows = {some_row("scenario1")};
  report.rows[0].paper.reset();
  EXPECT_TRUE(to_json(report)[0]["paper"].is_null());
  EXPECT_THAT(tables(report),
              HasSubstr("| 0.275 ± 0.001 |       | 0.500 ± 0.002 |       |       "));
}

TEST(Report, CostHasTimesAndRatios) {
  Report report{.scenario = "cost"};
  report.costs = {{"8-5-1", "float", 348, {1e-6, 2e-6}, {3e-6, 5e-6}}};
  const Json json = to_json(report)[0];
  EXPECT_EQ(json["rows"], 348);
  EXPECT_DOUBLE_EQ(json["ratio"]["best"], 3);
  EXPECT_DOUBLE_EQ(json["ratio"]["median"], 2.5);
  EXPECT_EQ(json["paper"], 2);
  EXPECT_THAT(tables(report), HasSubstr("| 3.0 µs"));
}

}  // namespace
}  // namespace knotwork::experiments
