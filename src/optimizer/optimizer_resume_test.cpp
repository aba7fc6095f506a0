// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <utility>

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
  // On the steep walls of the valley a large rate makes sgd fail, on purpose or not.
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

// Three batches, each with a share of another function; the evaluation of a number throws.
class Throws final : public Function {
 public:
  Throws(Function& inner, std::size_t evaluation) : inner_(inner), left_(evaluation) {}
  std::size_t size() const override { return inner_.size(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    if (left_-- == 0) throw Error(ErrorKind::stopped, "It was stopped.");
    return inner_.evaluate(x, gradient);
  }
  std::size_t begin_epoch(std::uint64_t) override { return 3; }
  double evaluate_batch(std::size_t batch, std::span<const double> x,
                        std::span<double> gradient) override {
    const double value = evaluate(x, gradient);
    for (double& g : gradient) g *= 0.5 + 0.5 * static_cast<double>(batch);
    return value;
  }

 private:
  Function& inner_;
  std::size_t left_;
};

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

// Interrupts a run after every iteration and compares the result with the whole run.
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
  Rosenbrock few(6), many(30);  // more numbers than parallel partial sums
  std::vector<double> start;
  for (int k = 0; k < 30; ++k) start.push_back(k % 3 == 0 ? 0.3 - 0.05 * k : 1 - 0.07 * k);
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    expect_same_bits(entry, few, {-1.2, 1, 0.3, -0.4, 2, 0.1}, 30, false);
    expect_same_bits(entry, many, start, 20, false);
  }
}

TEST(Resume, ContinuesWithTheSameBitsThroughFailures) {
  Rosenbrock inner(2);
  Walled function(inner, -0.2, kNan);  // line searches fail here, Adam falls back
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    expect_same_bits(entry, function, {-0.5, 0.25}, 200, true);
  }
}

// A run resumed from any kept state reaches the end of the whole run, whatever ended it before.
TEST(Resume, GoesOnFromEveryStateThatIsKept) {
  Rosenbrock function(4);
  const std::vector<double> start = {-1.2, 1, 0.3, -0.4};
  const StopRules all_rules[] = {{.iterations = 12},
                                 {.iterations = 100, .evaluations = 15},
                                 {.iterations = 100, .relative_decrease = 0.2},
                                 {.iterations = 100, .gradient_norm = 10}};
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    for (const StopRules& rules : all_rules) {
      SCOPED_TRACE(entry.name);
      const MinimizeResult whole =
          minimize(*entry.make(quick(entry, false)), function, start, rules);
      // Ended from outside after every number of iterations, including the last.
      for (std::size_t last = 0; last <= whole.iterations; ++last) {
        const auto end = [&](const IterationReport& report) {
          return report.iteration == last ? StopReason::requested : StopReason::none;
        };
        const auto optimizer = entry.make(quick(entry, false));
        std::vector<std::pair<std::size_t, OptimizerState>> kept;
        std::vector<StopReason> reasons;
        const auto keep = [&](std::size_t done, StopReason reason) {
          kept.emplace_back(done, optimizer->state());
          reasons.push_back(reason);
        };
        const MinimizeResult part = minimize(*optimizer, function, start, rules, end, keep);
        // A run that would end here anyway is not ended from outside, and there is nothing to keep.
        EXPECT_EQ(part.reason, last < whole.iterations ? StopReason::requested : whole.reason);
        ASSERT_EQ(kept.size(), last < whole.iterations ? last + 1 : last);
        if (part.reason == StopReason::requested) {
          EXPECT_EQ(reasons.back(), StopReason::requested);
        }
        if (kept.empty()) continue;
        const auto& [done, state] = kept.back();
        const MinimizeResult rest =
            resume(*entry.make(quick(entry, false)), function, state, done, rules);
        EXPECT_EQ(rest.reason, whole.reason);
        EXPECT_EQ(rest.iterations, whole.iterations);
        EXPECT_EQ(rest.evaluations, whole.evaluations);
        EXPECT_EQ(bits(rest.point), bits(whole.point));
      }
    }
  }
}

TEST(Resume, StatesAreKeptWhenTheTimeIsOver) {
  Rosenbrock function(2);
  std::vector<StopReason> reasons;
  const auto keep = [&](std::size_t, StopReason reason) { reasons.push_back(reason); };
  const MinimizeResult result =
      minimize(*make("cg"), function, std::vector{-1.2, 1.0}, {.seconds = 1e-9}, {}, keep);
  EXPECT_EQ(result.reason, StopReason::time);
  EXPECT_EQ(reasons, std::vector{StopReason::time});
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

TEST(Optimizers, AreWhereTheyWereAfterAFunctionHasThrown) {
  Rosenbrock valley(4);
  const std::vector<double> start = {-1.2, 1, 0.5, 0};
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    std::size_t thrown = 0;
    for (std::size_t evaluation = 1; evaluation < 40; ++evaluation) {
      Throws function(valley, evaluation);
      const auto optimizer = entry.make(quick(entry, false));
      optimizer->start(function, start);
      OptimizerState before = optimizer->state();
      try {
        for (std::size_t k = 0; k < 10; ++k) {
          before = optimizer->state();
          optimizer->iterate(function);
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::stopped);
        ++thrown;
        const OptimizerState after = optimizer->state();
        EXPECT_EQ(after.vectors, before.vectors) << entry.name << ", evaluation " << evaluation;
        EXPECT_EQ(after.numbers, before.numbers) << entry.name << ", evaluation " << evaluation;
      }
    }
    EXPECT_GT(thrown, 10u) << entry.name;
  }
}

TEST(Optimizers, ThatStartAgainForgetButGoOnCounting) {
  Rosenbrock valley(4);
  const std::vector<double> start = {-1.2, 1, 0.5, 0}, other = {0.1, 0.2, 0.3, 0.4};
  for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
    const auto fresh = entry.make(quick(entry, false)), again = entry.make(quick(entry, false));
    fresh->start(valley, other);
    again->start(valley, start);
    for (int k = 0; k < 5; ++k) again->iterate(valley);
    const std::size_t evaluations = again->evaluations();
    again->start_again(valley, other);
    OptimizerState expected = fresh->state(), state = again->state();
    EXPECT_EQ(state.vectors, expected.vectors) << entry.name;
    EXPECT_EQ(again->evaluations(), evaluations + 1) << entry.name;
    if (entry.by_batches) {
      EXPECT_EQ(state.numbers.at("epoch"), 5) << entry.name;
      EXPECT_EQ(state.numbers.at("updates"), 5) << entry.name;
    }
    for (const char* counted : {"epoch", "updates", "evaluations"}) {
      expected.numbers.erase(counted);
      state.numbers.erase(counted);
    }
    EXPECT_EQ(state.numbers, expected.numbers) << entry.name;
  }
}

}  // namespace
}  // namespace knotwork
