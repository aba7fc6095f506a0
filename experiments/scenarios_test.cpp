// SPDX-License-Identifier: MIT
// Tests whole scenarios, on synthetic data and with few iterations.
#include "experiments/scenarios.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "experiments/test_support.hpp"

namespace knotwork::experiments {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

ExperimentOptions quick() {
  ExperimentOptions options;
  options.splits = 2;
  options.iterations = 4;
  options.grid_step = 10;
  options.rounds = 1;
  options.threads = 2;
  return options;
}

Report run(const std::string& scenario, const ExperimentOptions& options, Study& study,
           Counter& counter) {
  static const std::vector<Dataset> datasets = made_datasets();
  return scenarios().at(scenario).run({datasets, options, study, counter.watch});
}

Report run(const std::string& scenario, const ExperimentOptions& options = quick()) {
  Study study = open_study("");
  Counter counter;
  Report report = run(scenario, options, study, counter);
  EXPECT_EQ(counter.done, counter.planned) << "all that was planned is done, and no more";
  EXPECT_FALSE(report.stopped);
  return report;
}

TEST(Scenarios, TheFirstHasARowForEveryProtocolAndDataSet) {
  const Report report = run("scenario1");
  ASSERT_THAT(report.rows, SizeIs(12));
  std::set<std::string> kinds;
  for (const Row& row : report.rows) {
    kinds.insert(row.network + " " + row.optimizer);
    EXPECT_EQ(row.splits, 2u);
    EXPECT_EQ(row.paper.has_value(), row.optimizer != "cg-path-0.1") << row.optimizer;
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"tanh cg", "spline cg", "spline cg-path", "spline adam",
                                          "spline lbfgs-path", "spline cg-path-0.1"}));
  EXPECT_THAT(report.notes[2], HasSubstr("warm-path=0.01,0.1,1"));
  EXPECT_THAT(report.notes[5], HasSubstr("another objective than the paper's"));
  EXPECT_THAT(report.figures, SizeIs(0));
}

TEST(Scenarios, FiguresShowWhatChangedMost) {
  ExperimentOptions options = quick();
  options.figures = true;
  const Report report = run("scenario1", options);
  ASSERT_THAT(report.figures, SizeIs(2));
  EXPECT_EQ(report.figures[0].file, "scenario1-chemical.svg");
  EXPECT_THAT(report.figures[0].svg, HasSubstr("hidden neuron"));
  EXPECT_THAT(run("ablation", options).figures, SizeIs(5));
}

TEST(Scenarios, TheSecondHasBothGridsAndThePapersOptimum) {
  ExperimentOptions options = quick();
  options.california_splits = 1;
  const Report report = run("scenario2", options);
  ASSERT_THAT(report.rows, SizeIs(11)) << "no extended grid for the splines of California";
  EXPECT_EQ(report.rows[9].grid, "printed");
  EXPECT_EQ(report.rows[10].grid, "none");
  EXPECT_EQ(report.rows[0].grid, "printed");
  EXPECT_EQ(report.rows[1].grid, "extended");
  EXPECT_EQ(report.rows[2].grid, "none");
  EXPECT_EQ(report.rows[2].lambda_w->geometric_mean, 1e-3);
  EXPECT_FALSE(report.rows[0].lambda_q);
  EXPECT_TRUE(report.rows[3].lambda_q);
  EXPECT_EQ(report.rows[0].splits, 2u);
  EXPECT_EQ(report.rows[6].splits, 1u);
  options.california_extended = true;
  EXPECT_THAT(run("scenario2", options).rows, SizeIs(12));
}

TEST(Scenarios, AStoppedRunGoesOnToTheSameRows) {
  for (const std::string scenario : {"scenario1", "scenario2"}) {
    Study undisturbed = open_study(""), study = open_study("");
    Counter whole, until(10), rest, again;
    const Json wanted = to_json(run(scenario, quick(), undisturbed, whole));
    EXPECT_TRUE(run(scenario, quick(), study, until).stopped);
    const Json rows = to_json(run(scenario, quick(), study, rest));
    EXPECT_EQ(until.trained + rest.trained, whole.trained) << "nothing is trained twice";
    const std::size_t count = scenario == "scenario1" ? 12 : 11;
    ASSERT_THAT(rows, SizeIs(count));
    ASSERT_THAT(wanted, SizeIs(count));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_EQ(rows[k]["train"], wanted[k]["train"]);
      EXPECT_EQ(rows[k]["test"], wanted[k]["test"]);
    }
    run(scenario, quick(), study, again);
    EXPECT_EQ(again.trained, 0u);
  }
}

TEST(Scenarios, AblationChangesOneThingAtATime) {
  const Report report = run("ablation");
  std::set<std::string> factors;
  for (const Row& row : report.rows) factors.insert(row.factor);
  EXPECT_EQ(factors, (std::set<std::string>{"init-noise", "noise-share", "knots", "tails", "basis",
                                            "lambda-q", "lambda-curvature"}));
  const auto error = [&](const std::string& factor, const std::string& value) {
    for (const Row& row : report.rows) {
      if (row.factor == factor && row.value == value) return row.errors.test.mean;
    }
    return -1.0;
  };
  EXPECT_GT(error("init-noise", "0.1"), 0);
  EXPECT_GT(error("init-noise", "0"), 0);
  EXPECT_GT(error("knots", "11"), 0);
  EXPECT_EQ(error("init-noise", "0.1"), error("knots", "21"));
  EXPECT_EQ(error("init-noise", "0"), error("noise-share", "0"));
  EXPECT_NE(error("knots", "11"), error("knots", "21"));
}

TEST(Scenarios, CostMeasuresBothNetworks) {
  const Report report = run("cost");
  ASSERT_THAT(report.costs, SizeIs(20));
  for (const CostRow& row : report.costs) {
    EXPECT_GT(row.tanh.best, 0);
    EXPECT_GE(row.spline.median, row.spline.best);
  }
}

TEST(Scenarios, AnUnknownOneIsRefusedWithTheClosest) {
  EXPECT_THAT(message_of([] { scenarios().at("scenario3"); }),
              HasSubstr("no scenario called 'scenario3'; did you mean 'scenario"));
}

TEST(Scenarios, OptionsAreChecked) {
  const auto refusal = [](const auto& change) {
    ExperimentOptions options;
    change(options);
    return message_of([&] { check(options); });
  };
  EXPECT_EQ(refusal([](ExperimentOptions&) {}), "");
  EXPECT_EQ(refusal([](ExperimentOptions& o) { o.splits = 0; }),
            "splits must be at least 1, not 0.");
  EXPECT_EQ(refusal([](ExperimentOptions& o) { o.california_splits = 0; }),
            "california-splits must be at least 1, not 0.");
  EXPECT_EQ(refusal([](ExperimentOptions& o) { o.rounds = 0; }),
            "rounds must be at least 1, not 0.");
  EXPECT_EQ(refusal([](ExperimentOptions& o) { o.iterations = 2; }),
            "iterations must be at least 3, not 2.");
  EXPECT_EQ(refusal([](ExperimentOptions& o) { o.grid_step = 16; }),
            "grid-step must be from 1 to 15, not 16.");
}

}  // namespace
}  // namespace knotwork::experiments
