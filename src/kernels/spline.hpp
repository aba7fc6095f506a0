// SPDX-License-Identifier: MIT
// These kernels evaluate one neuron's spline over a row of samples.
//
// A curve with Q control points has Q - 3 spans. With t = (s - origin) / step clamped to
// [0, spans], i = min(floor(t), spans - 1) and u = t - i, the value is
//     ((c3 u + c2) u + c1) u + c0        with (c3, c2, c1, c0) = coefficients of span i.
// Clamping comes first, so nothing outside the table is ever read. The distance that the clamp cut
// off, o = t - clamp(t), moves along the end tangent (linear tails) or is ignored (constant tails).
// NaN gives NaN; an infinite input gives the limit of its tail.
//
// n may be any number and rows may lie at any address; a sample's value and slope depend on that
// sample alone.
#pragma once

#include <cstddef>

namespace knotwork {

template <class T>
struct SplineCurve {
  const T* coefficients = nullptr;  // spans rows of (c3, c2, c1, c0)
  T origin = 0;                     // where the drawn range begins: x_1 = first_knot + step
  T inverse_step = 0;
  std::size_t spans = 0;
  bool linear_tails = true;
};

// Moments are summed in this many copies, with adjacent samples in different ones: adjacent samples
// often fall into the same span, and in a single copy each addition would wait for the one before.
// With many spans this is rare, and copies would only cost time to clear and to collect.
constexpr std::size_t moment_copies(std::size_t spans) {
  return spans <= 64 ? 4 : 1;
}
constexpr std::size_t moments_size(std::size_t spans) {
  return 4 * spans * moment_copies(spans);
}

template <class T>
struct SplineKernels {
  // Values and, unless slope is null, derivatives with respect to s.
  void (*forward)(const SplineCurve<T>& curve, const T* s, T* value, T* slope, std::size_t n);

  // Like forward(), for training. It stores the position of each sample so that backward() does not
  // compute the position again: s becomes the position in its span (u + o: 0 to 1 within the drawn
  // range, o steps beyond it in a tail), and notes gets the index of the span's four numbers, a
  // whole number in the bits of a T.
  void (*forward_noted)(const SplineCurve<T>& curve, T* s, T* value, T* slope, T* notes,
                        std::size_t n);

  // Adds, for each sample, gradient * (u^3 + 3 o u^2, u^2 + 2 o u, u + o, 1) to its span's four
  // moments (o = 0 with constant tails) in one of the copies, moments_size() numbers in all. Then
  // multiplies the gradient by the slope: dJ/dy becomes dJ/ds.
  void (*backward)(const SplineCurve<T>& curve, const T* place, const T* notes, const T* slope,
                   T* gradient, T* moments, std::size_t n);
};

// The kernels of the instruction set in use, and the plain C++ kernels that tests compare them
// with.
template <class T>
const SplineKernels<T>& spline_kernels();
template <class T>
const SplineKernels<T>& scalar_spline_kernels();

}  // namespace knotwork
