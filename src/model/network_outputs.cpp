// SPDX-License-Identifier: MIT
#include "model/network_outputs.hpp"

#include <algorithm>
#include <cmath>

namespace knotwork::model {
namespace {

// The output is the logarithm of the odds of the second class against the first.
template <class T>
void add_two_classes(const T* odds, std::size_t n, double* sums) {
  for (std::size_t k = 0; k < n; ++k) {
    const double y = static_cast<double>(odds[k]);
    const double small = std::exp(-std::fabs(y));  // never overflows
    const double unlikely = small / (1 + small), likely = 1 / (1 + small);
    sums[k] += y < 0 ? likely : unlikely;
    sums[n + k] += y < 0 ? unlikely : likely;
  }
}

template <class T>
void add_classes(Block<const T> outputs, std::size_t classes, std::size_t n, double* sums) {
  for (std::size_t k = 0; k < n; ++k) {
    const auto output = [&](std::size_t c) { return static_cast<double>(outputs.row(c)[k]); };
    double largest = output(0), total = 0;
    for (std::size_t c = 1; c < classes; ++c) largest = std::max(largest, output(c));
    for (std::size_t c = 0; c < classes; ++c) total += std::exp(output(c) - largest);
    for (std::size_t c = 0; c < classes; ++c) {
      sums[c * n + k] += std::exp(output(c) - largest) / total;
    }
  }
}

void sort_quantiles(std::size_t levels, std::size_t n, double* columns) {
  // There are few levels, and they are mostly in order already: insertion sort.
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t level = 1; level < levels; ++level) {
      for (std::size_t at = level; at > 0 && columns[at * n + k] < columns[(at - 1) * n + k];
           --at) {
        std::swap(columns[at * n + k], columns[(at - 1) * n + k]);
      }
    }
  }
}

}  // namespace

template <class T>
void add_predictions(std::span<const TargetColumn> targets, Block<const T> outputs, std::size_t n,
                     double* sums) {
  for (const TargetColumn& target : targets) {
    if (target.classes.size() == 2) {
      add_two_classes(outputs.row(0), n, sums);
    } else if (!target.classes.empty()) {
      add_classes(outputs, target.classes.size(), n, sums);
    } else {
      for (std::size_t o = 0; o < target.outputs(); ++o) {
        const T* const y = outputs.row(o);
        for (std::size_t k = 0; k < n; ++k) sums[o * n + k] += static_cast<double>(y[k]);
      }
    }
    outputs.data = outputs.row(target.outputs());
    sums += target.predictions() * n;
  }
}
template void add_predictions(std::span<const TargetColumn>, Block<const float>, std::size_t,
                              double*);
template void add_predictions(std::span<const TargetColumn>, Block<const double>, std::size_t,
                              double*);

void finish_predictions(std::span<const TargetColumn> targets, std::size_t networks, std::size_t n,
                        double* sums) {
  const auto count = static_cast<double>(networks);
  for (const TargetColumn& target : targets) {
    const std::size_t size = target.predictions() * n;
    for (std::size_t k = 0; k < size; ++k) sums[k] /= count;
    if (!target.scaling.is_identity()) {
      const double offset = target.scaling.offset, scale = target.scaling.scale;
      for (std::size_t k = 0; k < size; ++k) sums[k] = sums[k] / scale + offset;
    }
    if (!target.quantiles.empty()) sort_quantiles(target.quantiles.size(), n, sums);
    sums += size;
  }
}

}  // namespace knotwork::model
