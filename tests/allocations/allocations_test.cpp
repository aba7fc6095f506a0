// SPDX-License-Identifier: MIT
// Tests that training does not allocate memory after its first steps, and that a Predictor never
// does.
#include <gtest/gtest.h>

#include "counting.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/knotwork.hpp>

namespace knotwork {
namespace {

template <class Action>
std::size_t allocations_of(const Action& action) {
  const std::size_t before = allocations_so_far();
  action();
  return allocations_so_far() - before;
}

// 3000 rows: several leaves, where the last one has an incomplete block.
struct Problem {
  Problem(const std::string& activation, std::size_t threads, std::size_t batch)
      : network(make_network({5, 7, 3, 2}, builtin_activations().at(activation).make({}),
                             builtin_activations().at(activation).make({}))),
        inputs(kRows * 5),
        targets(kRows * 2) {
    network.initialize(1);
    const Random random(1, Purpose::builtin_inputs);
    for (std::size_t k = 0; k < inputs.size(); ++k)
      inputs[k] = static_cast<float>(random.normal(k));
    for (std::size_t k = 0; k < targets.size(); ++k) {
      targets[k] = static_cast<float>(random.uniform(k));
    }
    ObjectiveOptions options;
    options.threads = threads;
    options.batch = batch;
    for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
      options.regularizers.push_back({entry.make({}), 1e-3});
    }
    const Samples<float> samples{column_major(std::span<const float>(inputs), kRows, 5),
                                 column_major(std::span<const float>(targets), kRows, 2),
                                 {}};
    objective.emplace(network, samples, options);
  }

  static constexpr std::size_t kRows = 3000;
  Network network;
  std::vector<float> inputs, targets;
  std::optional<Objective> objective;
};

TEST(Allocations, AreCounted) {
  int* volatile kept = nullptr;  // otherwise the compiler may remove the allocation
  EXPECT_EQ(allocations_of([&] {
              kept = new int;
              delete kept;
            }),
            1u);
}

TEST(Allocations, AnOptimizerAsksForNoneOnceItIsUnderWay) {
  for (const std::string activation :
       {"spline", "tanh", "adaptive-tanh", "prelu", "apl", "polynomial", "rational", "kaf"}) {
    for (const std::size_t threads : {1u, 2u}) {
      for (const OptimizerEntry& entry : builtin_optimizers().entries()) {
        for (const std::size_t batch : {0u, 100u}) {
          const bool in_batches = entry.name == "adam" || entry.name == "adamw";
          if (batch > 0 && !in_batches) continue;
          Problem problem(activation, threads, batch);
          const auto optimizer = entry.make({});
          optimizer->start(*problem.objective, problem.network.parameters());
          // L-BFGS fills its memory of ten pairs first.
          for (int k = 0; k < 12; ++k) optimizer->iterate(*problem.objective);
          EXPECT_EQ(allocations_of([&] {
                      for (int k = 0; k < 3; ++k) optimizer->iterate(*problem.objective);
                    }),
                    0u)
              << entry.name << " " << activation << " " << threads << " threads, batch " << batch;
        }
      }
    }
  }
}

TEST(Allocations, APredictorNeverAsks) {
  TrainOptions options;
  options.hidden = {4};
  options.iterations = 3;
  for (const std::size_t members : {1u, 3u}) {
    options.ensemble = members;
    Predictor predictor(train(make_builtin("friedman1", 300), {}, options));
    const std::vector<double> row(predictor.model().inputs.size(), 0.5);
    double prediction = 0;
    EXPECT_EQ(allocations_of([&] { predictor.predict(std::span(row), std::span(&prediction, 1)); }),
              0u);
  }
}

}  // namespace
}  // namespace knotwork
