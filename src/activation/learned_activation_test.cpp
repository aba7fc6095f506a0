// SPDX-License-Identifier: MIT
// Tests the contract of every entry of the table beyond values and slopes: rows of samples,
// gradients of trained numbers, anchors.
#include <gtest/gtest.h>

#include <cstring>

#include "activation/test_neuron.hpp"

namespace knotwork {
namespace {

using testing_neuron::identifier;
using testing_neuron::Neuron;

constexpr double kInf = std::numeric_limits<double>::infinity();

class EveryRow : public testing::TestWithParam<std::string> {
 protected:
  Neuron neuron_{builtin_activations().at(GetParam()).make({})};
};
INSTANTIATE_TEST_SUITE_P(Table, EveryRow, testing::ValuesIn(builtin_activations().names()),
                         identifier);

template <class T>
std::vector<T> normal_numbers(std::size_t count, double deviation, std::uint64_t seed) {
  const Random random(seed, Purpose::builtin_inputs);
  std::vector<T> numbers;
  for (std::size_t k = 0; k < count; ++k) {
    // Rounded to float, so that both precisions see the same numbers.
    numbers.push_back(static_cast<T>(static_cast<float>(deviation * random.normal(k))));
  }
  return numbers;
}

template <class T>
void expect_same_bits_in_rows(Neuron neuron) {
  neuron.scatter(0.2, 3);
  std::vector<T> s = normal_numbers<T>(400, 4, 5);
  s[7] = std::numeric_limits<T>::quiet_NaN();
  s[150] = std::numeric_limits<T>::infinity();
  s[260] = -std::numeric_limits<T>::infinity();
  std::vector<T> y, slope;
  for (T one : s) {
    const auto alone = neuron.at(one);
    y.push_back(alone.first);
    slope.push_back(alone.second);
  }
  for (std::size_t first : {0u, 1u, 2u, 3u, 5u}) {
    for (std::size_t n : {1u, 2u, 7u, 8u, 9u, 31u, 127u, 128u, 129u, 300u}) {
      const auto row = neuron.row(std::vector<T>(s.data() + first, s.data() + first + n));
      ASSERT_EQ(std::memcmp(row.y.data(), y.data() + first, n * sizeof(T)), 0) << first << " " << n;
      ASSERT_EQ(std::memcmp(row.slope.data(), slope.data() + first, n * sizeof(T)), 0)
          << first << " " << n;
    }
  }
}

TEST_P(EveryRow, ASampleAloneHasTheBitsThatItHasInARow) {
  expect_same_bits_in_rows<float>(neuron_);
  expect_same_bits_in_rows<double>(neuron_);
}

TEST_P(EveryRow, EveryTrainedTensorHasAnAnchorThatRemembersItsStart) {
  const auto& tensors = neuron_.tensors();
  const bool noisy = neuron_.activation().settings().contains("init-noise");
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    if (!tensors[k].trained) continue;
    int anchors = 0;
    for (std::size_t a = 0; a < tensors.size(); ++a) {
      if (tensors[a].anchors != static_cast<int>(k)) continue;
      ++anchors;
      EXPECT_FALSE(tensors[a].trained);
      ASSERT_EQ(tensors[a].size, tensors[k].size);
      for (std::size_t i = 0; i < tensors[k].size; ++i) {
        EXPECT_NEAR(neuron_.numbers(k)[i], neuron_.numbers(a)[i], noisy ? 0.5 : 0);
      }
    }
    EXPECT_EQ(anchors, 1) << tensors[k].name;
  }
}

// Sum of weight * phi(s) and its gradient, compared with central differences.
struct Problem {
  std::vector<double> s, weights;

  Problem(const Neuron& neuron, std::uint64_t seed) {
    // Most samples are in the usual range of networks, some far outside.
    for (double deviation : {0.7, 2.0, 12.0}) {
      for (double x : normal_numbers<double>(60, deviation, seed)) {
        // Kinks move with the trained numbers, by at most a few steps.
        if (!neuron.near_kink(x, 1e-3)) s.push_back(x);
      }
    }
    weights = normal_numbers<double>(s.size(), 1, seed + 100);
  }
  double value(const Neuron& neuron) const {
    const auto y = neuron.row(s).y;
    double sum = 0;
    for (std::size_t k = 0; k < y.size(); ++k) sum += weights[k] * y[k];
    return sum;
  }
};

TEST_P(EveryRow, GradientOfEveryTrainedTensorIsTheCentralDifference) {
  const double h = 2e-6;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Neuron neuron = neuron_;
    neuron.scatter(0.2, seed);
    const Problem problem(neuron, seed);
    ASSERT_GT(problem.s.size(), 120u);
    const auto gradients = neuron.backward(problem.s, problem.weights);
    for (std::size_t k = 0; k < neuron.tensors().size(); ++k) {
      double largest = 0, error = 0;
      for (std::size_t i = 0; i < gradients[k].size(); ++i) {
        const double here = neuron.numbers(k)[i];
        const auto difference_of = [&](double step) {
          neuron.numbers(k)[i] = here + step;
          const double above = problem.value(neuron);
          neuron.numbers(k)[i] = here - step;
          const double below = problem.value(neuron);
          neuron.numbers(k)[i] = here;
          return (above - below) / ((here + step) - (here - step));
        };
        // Two steps give a difference of fourth order: powers of a sample curve the function of
        // their coefficient so much that one step is not accurate enough.
        const double difference = (4 * difference_of(h) - difference_of(2 * h)) / 3;
        error = std::max(error, std::fabs(gradients[k][i] - difference));
        largest = std::max(largest, std::fabs(gradients[k][i]));
      }
      if (gradients[k].empty()) continue;
      EXPECT_GT(largest, 0) << neuron.tensors()[k].name;
      EXPECT_LT(error, 1e-7 * largest) << neuron.tensors()[k].name << " " << seed;
      worst = std::max(worst, error / largest);
    }
    if (neuron.activation().scratch_size() == 0) continue;
    // The gradient passed back to the weights is multiplied by the slope.
    const auto slope = neuron.row(problem.s).slope;
    for (std::size_t r = 0; r < problem.s.size(); ++r) {
      ASSERT_EQ(gradients.back()[r], problem.weights[r] * slope[r]);
    }
  }
  RecordProperty("worst", std::to_string(worst * 1e9) + "e-9");
}

TEST_P(EveryRow, GradientsInFloatAreThoseInDoubleWithinRounding) {
  Neuron neuron = neuron_;
  neuron.scatter(0.2, 1);
  for (std::size_t k = 0; k < neuron.tensors().size(); ++k) {
    for (double& number : neuron.numbers(k)) number = static_cast<float>(number);
  }
  const Problem problem(neuron, 1);
  const auto wanted = neuron.backward(problem.s, problem.weights);
  const auto found =
      neuron.backward(std::vector<float>(problem.s.begin(), problem.s.end()),
                      std::vector<float>(problem.weights.begin(), problem.weights.end()));
  for (std::size_t k = 0; k < neuron.tensors().size(); ++k) {
    double largest = 0;
    for (double g : wanted[k]) largest = std::max(largest, std::fabs(g));
    for (std::size_t i = 0; i < wanted[k].size(); ++i) {
      EXPECT_NEAR(double{found[k][i]}, wanted[k][i], 1e-5 * largest) << neuron.tensors()[k].name;
    }
  }
}

// For any trained numbers, including zeros, an infinite input has a result.
TEST_P(EveryRow, InfiniteInputsHaveALimitForAnyNumbers) {
  for (double size : {0.0, 0.2, 3.0}) {
    Neuron neuron = neuron_;
    for (std::size_t k = 0; k < neuron.tensors().size(); ++k) {
      if (!neuron.tensors()[k].trained) continue;
      if (size == 0) std::fill(neuron.numbers(k).begin(), neuron.numbers(k).end(), 0.0);
    }
    neuron.scatter(size, 9);
    for (double s : {-kInf, kInf, -1e300, 1e300}) {
      const auto [y, slope] = neuron.at(s);
      EXPECT_FALSE(std::isnan(y)) << s << " " << size;
      EXPECT_TRUE(std::isfinite(slope)) << s << " " << size;
      const auto [float_y, float_slope] = neuron.at(static_cast<float>(s));
      EXPECT_FALSE(std::isnan(float_y)) << s << " " << size;
      EXPECT_TRUE(std::isfinite(float_slope)) << s << " " << size;
    }
  }
}

}  // namespace
}  // namespace knotwork
