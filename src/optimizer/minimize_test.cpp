// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <knotwork/error.hpp>
#include <knotwork/optimizer.hpp>

#include "optimizer/test_functions.hpp"
#include "optimizer/test_support.hpp"

namespace knotwork {
namespace {

using testing::Curve;
using testing::error_of;
using testing::expect_error;
using testing::kInfinity;
using testing::kNan;
using testing::make;
using testing::Rosenbrock;
using testing::Walled;

const std::vector<double> kClassicStart{-1.2, 1.0};

TEST(OptimizerTable, HoldsTheBuiltInOptimizers) {
  EXPECT_EQ(builtin_optimizers().names(),
            (std::vector<std::string>{"cg", "lbfgs", "adam", "adamw", "sgd"}));
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    EXPECT_EQ(entry.make({})->name(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
  expect_error(error_of([] { make("lbfg"); }), ErrorKind::bad_option, "'lbfgs'");
}

// The traits of an entry match the options that change its result.
TEST(OptimizerTable, EntriesSayWhatTheirOptimizersCanDo) {
  class Batches final : public Rosenbrock {
   public:
    std::size_t begin_epoch(std::uint64_t epoch) override {
      asked = true;
      return Rosenbrock::begin_epoch(epoch);
    }
    using Rosenbrock::Rosenbrock;
    bool asked = false;
  };
  class Nowhere final : public ProximalStep {
    void apply(std::span<double> point, std::span<const double>) const override {
      for (double& x : point) x = 0;
    }
  };
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    bool by_batches = false;
    const auto course = [&](const std::function<void(OptimizerOptions&)>& change) {
      OptimizerOptions options;
      options.adam.rate = 1e-4;
      change(options);
      Batches function(2);
      StopRules rules;
      rules.iterations = 10;
      const auto optimizer = entry.make(options);
      const std::vector<double> end = minimize(*optimizer, function, kClassicStart, rules).point;
      by_batches = function.asked;
      return end;
    };
    const std::vector<double> usual = course([](OptimizerOptions&) {});
    EXPECT_EQ(entry.by_batches, by_batches) << entry.name;
    const auto differs = [&](auto change) { return course(change) != usual; };
    EXPECT_EQ(entry.has_rate, differs([](auto& o) { o.adam.rate = 2e-4; })) << entry.name;
    EXPECT_EQ(entry.has_weight_decay, differs([](auto& o) { o.adam.weight_decay = 0.1; }))
        << entry.name;
    EXPECT_EQ(entry.has_memory, differs([](auto& o) { o.lbfgs_memory = 1; })) << entry.name;
    const auto with_step = [](auto& o) { o.adam.proximal_steps = {std::make_shared<Nowhere>()}; };
    if (entry.has_proximal_steps) {
      EXPECT_TRUE(differs(with_step)) << entry.name;
    } else {
      expect_error(error_of([&] { course(with_step); }), ErrorKind::bad_option, entry.name);
    }
  }
}

TEST(OptimizerTable, ReasonsHaveStableNames) {
  using enum StopReason;
  const std::vector<std::pair<StopReason, std::string_view>> names{
      {none, "none"},
      {iterations, "iterations"},
      {evaluations, "evaluations"},
      {gradient_norm, "gradient_norm"},
      {relative_decrease, "relative_decrease"},
      {time, "time"},
      {requested, "requested"},
      {no_progress, "no_progress"},
      {non_finite, "non_finite"},
      {early_stopping, "early_stopping"}};
  for (const auto& [reason, name] : names) EXPECT_EQ(to_string(reason), name);
}

TEST(OptimizerOptions, BadOnesAreRefusedByName) {
  using Change = std::function<void(OptimizerOptions&)>;
  const std::vector<std::pair<std::string, Change>> bad{
      {"line_search.max_evaluations is 0", [](auto& o) { o.line_search.max_evaluations = 0; }},
      {"line_search.curvature is 1", [](auto& o) { o.line_search.curvature = 1; }},
      {"line_search.curvature is nan", [](auto& o) { o.line_search.curvature = kNan; }},
      {"line_search.decrease is 0.1", [](auto& o) { o.line_search.decrease = 0.1; }},
      {"line_search.decrease is 0", [](auto& o) { o.line_search.decrease = 0; }},
      {"line_search.extrapolation is 1", [](auto& o) { o.line_search.extrapolation = 1; }},
      {"line_search.extrapolation is 1.05", [](auto& o) { o.line_search.extrapolation = 1.05; }},
      {"line_search.interpolation is 0.5", [](auto& o) { o.line_search.interpolation = 0.5; }},
      {"line_search.step_ratio is 0.5", [](auto& o) { o.line_search.step_ratio = 0.5; }},
      {"lbfgs_memory is 0", [](auto& o) { o.lbfgs_memory = 0; }},
      {"adam.rate is 0", [](auto& o) { o.adam.rate = 0; }},
      {"adam.rate is inf", [](auto& o) { o.adam.rate = kInfinity; }},
      {"adam.beta1 is 1", [](auto& o) { o.adam.beta1 = 1; }},
      {"adam.beta2 is -0.1", [](auto& o) { o.adam.beta2 = -0.1; }},
      {"adam.epsilon is 0", [](auto& o) { o.adam.epsilon = 0; }},
      {"adam.weight_decay is -1", [](auto& o) { o.adam.weight_decay = -1; }},
      {"adam.schedule_epochs is 0", [](auto& o) { o.adam.schedule = RateSchedule::cosine; }},
      {"adam.rate_scale[1] is -2",
       [](auto& o) {
         o.adam.rate_scale = {1, -2};
       }},
      {"adam.decay_scale[0] is nan", [](auto& o) { o.adam.decay_scale = {kNan}; }},
  };
  EXPECT_NO_THROW(check(OptimizerOptions{}));
  for (const auto& [message, change] : bad) {
    OptimizerOptions options;
    change(options);
    expect_error(error_of([&] { check(options); }), ErrorKind::bad_option, message);
    expect_error(error_of([&] { make("cg", options); }), ErrorKind::bad_option, message);
  }
}

TEST(Minimize, StopsAfterTheIterationsAskedFor) {
  Rosenbrock function(2);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    const auto optimizer = entry.make({});
    const MinimizeResult result = minimize(*optimizer, function, kClassicStart, {.iterations = 5});
    EXPECT_EQ(result.reason, StopReason::iterations) << entry.name;
    EXPECT_EQ(result.iterations, 5u);
    EXPECT_EQ(result.evaluations, optimizer->evaluations());
    EXPECT_EQ(result.value, optimizer->value());
  }
}

TEST(Minimize, NoIterationsGivesTheStartEvaluated) {
  Rosenbrock function(2);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    const MinimizeResult result =
        minimize(*entry.make({}), function, kClassicStart, {.iterations = 0});
    EXPECT_EQ(result.reason, StopReason::iterations);
    EXPECT_EQ(result.iterations, 0u);
    EXPECT_EQ(result.evaluations, 1u);
    EXPECT_DOUBLE_EQ(result.value, 24.2);
    EXPECT_EQ(result.point, kClassicStart);
  }
}

TEST(Minimize, StopsAfterTheEvaluationsAllowed) {
  Rosenbrock function(2);
  for (const char* name : {"cg", "lbfgs", "adam"}) {
    const MinimizeResult result =
        minimize(*make(name), function, kClassicStart, {.evaluations = 30});
    EXPECT_EQ(result.reason, StopReason::evaluations) << name;
    EXPECT_GE(result.evaluations, 30u);
    EXPECT_LT(result.evaluations, 50u);  // by at most one search too many
  }
}

TEST(Minimize, StopsAtASmallGradient) {
  Rosenbrock function(2);
  for (const char* name : {"cg", "lbfgs"}) {
    const auto optimizer = make(name);
    std::vector<double> norms;
    const MinimizeResult result =
        minimize(*optimizer, function, kClassicStart, {.gradient_norm = 1e-4},
                 [&](const IterationReport& report) {
                   norms.push_back(report.gradient_norm);
                   return StopReason::none;
                 });
    EXPECT_EQ(result.reason, StopReason::gradient_norm) << name;
    EXPECT_LE(norms.back(), 1e-4);
    for (std::size_t i = 0; i + 1 < norms.size(); ++i) EXPECT_GT(norms[i], 1e-4);
    EXPECT_EQ(norms.size(), result.iterations + 1);
  }
}

TEST(Minimize, StartAtTheMinimumEndsCleanly) {
  Rosenbrock function(2);
  const std::vector<double> minimum{1, 1};
  for (const char* name : {"cg", "lbfgs"}) {
    const MinimizeResult by_rule =
        minimize(*make(name), function, minimum, {.gradient_norm = 1e-9});
    EXPECT_EQ(by_rule.reason, StopReason::gradient_norm);
    EXPECT_EQ(by_rule.iterations, 0u);
    const MinimizeResult without = minimize(*make(name), function, minimum, {});
    EXPECT_EQ(without.reason, StopReason::no_progress);
    EXPECT_EQ(without.point, minimum);
    EXPECT_EQ(without.value, 0);
  }
}

// Far from zero, on either side, a converging value soon falls by only a small share.
class Shifted : public Rosenbrock {
 public:
  explicit Shifted(double shift) : Rosenbrock(5), shift_(shift) {}
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    return shift_ + Rosenbrock::evaluate(x, gradient);
  }

 private:
  double shift_;
};

void expect_stop_when_hardly_falling(double shift) {
  Shifted function(shift);
  for (const char* name : {"cg", "lbfgs"}) {
    std::vector<IterationReport> reports;
    const MinimizeResult result =
        minimize(*make(name), function, std::vector<double>(5, 0.0), {.relative_decrease = 1e-4},
                 [&](const IterationReport& report) {
                   reports.push_back(report);
                   return StopReason::none;
                 });
    ASSERT_EQ(result.reason, StopReason::relative_decrease) << name;
    for (std::size_t i = 1; i < reports.size(); ++i) {
      const double fall = reports[i - 1].value - reports[i].value;
      const double share = fall / std::abs(reports[i - 1].value);
      const bool too_little = share <= 1e-4 && reports[i].step > 0;
      EXPECT_EQ(too_little, i + 1 == reports.size()) << i;
    }
  }
}

TEST(Minimize, StopsWhenTheValueHardlyFalls) {
  expect_stop_when_hardly_falling(10);
}

TEST(Minimize, StopsWhenANegativeValueHardlyFalls) {
  expect_stop_when_hardly_falling(-10);
}

TEST(Minimize, AFailedSearchIsNoSmallDecrease) {
  Curve curve([](double t) { return std::pair{std::abs(t), -1.0}; });  // a wrong gradient
  const MinimizeResult result =
      minimize(*make("cg"), curve, std::vector{0.0}, {.relative_decrease = 0.5});
  EXPECT_EQ(result.reason, StopReason::no_progress);
  EXPECT_EQ(result.iterations, 2u);
}

TEST(Minimize, StopsAtTheTimeLimit) {
  Rosenbrock function(2);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    const MinimizeResult result =
        minimize(*entry.make({}), function, kClassicStart, {.seconds = 1e-12});
    EXPECT_EQ(result.reason, StopReason::time);
    EXPECT_EQ(result.iterations, 0u);
    EXPECT_GT(result.seconds, 0);
  }
  const MinimizeResult unlimited =
      minimize(*make("cg"), function, kClassicStart, {.iterations = 3, .seconds = 0});
  EXPECT_EQ(unlimited.reason, StopReason::iterations);
}

TEST(Minimize, CallbackSeesEveryIterationAndMayEndTheRun) {
  Rosenbrock function(2);
  std::vector<std::size_t> seen;
  double last_value = 0;
  const MinimizeResult result =
      minimize(*make("lbfgs"), function, kClassicStart, {}, [&](const IterationReport& report) {
        seen.push_back(report.iteration);
        std::vector<double> gradient(2);
        EXPECT_EQ(function.evaluate(report.point, gradient), report.value);
        last_value = report.value;
        return report.iteration == 4 ? StopReason::early_stopping : StopReason::none;
      });
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(result.reason, StopReason::early_stopping);
  EXPECT_EQ(result.iterations, 4u);
  EXPECT_EQ(result.value, last_value);

  const auto at_once = [](const IterationReport&) { return StopReason::requested; };
  EXPECT_EQ(minimize(*make("cg"), function, kClassicStart, {}, at_once).iterations, 0u);
}

TEST(Minimize, LineSearchesEndWithNoProgressAtTheFloorOfRounding) {
  // If the minimum is not zero, the rounding of the value is a floor.
  Curve curve([](double t) { return std::pair{1 + t * t * t * t, 4 * t * t * t}; });
  for (const char* name : {"cg", "lbfgs"}) {
    const MinimizeResult result = minimize(*make(name), curve, std::vector{1.0}, {});
    EXPECT_EQ(result.reason, StopReason::no_progress) << name;
    EXPECT_LT(result.iterations, 100u);
    EXPECT_EQ(result.value, 1);
  }
}

TEST(Minimize, KeepsTheBestFinitePointWhereValuesStopBeingFinite) {
  Rosenbrock inner(2);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    for (const double outside : {kNan, kInfinity, -kInfinity, -1e6}) {
      SCOPED_TRACE(entry.name + " " + std::to_string(outside));
      Walled function(inner, 0.5, outside);  // the minimum at 1 is out of reach
      std::vector<double> gradient(2);
      double best = kInfinity;
      OptimizerOptions options;
      options.adam.rate = entry.name == "sgd" ? 2e-3 : 0.05;
      const MinimizeResult result =
          minimize(*entry.make(options), function, std::vector{-0.5, 0.25}, {.iterations = 3000},
                   [&](const IterationReport& report) {
                     const double value = function.evaluate(report.point, gradient);
                     if (std::isfinite(value) && std::isfinite(gradient[0])) {
                       best = std::min(best, value);
                     }
                     return StopReason::none;
                   });
      EXPECT_TRUE(std::isfinite(result.value));
      EXPECT_LE(result.point[0], 0.5);
      EXPECT_EQ(function.evaluate(result.point, gradient), result.value);
      EXPECT_EQ(result.value, best);
      EXPECT_LT(result.value, 0.5);  // from 2.25 at the start
      const bool adam = entry.name[0] == 'a' || entry.name == "sgd";
      EXPECT_EQ(result.reason == StopReason::non_finite, adam) << to_string(result.reason);
    }
  }
}

TEST(Minimize, RefusesAStartThatIsNotFinite) {
  Rosenbrock inner(2);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    for (const double outside : {kNan, kInfinity, 0.0}) {  // 0: only the gradient is not finite
      Walled function(inner, -2, outside);
      expect_error(
          error_of([&] { minimize(*entry.make({}), function, kClassicStart, StopRules{}); }),
          ErrorKind::failed_run, "At the start the objective is");
    }
  }
}

TEST(Minimize, RefusesAStartOfTheWrongSizeAndBadRules) {
  Rosenbrock function(2);
  const auto run = [&](const std::vector<double>& start, const StopRules& rules) {
    return error_of([&] { minimize(*make("adam"), function, start, rules); });
  };
  expect_error(run({1, 2, 3}, {}), ErrorKind::bad_data, "The start has 3 numbers");
  expect_error(run({1, 2}, {.gradient_norm = -1}), ErrorKind::bad_option, "gradient_norm is -1");
  expect_error(run({1, 2}, {.relative_decrease = kNan}), ErrorKind::bad_option,
               "relative_decrease is nan");
  expect_error(run({1, 2}, {.seconds = -3}), ErrorKind::bad_option, "seconds is -3");
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    expect_error(error_of([&] { entry.make({})->iterate(function); }), ErrorKind::failed_run,
                 "restore it for this function first");
  }
}

}  // namespace
}  // namespace knotwork
