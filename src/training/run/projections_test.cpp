// SPDX-License-Identifier: MIT
// Tests of curves that never fall, slopes within bounds, and models that are monotone in columns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/name_list.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/guarantees.hpp>
#include <knotwork/spline.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

TrainOptions trained_by_adam(const std::string& basis = "b-spline") {
  TrainOptions options;
  options.hidden = {6};
  options.output_activation = "same";
  options.optimizer = "adam";
  options.rate = 0.02;
  options.iterations = 40;
  options.batch = 64;
  options.precision = Precision::float64;
  options.spline.basis = basis;
  return options;
}

// The smallest and the largest slope of all learned curves, by differences on a dense grid that
// extends far into both tails.
std::pair<double, double> slopes(const Model& model) {
  double least = INFINITY, greatest = -INFINITY;
  constexpr double kStep = 1e-3;
  for (const Network& network : model.members) {
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      if (network.layers()[l].activation->name() != "spline") continue;
      for (std::size_t neuron = 0; neuron < network.layers()[l].outputs; ++neuron) {
        double before = network.activate(l, neuron, -4 - kStep);
        for (int k = 0; k <= 8000; ++k) {
          const double here = network.activate(l, neuron, -4 + k * kStep);
          least = std::min(least, (here - before) / kStep);
          greatest = std::max(greatest, (here - before) / kStep);
          before = here;
        }
      }
    }
  }
  return {least, greatest};
}

// Raw inputs of a table of numbers whose last column is the target.
std::vector<double> raw_rows(const Table& table) {
  std::vector<double> rows;
  for (std::size_t r = 0; r < table.rows(); ++r) {
    for (std::size_t c = 0; c + 1 < table.columns.size(); ++c) rows.push_back(table.columns[c][r]);
  }
  return rows;
}
double violation(const Model& model, const Table& table, const std::string& column, bool rising) {
  const std::vector<double> rows = raw_rows(table);
  return check_monotone(model, column, rising,
                        row_major(std::span<const double>(rows), table.rows(), model.inputs.size()))
      .largest_violation;
}

std::string complaint(const Table& table, const TrainOptions& options, const TableTask& task = {}) {
  try {
    train(table, task, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    return error.what();
  }
  return "no complaint";
}

TEST(Constraints, MonotoneCurvesNeverFall) {
  const Table table = make_builtin("friedman1", 200);
  for (const char* basis : {"b-spline", "linear"}) {
    TrainOptions options = trained_by_adam(basis);
    EXPECT_LT(slopes(train(table, {}, options)).first, -0.01) << "they fall by themselves";
    options.monotone = true;
    const Model model = train(table, {}, options);
    EXPECT_GE(slopes(model).first, -1e-10) << basis;
    EXPECT_LT(model.training.train->nrmse, 0.8);
  }
}

TEST(Constraints, SlopesStayWithinTheirBoundForEveryBasis) {
  const Table table = make_builtin("friedman1", 200);
  for (const std::string& basis : spline_bases().names()) {
    for (const Tails tails : {Tails::linear, Tails::constant}) {
      TrainOptions options = trained_by_adam(basis);
      options.iterations = 20;
      options.spline.tails = tails;
      if (basis == "cardinal") options.spline.tension = 0.4;
      EXPECT_GT(slopes(train(table, {}, options)).second, 1) << "they are steeper by themselves";
      options.max_slope = 0.7;
      const Model model = train(table, {}, options);
      const auto [least, greatest] = slopes(model);
      EXPECT_LE(greatest, 0.7 + 1e-9) << basis;
      EXPECT_GE(least, -0.7 - 1e-9) << basis;
      EXPECT_GT(greatest, 0.4) << basis << ": the bound should not be far from what is reached";
      EXPECT_LT(lipschitz_bound(model.members), INFINITY);
    }
  }
}

TEST(Constraints, HoldTogetherInFloatWithAPenaltyAndForTheStart) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = trained_by_adam("linear");
  options.precision = Precision::float32;
  options.monotone = true;
  options.max_slope = 0.6;
  options.lambda_kinks = 1e-3;
  options.optimizer = "adamw";
  for (const std::size_t iterations : {0u, 30u}) {
    options.iterations = iterations;
    const auto [least, greatest] = slopes(train(table, {}, options));
    EXPECT_GE(least, -1e-6);
    EXPECT_LE(greatest, 0.6 + 1e-5);
  }
}

TEST(Constraints, HoldInEnsemblesAndWithTheSameBitsForAnyThreads) {
  const Table table = make_builtin("friedman1", 200);
  TrainOptions options = trained_by_adam();
  options.iterations = 10;
  options.ensemble = 3;
  options.validation_fraction = 0.2;
  options.refit = true;
  options.max_slope = 0.5;
  options.monotone_in = {"x4", "-x5"};
  options.threads = 1;
  const Model model = train(table, {}, options);
  const auto [least, greatest] = slopes(model);
  EXPECT_GE(least, -1e-10);
  EXPECT_LE(greatest, 0.5 + 1e-9);
  EXPECT_LE(violation(model, table, "x4", true), 1e-12);
  EXPECT_LE(violation(model, table, "x5", false), 1e-12);
  options.threads = 2;
  EXPECT_EQ(train(table, {}, options).parameters_sha256(), model.parameters_sha256());
}

TEST(Constraints, AModelIsMonotoneInTheColumnsThatWereNamed) {
  const Table table = make_builtin("friedman1", 300);  // the true function rises in x4 and in x5
  TrainOptions options = trained_by_adam();
  options.hidden = {8, 4};
  const Model free = train(table, {}, options);
  EXPECT_GT(violation(free, table, "x1", true), 0.01);
  EXPECT_GT(violation(free, table, "x4", false), 0.01);
  EXPECT_THAT(free.training.remarks, testing::Not(Contains(HasSubstr("Monotone"))));

  options.monotone_in = {"x1", "x4"};
  const Model rising = train(table, {}, options);
  EXPECT_LE(violation(rising, table, "x1", true), 1e-12);
  EXPECT_LE(violation(rising, table, "x4", true), 1e-12);
  EXPECT_LT(rising.training.train->nrmse, 0.8);
  EXPECT_THAT(rising.training.remarks,
              Contains(AllOf(HasSubstr("Monotone in 'x4', never falling: checked on 200 rows"),
                             HasSubstr("largest step down"))));
  options.monotone_in = {"-x4"};
  const Model falling = train(table, {}, options);
  EXPECT_LE(violation(falling, table, "x4", false), 1e-12);
  EXPECT_THAT(falling.training.remarks, Contains(HasSubstr("largest step up")));

  // Fixed activations that never fall work too.
  options.monotone_in = {"x4"};
  options.activation = "tanh";
  options.output_activation = "identity";
  EXPECT_LE(violation(train(table, {}, options), table, "x4", true), 1e-12);
}

// Signs hold through banks and past layers, and changes of knots keep constraints.
TEST(Constraints, HoldInEveryKindOfNetwork) {
  const Table table = make_builtin("friedman1", 150);
  const std::vector<std::pair<const char*, void (*)(TrainOptions&)>> kinds = {
      {"residual", [](TrainOptions& o) { o.residual = true; }},
      {"bank", [](TrainOptions& o) { o.input_splines = 3; }},
      {"shared", [](TrainOptions& o) { o.sharing = Sharing::network; }},
      {"fitted",
       [](TrainOptions& o) {
         o.fit_range = FitRange::neuron;
         o.refit_range = o.halve_step = 1;
       }},
      {"fitted and shared", [](TrainOptions& o) {
         o.fit_range = FitRange::layer;
         o.refit_range = 1;
         o.sharing = Sharing::network;
       }}};
  for (const auto& [name, change] : kinds) {
    TrainOptions options = trained_by_adam();
    options.hidden = {5, 5};
    options.iterations = 20;
    change(options);
    const Model free = train(table, {}, options);
    EXPECT_GT(violation(free, table, "x1", true) + violation(free, table, "x4", false), 0.01);
    options.monotone_in = {"x1", "-x4"};
    options.max_slope = 2;
    const Model model = train(table, {}, options);
    EXPECT_LE(violation(model, table, "x1", true), 1e-9) << name;
    EXPECT_LE(violation(model, table, "x4", false), 1e-9) << name;
    EXPECT_GT(violation(model, table, "x1", false), 1e-4) << name << ": it does rise";
    const auto [least, greatest] = slopes(model);
    EXPECT_GE(least, -1e-9) << name;
    EXPECT_LE(greatest, 2 + 1e-9) << name;
  }
}

TEST(Constraints, RowsOfAnotherWidthAreRefused) {
  const Table table = make_builtin("friedman1", 60);
  const Model model = train(table, {}, trained_by_adam());
  const std::vector<double> narrow(60);
  EXPECT_THROW(check_monotone(model, "x3", true, row_major(std::span<const double>(narrow), 60, 1)),
               Error);
}

TEST(Constraints, TwoClassesAndQuantilesCanBeMonotoneToo) {
  Table table = make_builtin("friedman1", 200);
  TrainOptions options = trained_by_adam();
  options.monotone_in = {"x1"};
  options.loss = "quantile";
  EXPECT_LE(violation(train(table, {}, options), table, "x1", true), 1e-12);
  options.loss = "auto";
  for (double& y : table.columns.back()) y = y > 14 ? 1 : 0;
  const Model classes = train(table, {}, options);
  ASSERT_TRUE(classes.classifies());
  EXPECT_LE(violation(classes, table, "x1", true), 1e-14);
  EXPECT_GT(violation(classes, table, "x1", false), 1e-4) << "the probability does rise";
  for (std::size_t r = 0; r < table.rows(); ++r) {
    table.columns.back()[r] = static_cast<double>(r % 3);
  }
  EXPECT_THAT(complaint(table, options), HasSubstr("not 3 classes"));
}

TEST(Constraints, WhatCannotBeGuaranteedIsRefused) {
  Table table = make_builtin("friedman1", 60);
  table.labels.resize(table.columns.size());
  table.labels[2] = {"a", "b"};
  for (double& cell : table.columns[2]) cell = cell > 0.5 ? 1 : 0;
  TrainOptions options = trained_by_adam();
  options.monotone_in = {"x44"};
  EXPECT_THAT(complaint(table, options),
              AllOf(HasSubstr("input column called 'x44'"), HasSubstr("'x4'")));
  options.monotone_in = {"-y"};
  EXPECT_THAT(complaint(table, options), HasSubstr("'y'")) << "the target is no input";
  options.monotone_in = {"x3"};
  EXPECT_THAT(complaint(table, options), HasSubstr("'x3', whose cells are texts"));
  options.monotone_in = {"x1", "-x1"};
  EXPECT_THAT(complaint(table, options), HasSubstr("'x1' twice"));

  for (const char* option : {"monotone", "monotone-in"}) {
    options = trained_by_adam();
    set_option(options, option, std::string(option) == "monotone" ? "true" : "x1");
    for (const char* basis : {"catmull-rom", "cardinal"}) {
      options.spline.basis = basis;
      EXPECT_THAT(complaint(table, options),
                  AllOf(testing::StartsWith(option),
                        HasSubstr("b-spline or linear, not '" + std::string(basis) + "'")));
    }
    options.spline.basis = "linear";
    const auto is_allowed = [](const std::string& activation) {
      return activation == "spline" || builtin_activations().at(activation).make({})->never_falls();
    };
    std::vector<std::string> allowed;
    for (const std::string& activation : builtin_activations().names()) {
      if (is_allowed(activation)) allowed.push_back(activation);
    }
    for (const std::string& activation : builtin_activations().names()) {
      options.activation = activation;
      options.iterations = 1;
      const std::string said = complaint(table, options);
      if (is_allowed(activation)) {
        EXPECT_EQ(said, "no complaint") << activation;
      } else {
        EXPECT_THAT(said, HasSubstr("never fall, but '" + activation + "' can fall; use " +
                                    name_list(allowed, "or") + "."));
      }
    }
  }
}

// The slope bounds of the table's activations, compared with slopes on a dense grid.
TEST(Constraints, KnownSlopesOfActivationsAreBoundsThatAreReached) {
  for (const ActivationEntry& entry : builtin_activations().entries()) {
    Network network({{1, 1, entry.make({})}});
    network.initialize(1);
    const Activation& activation = *network.layers()[0].activation;
    const auto tensors = network.activation_tensors(0, 0, network.parameters());
    const double bound = activation.max_slope(tensors);
    std::vector<double> table(activation.table_size());
    activation.prepare(tensors, table.data());
    double greatest = 0, least = 0;
    for (int k = -160000; k <= 160000; ++k) {
      const double s = k * 1e-4;
      double y, slope;
      activation.forward(table.data(), &s, &y, &slope, 1);
      greatest = std::max(greatest, std::abs(slope));
      least = std::min(least, slope);
    }
    EXPECT_LE(greatest, bound * (1 + 1e-12)) << entry.name;
    if (std::isfinite(bound)) {
      EXPECT_GT(greatest, 0.9999 * bound) << entry.name;
    }
    if (activation.never_falls()) {
      EXPECT_GE(least, 0) << entry.name;
    }
  }
}

TEST(Constraints, ARealTableIsFittedWithinThem) {
  const char* folder = std::getenv("KNOTWORK_DATA_DIR");
  if (!folder || !std::filesystem::exists(std::filesystem::path(folder) / "concrete.csv")) {
    GTEST_SKIP() << "concrete.csv is not there: KNOTWORK_DATA_DIR must name the folder it is in.";
  }
  const Table table = read_csv(std::filesystem::path(folder) / "concrete.csv");
  TableTask task;
  task.test_fraction = 0.3;
  TrainOptions options = trained_by_adam();
  options.hidden = {12};
  options.iterations = 200;
  options.scale_inputs = ScalingKind::quantile;
  const Model free = train(table, task, options);
  // Concrete hardens with age and with cement, and water weakens it.
  options.monotone_in = {"cement", "age", "-water"};
  options.max_slope = 3;
  const Model model = train(table, task, options);
  EXPECT_LE(violation(model, table, "cement", true), 1e-10);
  EXPECT_LE(violation(model, table, "age", true), 1e-10);
  EXPECT_LE(violation(model, table, "water", false), 1e-10);
  EXPECT_GT(violation(free, table, "age", true) + violation(free, table, "water", false), 0.1);
  const auto [least, greatest] = slopes(model);
  EXPECT_GE(least, -1e-10);
  EXPECT_LE(greatest, 3 + 1e-9);
  EXPECT_LT(model.training.test->nrmse, 0.45);
  RecordProperty("free", std::to_string(free.training.test->nrmse));
  RecordProperty("monotone", std::to_string(model.training.test->nrmse));
}

}  // namespace
}  // namespace knotwork::training
