// SPDX-License-Identifier: MIT
// This header contains what activations with trained numbers share: tensors with anchors, and loops
// that compilers vectorize.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/activation.hpp>

namespace knotwork {

// The trained tensors (name and size), then for each of them a constant tensor that stores its
// start.
inline std::vector<ActivationTensor> with_anchors(
    std::initializer_list<std::pair<std::string, std::size_t>> trained) {
  std::vector<ActivationTensor> all;
  for (const auto& [name, size] : trained) all.push_back({name, size, true, -1});
  int anchored = 0;
  for (const auto& [name, size] : trained) {
    all.push_back({name + "_anchor", size, false, anchored++});
  }
  return all;
}

// Sets a trained tensor and its anchor to the same numbers.
inline void start_at(const std::vector<double>& start, double* trained, double* anchor) {
  std::copy(start.begin(), start.end(), trained);
  std::copy(start.begin(), start.end(), anchor);
}

// The sum of term(0) .. term(n - 1), in partial sums that do not wait for each other.
template <class T, class Term>
T sum_over(std::size_t n, const Term& term) {
  constexpr std::size_t kSums = 8;
  T sums[kSums] = {};
  std::size_t k = 0;
  for (; k + kSums <= n; k += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += term(k + j);
  }
  for (std::size_t j = 0; k < n; ++j, ++k) sums[j] += term(k);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// Rows are processed in pieces, so that intermediate values fit on the stack.
constexpr std::size_t kSamplesAtOnce = 128;

// Calls work(first, count) for each piece of a row of n samples.
template <class Work>
void in_pieces(std::size_t n, const Work& work) {
  for (std::size_t first = 0; first < n; first += kSamplesAtOnce)
    work(first, std::min(kSamplesAtOnce, n - first));
}

// NaN stays NaN.
template <class T>
T bounded(T s, T bound) {
  return s < -bound ? -bound : (s > bound ? bound : s);
}

}  // namespace knotwork
