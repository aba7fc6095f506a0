// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>

#include <knotwork/error.hpp>
#include <knotwork/optimizer.hpp>

#include "optimizer/test_functions.hpp"
#include "optimizer/test_support.hpp"

namespace knotwork {
namespace {

using testing::error_of;
using testing::expect_error;
using testing::kInfinity;
using testing::kNan;
using testing::make;
using testing::Rosenbrock;
using testing::Walled;

OptimizerOptions quick(const OptimizerEntry& entry, bool fails) {
  OptimizerOptions options;
  // On the steep walls of the valley a large rate makes sgd fail, which is wanted or not.
  options.adam.rate = entry.name == "sgd" && !fails ? 1e-3 : 0.02;
  options.adam.weight_decay = 1e-3;
  options.adam.schedule = RateSchedule::one_cycle;
  options.adam.schedule_epochs = 50;
  return options;
}

std::vector<std::uint64_t> bits(std::span<const double> numbers) {
  std::vector<std::uint64_t> all;
  for (double number : numbers) all.push_back(std::bit_cast<std::uint64_t>(number));
  return all;
}

// Everything an iteration shows, as bits.
IterationCallback record(std::vector<std::vector<std::uint64_t>>& all) {
  return [&all](const IterationReport& report) {
    std::vector<std::uint64_t> seen = bits(report.point);
    for (double number : {report.value, report.gradient_norm, report.step}) {
      seen.push_back(std::bit_cast<std::uint64_t>(number));
    }
    seen.push_back(report.iteration);
    seen.push_back(report.evaluations);
    all.push_back(std::move(seen));
    return StopReason::none;
  };
}

// Cuts a run after every iteration and compares with the whole run.
void expect_same_bits(const OptimizerEntry& entry, Function& function,
                      const std::vector<double>& start, std::size_t iterations, bool fails) {
  std::vector<std::vector<std::uint64_t>> whole;
  const MinimizeResult uninterrupted = minimize(*entry.make(quick(entry, fails)), function, start,
                                                {.iterations = iterations}, record(whole));
  ASSERT_GE(uninterrupted.iterations, 3u);
  EXPECT_EQ(uninterrupted.reason == StopReason::iterations, !fails);
  for (std::size_t cut = 0; cut < uninterrupted.iterations; ++cut) {
    SCOPED_TRACE(entry.name + " cut after " + std::to_string(cut));
    std::vector<std::vector<std::uint64_t>> parts;
    OptimizerState state;
    {
      const auto first = entry.make(quick(entry, fails));
      minimize(*first, function, start, {.iterations = cut}, record(parts));
      state = first->state();
    }
    const MinimizeResult result = resume(*entry.make(quick(entry, fails)), function, state, cut,
                                         {.iterations = iterations}, record(parts));
    EXPECT_TRUE(parts == whole);
    EXPECT_EQ(result.reason, uninterrupted.reason);
    EXPECT_EQ(result.iterations, uninterrupted.iterations);
    EXPECT_EQ(bits(result.point), bits(uninterrupted.point));
  }
}

TEST(Resume, ContinuesWithTheSameBits) {
  Rosenbrock function(6);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    expect_same_bits(entry, function, {-1.2, 1, 0.3, -0.4, 2, 0.1}, 30, false);
  }
}

TEST(Resume, ContinuesWithTheSameBitsThroughFailures) {
  Rosenbrock inner(2);
  Walled function(inner, -0.2, kNan);  // line searches fail here, Adam falls back
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    expect_same_bits(entry, function, {-0.5, 0.25}, 200, true);
  }
}

TEST(Resume, FinishedRunIsNotContinued) {
  Rosenbrock function(2);
  const auto optimizer = make("cg");
  const MinimizeResult first =
      minimize(*optimizer, function, std::vector{-1.2, 1.0}, {.iterations = 3});
  const auto never = [](const IterationReport&) {
    ADD_FAILURE() << "no iteration was made";
    return StopReason::none;
  };
  const MinimizeResult again =
      resume(*make("cg"), function, optimizer->state(), 3, {.iterations = 3}, never);
  EXPECT_EQ(again.reason, StopReason::iterations);
  EXPECT_EQ(again.point, first.point);
  EXPECT_EQ(again.evaluations, first.evaluations);
}

TEST(Resume, DamagedStatesAreRefused) {
  Rosenbrock function(3), smaller(2);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    SCOPED_TRACE(entry.name);
    const auto optimizer = entry.make({});
    minimize(*optimizer, function, std::vector{-1.2, 1.0, 0.5}, {.iterations = 4});
    const OptimizerState whole = optimizer->state();
    const auto refused = [&](const OptimizerState& state, const std::string& part) {
      const auto target = entry.make({});
      expect_error(error_of([&] { target->restore(state); }), ErrorKind::bad_model, part);
      EXPECT_TRUE(target->point().empty());  // nothing half-restored
    };

    OptimizerState other = whole;
    other.optimizer = "newton";
    refused(other, "taken from 'newton' and cannot be restored into '" + entry.name + "'");
    for (const auto& [name, numbers] : whole.vectors) {
      OptimizerState missing = whole, longer = whole, bad = whole;
      missing.vectors.erase(name);
      refused(missing, "lacks its vector '" + name + "'");
      longer.vectors[name].push_back(1);
      refused(longer, "numbers");
      bad.vectors[name][0] = kNan;
      refused(bad, "'" + name + "'");
    }
    for (const auto& [name, number] : whole.numbers) {
      OptimizerState missing = whole, bad = whole;
      missing.numbers.erase(name);
      refused(missing, "lacks its number '" + name + "'");
      bad.numbers[name] = kInfinity;
      refused(bad, "'" + name + "'");
    }
    OptimizerState fraction = whole;
    fraction.numbers["evaluations"] = 1.5;
    refused(fraction, "must be a count");
    EXPECT_NO_THROW(entry.make({})->restore(whole));
    expect_error(error_of([&] { resume(*entry.make({}), smaller, whole, 4, {}); }),
                 ErrorKind::bad_model, "3 numbers, but the function has 2");
  }
}

TEST(Resume, LbfgsRefusesPairsThatDoNotFit) {
  Rosenbrock function(3);
  const auto optimizer = make("lbfgs");
  minimize(*optimizer, function, std::vector{-1.2, 1.0, 0.5}, {.iterations = 4});
  OptimizerState state = optimizer->state();
  for (const double pairs : {0.0, 3.0, 5.0, 0x1p53}) {
    OptimizerState wrong = state;
    wrong.numbers["pairs"] = pairs;
    EXPECT_THROW(make("lbfgs")->restore(wrong), Error) << pairs;
  }
  for (double& number : state.vectors["gradient_changes"]) number = -number;
  expect_error(error_of([&] { make("lbfgs")->restore(state); }), ErrorKind::bad_model,
               "no positive curvature");
}

}  // namespace
}  // namespace knotwork
