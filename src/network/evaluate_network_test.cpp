// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "network/pass.hpp"
#include "network/test_networks.hpp"

namespace knotwork {
namespace {

using testing_networks::in_columns;
using testing_networks::in_rows;
using testing_networks::naive_forward;
using testing_networks::random_network;
using testing_networks::random_table;
using testing_networks::Table;

template <class T>
std::vector<T> predict(const Network& network, const std::vector<T>& rows,
                       std::size_t threads = 1) {
  const std::size_t count = rows.size() / network.inputs();
  std::vector<T> outputs(count * network.outputs(), T{-77});
  evaluate(network, row_major(std::span<const T>(rows), count, network.inputs()),
           row_major(std::span<T>(outputs), count, network.outputs()), threads);
  return outputs;
}

template <class T>
bool same_bits(const T* a, const T* b, std::size_t n) {
  return std::memcmp(a, b, n * sizeof(T)) == 0;
}

constexpr std::uint64_t kNetworks = 40;

template <class T>
class Evaluate : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Evaluate, Precisions);

TYPED_TEST(Evaluate, IsTheNaiveForwardPass) {
  using T = TypeParam;
  for (std::uint64_t seed = 0; seed < kNetworks; ++seed) {
    const Network network = random_network(seed);
    const Table rows = random_table(1 + seed * 7 % 50, network.inputs(), 1.5, seed);
    const auto got = predict(network, in_rows<T>(rows));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto trace = naive_forward(network, rows[r]);
      double largest = 1;
      for (const auto& layer : trace.s) {
        for (double s : layer) largest = std::max(largest, std::fabs(s));
      }
      for (std::size_t o = 0; o < network.outputs(); ++o) {
        // Every layer rounds, and may amplify the rounding of the layers before it.
        const double wanted = trace.y.back()[o];
        const double tolerance = (std::is_same_v<T, double> ? 1e-13 : 2e-5) * largest;
        ASSERT_NEAR(double{got[r * network.outputs() + o]}, wanted, tolerance)
            << "seed " << seed << " row " << r;
      }
    }
  }
}

TYPED_TEST(Evaluate, ARowAloneEqualsTheSameRowInABatchBitForBit) {
  using T = TypeParam;
  for (std::uint64_t seed = 0; seed < kNetworks; ++seed) {
    const Network network = random_network(seed);
    // Odd counts, including some beyond one block.
    const std::size_t count = seed % 8 == 0 ? block_rows<T>(network) * 2 + 13 : 1 + seed * 11 % 61;
    const auto rows = in_rows<T>(random_table(count, network.inputs(), 1.5, seed));
    const auto batch = predict(network, rows);
    const std::size_t in = network.inputs(), out = network.outputs();
    for (std::size_t r = 0; r < count; ++r) {
      const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(r * in);
      const std::vector<T> row(begin, begin + static_cast<std::ptrdiff_t>(in));
      const auto alone = predict(network, row);
      ASSERT_TRUE(same_bits(alone.data(), batch.data() + r * out, out)) << seed << " row " << r;
    }
    // The rest of the batch, shifted by a few rows.
    for (std::size_t first : {1u, 3u, 5u}) {
      if (first >= count) continue;
      const std::vector<T> later(rows.begin() + static_cast<std::ptrdiff_t>(first * in),
                                 rows.end());
      const auto moved = predict(network, later);
      ASSERT_TRUE(same_bits(moved.data(), batch.data() + first * out, moved.size())) << seed;
    }
  }
}

TYPED_TEST(Evaluate, AnyNumberOfThreadsGivesTheSameBits) {
  using T = TypeParam;
  const Network network = random_network(5);
  const auto rows = in_rows<T>(random_table(3001, network.inputs(), 1.5, 5));
  const auto one = predict(network, rows, 1);
  for (std::size_t threads : {0u, 2u, 3u, 7u, 50u}) {
    const auto many = predict(network, rows, threads);
    EXPECT_TRUE(same_bits(many.data(), one.data(), one.size())) << threads;
  }
}

TYPED_TEST(Evaluate, EveryLayoutGivesTheSameBits) {
  using T = TypeParam;
  for (std::uint64_t seed = 0; seed < kNetworks; ++seed) {
    const Network network = random_network(seed);
    const std::size_t in = network.inputs(), out = network.outputs();
    for (std::size_t count : {1u, 16u, 33u, 600u}) {
      if (count == 600 && seed % 8) continue;
      const Table table = random_table(count, in, 1.5, seed);
      const auto wanted = predict(network, in_rows<T>(table));
      const auto columns = in_columns<T>(table);
      std::vector<T> outputs(count * out);
      evaluate(network, column_major(std::span<const T>(columns), count, in),
               column_major(std::span<T>(outputs), count, out));
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t o = 0; o < out; ++o) {
          ASSERT_TRUE(same_bits(&outputs[o * count + r], &wanted[r * out + o], 1)) << seed;
        }
      }
      // A part of a wider table, with a gap between rows.
      std::vector<T> wide(count * (in + 3), T{1000});
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < in; ++c) wide[r * (in + 3) + 2 + c] = columns[c * count + r];
      }
      std::vector<T> spread(count * out * 2, T{-5});
      evaluate(network, MatrixView<const T>{wide.data() + 2, count, in, in + 3, 1},
               MatrixView<T>{spread.data(), count, out, 2 * out, 2});
      for (std::size_t k = 0; k < count * out; ++k) {
        ASSERT_TRUE(same_bits(&spread[2 * k], &wanted[k], 1)) << seed;
        ASSERT_EQ(spread[2 * k + 1], T{-5}) << "wrote beside its outputs";
      }
    }
  }
}

TYPED_TEST(Evaluate, RowsThatAreNotNumbersDoNotDisturbOthers) {
  using T = TypeParam;
  for (std::uint64_t seed = 0; seed < kNetworks; ++seed) {
    const Network network = random_network(seed);
    const std::size_t in = network.inputs(), out = network.outputs(), count = 37;
    auto rows = in_rows<T>(random_table(count, in, 1.5, seed));
    const auto clean = predict(network, rows);
    const std::vector<std::size_t> bad = {0, 15, 16, 36};
    for (std::size_t r : bad) {
      rows[r * in + r % in] =
          r == 15 ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::quiet_NaN();
    }
    const auto got = predict(network, rows);
    for (std::size_t r = 0; r < count; ++r) {
      if (std::find(bad.begin(), bad.end(), r) == bad.end()) {
        ASSERT_TRUE(same_bits(got.data() + r * out, clean.data() + r * out, out))
            << seed << " " << r;
      } else if (r != 15) {
        for (std::size_t o = 0; o < out; ++o) ASSERT_TRUE(std::isnan(got[r * out + o])) << seed;
      }
    }
  }
}

TYPED_TEST(Evaluate, RefusesShapesThatDoNotFitAndTakesNoRows) {
  using T = TypeParam;
  const Network network =
      make_network({3, 2}, nullptr, builtin_activations().at("identity").make({}));
  std::vector<T> in(12), out(8);
  const auto call = [&](std::size_t rows, std::size_t columns, std::size_t out_rows,
                        std::size_t out_columns) {
    evaluate(network, MatrixView<const T>{in.data(), rows, columns, columns, 1},
             MatrixView<T>{out.data(), out_rows, out_columns, out_columns, 1});
  };
  EXPECT_NO_THROW(call(4, 3, 4, 2));
  EXPECT_NO_THROW(call(0, 3, 0, 2));
  EXPECT_THROW(call(4, 2, 4, 2), Error);
  EXPECT_THROW(call(4, 3, 4, 1), Error);
  EXPECT_THROW(call(4, 3, 3, 2), Error);
}

TEST(MatrixView, MemoryOfAnotherSizeIsRefused) {
  std::vector<double> values(12);
  const std::span<double> span(values);
  EXPECT_EQ(row_major(span, 4, 3).row_stride, 3u);
  EXPECT_EQ(column_major(span, 4, 3).column_stride, 4u);
  EXPECT_THROW(row_major(span, 5, 3), Error);
  EXPECT_THROW(row_major(span, 3, 3), Error);
  EXPECT_THROW(column_major(span, 4, 5), Error);
}

}  // namespace
}  // namespace knotwork
