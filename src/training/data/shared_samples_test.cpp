// SPDX-License-Identifier: MIT
// Tests of what training computes from samples that several processes share.
#include <gtest/gtest.h>

#include <algorithm>

#include "network/test_networks.hpp"
#include "objective/test_samples.hpp"
#include "parallel/test_ranks.hpp"
#include "training/run/stage_setup.hpp"
#include "training/run/validation_loss.hpp"

namespace knotwork::training {
namespace {

using testing_networks::random_network;

// The share of the samples that one process has.
Samples<double> share_of(Samples<double> all, RowRange own) {
  const auto [first, last] = own;
  all.all_rows = all.inputs.rows;
  all.first = first;
  for (MatrixView<const double>* view : {&all.inputs, &all.targets}) {
    view->data += first * view->row_stride;
    view->rows = last - first;
  }
  if (!all.weights.empty()) {
    parallel::ExactSum mass;
    for (const double weight : all.weights) mass.add(weight);
    all.mass = mass.value();
    all.weights = all.weights.subspan(first, last - first);
  }
  return all;
}

TEST(SharedSamples, HaveTheValidationScoreOfAllRows) {
  for (const std::size_t rows : {1, 999, 5000, 20000}) {
    for (const bool weighted : {false, true}) {
      for (const char* loss : {"squared", "absolute"}) {
        const Network network = random_network(4);
        testing_samples::OwnedSamples<double> samples(network, rows, 4, weighted);
        const AnySamples any = samples.view();
        const auto& all = std::get<Samples<double>>(any);
        const auto make = [&](const Samples<double>& own, std::size_t threads, Ranks* ranks) {
          return ValidationScore<double>(network, own, builtin_losses().at(loss).make({}), threads,
                                         ranks)(network.parameters());
        };
        const double wanted = make(all, 1, nullptr);
        EXPECT_GT(wanted, 0);
        EXPECT_EQ(make(all, 2, nullptr), wanted);
        for (const std::size_t count : {2, 3, 5}) {
          parallel::run_ranks(count, [&](Ranks& ranks) {
            EXPECT_EQ(make(all, 1, &ranks), wanted) << "all have all rows";
            const RowRange own = RowShares(rows, 1024, 0).own(ranks.rank(), count);
            EXPECT_EQ(make(share_of(all, own), 2, &ranks), wanted) << "each has a share";
          });
        }
      }
    }
  }
}

// The mean loss by hand.
TEST(SharedSamples, HaveAValidationScoreThatIsTheRootMeanSquare) {
  const Network network = random_network(6);
  const std::size_t rows = 3000;
  testing_samples::OwnedSamples<double> samples(network, rows, 6, true);
  const AnySamples any = samples.view();
  const auto& all = std::get<Samples<double>>(any);
  std::vector<double> outputs(rows * network.outputs());
  evaluate(network, all.inputs, column_major(std::span(outputs), rows, network.outputs()), 1);
  double sum = 0, mass = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t o = 0; o < network.outputs(); ++o) {
      const double error = outputs[o * rows + r] - all.targets(r, o);
      sum += all.weights[r] * error * error;
    }
    mass += all.weights[r];
  }
  const double wanted = std::sqrt(sum / mass / static_cast<double>(network.outputs()));
  ValidationScore<double> score(network, all, builtin_losses().at("squared").make({}), 1, nullptr);
  EXPECT_NEAR(score(network.parameters()), wanted, 1e-12 * wanted);
}

TEST(SharedSamples, FitRangesToTheSameRows) {
  const Network network = random_network(5);
  for (const std::size_t rows : {std::size_t{3}, std::size_t{1000}, 3 * kRangeRows + 17}) {
    testing_samples::OwnedSamples<double> samples(network, rows, 5);
    const AnySamples any = samples.view();
    const auto& all = std::get<Samples<double>>(any);
    const std::vector<double> wanted = range_rows(all, nullptr);
    const std::size_t taken = std::min(rows, kRangeRows);
    ASSERT_EQ(wanted.size(), taken * network.inputs());
    EXPECT_EQ(wanted.back(), all.inputs((taken - 1) * rows / taken, network.inputs() - 1));
    for (const std::size_t count : {2, 5}) {
      parallel::run_ranks(count, [&](Ranks& ranks) {
        EXPECT_EQ(range_rows(all, &ranks), wanted);
        const RowRange own = RowShares(rows, 1024, 300).own(ranks.rank(), count);
        EXPECT_EQ(range_rows(share_of(all, own), &ranks), wanted);
      });
    }
  }
}

}  // namespace
}  // namespace knotwork::training
