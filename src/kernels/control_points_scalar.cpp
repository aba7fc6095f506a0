// SPDX-License-Identifier: MIT
#include "kernels/control_points.hpp"

namespace knotwork {
namespace {

template <class T>
void coefficients(const std::array<std::array<double, 4>, 4>& basis, const T* q, std::size_t spans,
                  T* coefficients) {
  for (std::size_t i = 0; i < spans; ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += basis[p][k] * static_cast<double>(q[i + k]);
      coefficients[4 * i + p] = static_cast<T>(sum);
    }
  }
}

template <class T>
void collect(const std::array<std::array<T, 4>, 4>& basis, const T* sums, std::size_t spans,
             T* gradient) {
  for (std::size_t i = 0; i < spans; ++i) {
    for (std::size_t p = 0; p < 4; ++p) {
      T moment = 0;
      for (std::size_t copy = 0; copy < moment_copies(spans); ++copy) {
        moment += sums[4 * (copy * spans + i) + p];
      }
      for (std::size_t k = 0; k < 4; ++k) gradient[i + k] += basis[p][k] * moment;
    }
  }
}

}  // namespace

template <class T>
const ControlPointKernels<T>& scalar_control_point_kernels() {
  static constexpr ControlPointKernels<T> kernels = {coefficients<T>, collect<T>};
  return kernels;
}
template const ControlPointKernels<float>& scalar_control_point_kernels();
template const ControlPointKernels<double>& scalar_control_point_kernels();

}  // namespace knotwork
