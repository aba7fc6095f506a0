// SPDX-License-Identifier: MIT
// Tests that several processes compute an objective to the same bits as a single process.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "network/pass.hpp"
#include "objective/rank_shares.hpp"
#include "objective/subtrees.hpp"
#include "objective/test_samples.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/test_monitors.hpp"
#include "parallel/test_ranks.hpp"

namespace knotwork {
namespace {

using testing_networks::random_network;
using testing_samples::evaluate_all;
using testing_samples::evaluate_one;
using testing_samples::Evaluation;
using testing_samples::OwnedSamples;

// All rows at once, and two batches of an epoch.
std::vector<Evaluation> evaluations(const Network& network, const AnySamples& samples,
                                    ObjectiveOptions options) {
  Objective objective(network, samples, options);
  std::vector<Evaluation> result = {evaluate_all(objective, network)};
  if (options.batch == 0) return result;
  const std::size_t batches = objective.begin_epoch(3);
  for (const std::size_t batch : {std::size_t{0}, batches - 1}) {
    result.push_back(evaluate_one(objective, batch, network));
  }
  return result;
}

class RanksOfObjective : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RanksOfObjective, GetTheBitsOfOneAlone) {
  const std::size_t count = GetParam();
  for (const std::size_t rows : {1, 700, 5000, 20000}) {
    for (const std::size_t batch : {0, 100, 600}) {
      for (const std::uint64_t seed : {1, 2}) {
        const Network network = random_network(seed);
        OwnedSamples<double> samples(network, rows, seed, seed == 2);
        const AnySamples view = samples.view();
        ObjectiveOptions options;
        options.batch = batch;
        options.dropout = seed == 1 ? 0 : 0.2;
        const std::vector<Evaluation> alone = evaluations(network, view, options);
        std::mutex mutex;
        parallel::run_ranks(count, [&](Ranks& ranks) {
          ObjectiveOptions shared = options;
          shared.ranks = &ranks;
          shared.threads = 1 + ranks.rank() % 2;
          const std::vector<Evaluation> together = evaluations(network, view, shared);
          const std::lock_guard lock(mutex);
          EXPECT_EQ(together, alone) << rows << " rows, batches of " << batch;
        });
      }
    }
  }
}

// Each process has only its share of the rows.
TEST_P(RanksOfObjective, NeedTheirOwnRowsOnly) {
  const std::size_t count = GetParam(), rows = 20011;
  const Network network = random_network(5);
  OwnedSamples<double> samples(network, rows, 5, true);
  const AnySamples any = samples.view();
  const auto& all = std::get<Samples<double>>(any);
  for (const std::size_t batch : {0, 300}) {
    ObjectiveOptions options;
    options.batch = batch;
    const std::vector<Evaluation> alone = evaluations(network, any, options);
    parallel::run_ranks(count, [&](Ranks& ranks) {
      const RowRange own =
          RowShares(rows, leaf_rows<double>(network), batch).own(ranks.rank(), ranks.size());
      Samples<double> mine = all;
      mine.first = own.first;
      mine.all_rows = rows;
      parallel::ExactSum mass;
      for (const double weight : all.weights) mass.add(weight);
      mine.mass = mass.value();
      for (MatrixView<const double>* view : {&mine.inputs, &mine.targets}) {
        view->data += own.first;
        view->rows = own.size();
      }
      mine.weights = all.weights.subspan(own.first, own.size());
      ObjectiveOptions shared = options;
      shared.ranks = &ranks;
      EXPECT_EQ(evaluations(network, mine, shared), alone);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Some, RanksOfObjective, ::testing::Values(1, 2, 3, 4, 7, 11));

TEST(RowShares, CoverAllRowsOnce) {
  for (const std::size_t rows : {1, 1023, 20000, 1 << 20, (1 << 20) + 1, 5'000'011}) {
    for (const std::size_t batch : {0, 100, 600, 20000}) {
      for (const std::size_t ranks : {1, 2, 3, 5, 64}) {
        const RowShares shares(rows, 1024, batch);
        std::size_t next = 0, most = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
          const RowRange own = shares.own(rank, ranks);
          ASSERT_EQ(own.first, next);
          if (own.size() > 0 && rows > kManyRows) {
            ASSERT_EQ(own.first % kChunkRows, 0u);
          }
          next = own.last;
          most = std::max(most, own.size());
        }
        EXPECT_EQ(next, rows);
        // Large sets are divided evenly.
        if (rows > 4'000'000 && batch == 0) {
          EXPECT_LE(static_cast<double>(most),
                    1.1 * static_cast<double>(rows) / static_cast<double>(ranks) + kChunkRows);
        }
      }
    }
  }
}

// Deals one row after the other, as documented.
TEST(CountDealt, IsWhatDealingRowByRowGives) {
  const Random random(3, Purpose::builtin_inputs);
  for (std::uint64_t round = 0; round < 60; ++round) {
    const std::size_t lanes = 1 + random.below(round % 5 == 0 ? 64 : 8, 100 * round);
    std::vector<std::size_t> sizes(lanes);
    for (std::size_t k = 0; k < lanes; ++k) {
      sizes[k] = 1 + random.below(round % 2 == 0 ? 3000 : 20, 100 * round + k + 1);
    }
    std::vector<std::size_t> wanted(lanes), found(lanes);
    std::size_t rows = 0;
    for (const std::size_t size : sizes) rows += size;
    for (std::size_t dealt = 0; dealt <= rows; ++dealt) {
      count_dealt(sizes, dealt, found);
      ASSERT_EQ(found, wanted) << dealt << " rows of " << lanes << " lanes";
      std::size_t next = lanes;
      for (std::size_t k = 0; k < lanes; ++k) {
        if (wanted[k] == sizes[k]) continue;
        if (next == lanes ||
            (2 * wanted[k] + 1) * sizes[next] < (2 * wanted[next] + 1) * sizes[k]) {
          next = k;
        }
      }
      if (next < lanes) ++wanted[next];
    }
  }
}

// Every row once, in a new order in every epoch, and in large sets one group of chunks after the
// other.
TEST(LaneOrder, GoesThroughLargeSetsInGroups) {
  const std::size_t rows = kManyRows + 12345, first = 3 * kChunkRows;
  LaneOrder lane(rows, first, rows, 7);
  std::vector<std::size_t> epochs[2];
  for (std::size_t epoch : {0, 1}) {
    lane.begin_epoch(epoch);
    for (std::size_t place = 0; place < rows - first; place += 1000) {
      lane.append(place, std::min(place + 1000, rows - first), epochs[epoch]);
    }
    std::vector<std::size_t> sorted = epochs[epoch];
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted.size(), rows - first);
    for (std::size_t k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], first + k);
  }
  EXPECT_NE(epochs[0], epochs[1]);
  std::vector<bool> chunks(rows / kChunkRows + 1);
  for (std::size_t k = 0; k < kGroupChunks * kChunkRows / 2; ++k) {
    chunks[epochs[0][k] / kChunkRows] = true;
  }
  EXPECT_LE(std::count(chunks.begin(), chunks.end(), true), std::ptrdiff_t{kGroupChunks});
  // From any position, without the rows before it.
  std::vector<std::size_t> later;
  LaneOrder(rows, first, rows, 7).append(500'000, 500'100, later);
  EXPECT_TRUE(std::equal(later.begin(), later.end(), epochs[0].begin() + 500'000));
}

// Asked before every block, it ends an evaluation at any of them; the next one has the old bits.
TEST(ObjectiveStop, EndsAnEvaluationAtAnyBlock) {
  const Network network = random_network(1);
  OwnedSamples<double> samples(network, 5000, 1);
  ObjectiveOptions options;
  options.batch = 600;
  const std::vector<Evaluation> whole = evaluations(network, samples.view(), options);
  const auto all = std::make_shared<parallel::StopsAfter>(1000000);
  options.monitor = all;
  EXPECT_EQ(evaluations(network, samples.view(), options), whole);
  const std::size_t blocks = all->asked();
  EXPECT_GT(blocks, 8u);
  for (std::size_t questions = 0; questions < blocks; ++questions) {
    const auto monitor = std::make_shared<parallel::StopsAfter>(questions);
    options.monitor = monitor;
    try {
      evaluations(network, samples.view(), options);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::stopped);
    }
    EXPECT_EQ(monitor->asked(), questions + 1) << "it is not asked again";
  }
}

TEST(ObjectiveStop, OfOneProcessEndsAllInTheSameRound) {
  const Network network = random_network(2);
  OwnedSamples<double> samples(network, 20000, 2);
  const AnySamples view = samples.view();
  for (const std::size_t batch : {0, 600}) {
    for (const std::size_t questions : {0, 3, 9}) {
      parallel::run_ranks(3, [&](Ranks& ranks) {
        const bool stops = ranks.rank() == 1;
        ObjectiveOptions options;
        options.batch = batch;
        options.ranks = &ranks;
        options.monitor =
            std::make_shared<parallel::StopsAfter>(stops ? questions : std::size_t{1000000});
        std::size_t evaluated = 0;
        try {
          Objective objective(network, view, options);
          for (; evaluated < 100; ++evaluated) evaluate_all(objective, network);
          ADD_FAILURE() << "nothing was thrown";
        } catch (const SharedError& error) {
          EXPECT_EQ(error.kind(), ErrorKind::stopped);
        }
        const std::vector<Ranks::Bytes> all = ranks.gather({static_cast<std::uint8_t>(evaluated)});
        for (const Ranks::Bytes& one : all) EXPECT_EQ(one, all.front());
      });
    }
  }
}

}  // namespace
}  // namespace knotwork
