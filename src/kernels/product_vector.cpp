// SPDX-License-Identifier: MIT
// The products of a layer for every instruction set of Highway.
//
// Tiles of outputs times vectors of samples stay in registers while the sum runs over the inputs.
// Sizes are chosen so that 16 registers suffice and enough sums run in parallel to hide the latency
// of a multiply-add.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/product_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "kernels/dispatch.hpp"
#include "kernels/product.hpp"

HWY_BEFORE_NAMESPACE();
namespace knotwork {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors: the plain version.
template <class Number>
const ProductKernels<Number>& kernels() {
  return scalar_product_kernels<Number>();
}
#else
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using T = hn::TFromD<D>;
template <class D>
using V = hn::Vec<D>;

// First product: out[j] = start[j] + sum over i of weights[j][i] * in[i].

template <class Number>
struct Combination {
  const Number* weights;
  const Number* start;  // null for zeros
  Block<const Number> in;
  Block<Number> out;
  std::size_t terms;
  Block<const Number> factor = {};  // for the outputs; no factor if null
};

// A tile of kRows outputs for kVectors vectors of samples from `first` on, with their inputs in
// `in`.
template <std::size_t kRows, std::size_t kVectors, class D>
HWY_INLINE void combine_tile(D d, const Combination<T<D>>& c, std::size_t row, std::size_t first,
                             Block<const T<D>> in) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  V<D> sum[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto start = hn::Set(d, c.start ? c.start[row + r] : T<D>{0});
    for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = start;
  }
  const T<D>* weight = c.weights + row * c.terms;
  const T<D>* samples = in.data;
  for (std::size_t i = 0; i < c.terms; ++i) {
    V<D> x[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) x[v] = hn::LoadU(d, samples + v * kWidth);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto w = hn::Set(d, weight[r * c.terms]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(w, x[v], sum[r][v]);
    }
    ++weight;
    samples += in.stride;
  }
  if (c.factor.data) {
    for (std::size_t r = 0; r < kRows; ++r) {
      const T<D>* const factor = c.factor.row(row + r) + first;
      for (std::size_t v = 0; v < kVectors; ++v) {
        sum[r][v] = hn::Mul(sum[r][v], hn::LoadU(d, factor + v * kWidth));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(sum[r][v], d, c.out.row(row + r) + first + v * kWidth);
    }
  }
}

// All outputs for a panel of kVectors vectors of samples.
template <std::size_t kVectors, class D>
HWY_INLINE void combine_panel(D d, const Combination<T<D>>& c, std::size_t rows, std::size_t first,
                              Block<const T<D>> in) {
  std::size_t row = 0;
  for (; row + 6 <= rows; row += 6) combine_tile<6, kVectors>(d, c, row, first, in);
  switch (rows - row) {
    case 5:
      return combine_tile<5, kVectors>(d, c, row, first, in);
    case 4:
      return combine_tile<4, kVectors>(d, c, row, first, in);
    case 3:
      return combine_tile<3, kVectors>(d, c, row, first, in);
    case 2:
      return combine_tile<2, kVectors>(d, c, row, first, in);
    case 1:
      return combine_tile<1, kVectors>(d, c, row, first, in);
    default:
      return;
  }
}

// The inputs of a panel are on as many pages as there are inputs. If many outputs need them, they
// are first copied to adjacent memory.
constexpr std::size_t kPackedTerms = 512, kRowsWorthPacking = 24, kTermsWorthPacking = 32;

template <class D>
HWY_INLINE void pack_panel(D d, Block<const T<D>> in, std::size_t terms, T<D>* packed) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  for (std::size_t i = 0; i < terms; ++i) {
    hn::Store(hn::LoadU(d, in.row(i)), d, packed + 2 * i * kWidth);
    hn::Store(hn::LoadU(d, in.row(i) + kWidth), d, packed + (2 * i + 1) * kWidth);
  }
}

template <class Number>
void combine(const Combination<Number>& c, std::size_t rows, std::size_t n) {
  const hn::ScalableTag<Number> d;
  constexpr std::size_t kWidth = hn::MaxLanes(hn::ScalableTag<Number>());
  const auto in_at = [&](std::size_t first) {
    return Block<const Number>{c.in.data + first, c.in.stride};
  };
  std::size_t first = 0;
  if (rows == 1) {
    for (; first + 8 * kWidth <= n; first += 8 * kWidth) {
      combine_tile<1, 8>(d, c, 0, first, in_at(first));
    }
  } else if (rows == 2) {
    for (; first + 4 * kWidth <= n; first += 4 * kWidth) {
      combine_tile<2, 4>(d, c, 0, first, in_at(first));
    }
  } else if (rows >= kRowsWorthPacking && c.terms >= kTermsWorthPacking &&
             c.terms <= kPackedTerms) {
    HWY_ALIGN Number packed[2 * kWidth * kPackedTerms];
    for (; first + 2 * kWidth <= n; first += 2 * kWidth) {
      pack_panel(d, in_at(first), c.terms, packed);
      combine_panel<2>(d, c, rows, first, {packed, 2 * kWidth});
    }
  }
  for (; first + 2 * kWidth <= n; first += 2 * kWidth) {
    combine_panel<2>(d, c, rows, first, in_at(first));
  }
  for (; first < n; first += kWidth) combine_panel<1>(d, c, rows, first, in_at(first));
}

template <class Number>
void forward(const Number* weights, const Number* bias, Block<const Number> x, Block<Number> s,
             std::size_t inputs, std::size_t outputs, std::size_t n) {
  combine<Number>({weights, bias, x, s, inputs}, outputs, n);
}

template <class Number>
void backward_inputs(const Number* transposed, Block<const Number> g, Block<const Number> factor,
                     Block<Number> gx, std::size_t inputs, std::size_t outputs, std::size_t n) {
  combine<Number>({transposed, nullptr, g, gx, outputs, factor}, inputs, n);
}

// Second product: d_weights[o][i] += sum over samples of g[o] * x[i].

template <class D>
HWY_INLINE V<D> pair_sums(D d, V<D> a, V<D> b) {
  return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
}

// Adds all 16-byte blocks of a vector.
template <class D>
HWY_INLINE auto fold(D d, V<D> v) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T<D>) == 16) {
    return v;
  } else {
    const hn::Half<D> half;
    return fold(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

template <class D>
HWY_INLINE void add_to(D d, V<D> v, T<D>* to) {
  hn::StoreU(hn::Add(hn::LoadU(d, to), v), d, to);
}

template <class D>
HWY_INLINE void add_four_sums(D d, V<D> a, V<D> b, V<D> c, V<D> e, T<D>* to) {
  const hn::Simd<T<D>, 16 / sizeof(T<D>), 0> block;
  if constexpr (sizeof(T<D>) == 4) {
    const hn::RepartitionToWide<D> wide;
    const auto ab = hn::BitCast(wide, pair_sums(d, a, b));
    const auto ce = hn::BitCast(wide, pair_sums(d, c, e));
    const auto all = hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, ab, ce)),
                             hn::BitCast(d, hn::InterleaveUpper(wide, ab, ce)));
    add_to(block, fold(d, all), to);
  } else {
    add_to(block, fold(d, pair_sums(d, a, b)), to);
    add_to(block, fold(d, pair_sums(d, c, e)), to + 2);
  }
}

template <std::size_t kCount, class D>
HWY_INLINE void add_lane_sums(D d, const V<D>* sums, T<D>* to) {
  if constexpr (kCount == 4) {
    add_four_sums(d, sums[0], sums[1], sums[2], sums[3], to);
  } else {
    const auto zero = hn::Zero(d);
    T<D> four[4] = {};
    add_four_sums(d, sums[0], kCount > 1 ? sums[kCount > 1 ? 1 : 0] : zero,
                  kCount > 2 ? sums[kCount > 2 ? 2 : 0] : zero, zero, four);
    for (std::size_t k = 0; k < kCount; ++k) to[k] += four[k];
  }
}

// A tile of kOut rows of g times kIn rows of x; with few sums, samples are processed in kAhead
// strands.
template <std::size_t kOut, std::size_t kIn, class D>
HWY_INLINE void dot_tile(D d, Block<const T<D>> g, Block<const T<D>> x, T<D>* d_weights,
                         std::size_t step, std::size_t n) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  constexpr std::size_t kAhead = kOut * kIn >= 6 ? 1 : (kOut * kIn >= 3 ? 2 : 4);
  V<D> sum[kAhead][kOut][kIn];
  for (std::size_t a = 0; a < kAhead; ++a) {
    for (std::size_t o = 0; o < kOut; ++o) {
      for (std::size_t i = 0; i < kIn; ++i) sum[a][o][i] = hn::Zero(d);
    }
  }
  std::size_t k = 0;
  for (; k + kAhead * kWidth <= n; k += kAhead * kWidth) {
    for (std::size_t a = 0; a < kAhead; ++a) {
      V<D> left[kOut];
      for (std::size_t o = 0; o < kOut; ++o) left[o] = hn::LoadU(d, g.row(o) + k + a * kWidth);
      for (std::size_t i = 0; i < kIn; ++i) {
        const auto right = hn::LoadU(d, x.row(i) + k + a * kWidth);
        for (std::size_t o = 0; o < kOut; ++o) {
          sum[a][o][i] = hn::MulAdd(left[o], right, sum[a][o][i]);
        }
      }
    }
  }
  for (; k < n; k += kWidth) {
    for (std::size_t o = 0; o < kOut; ++o) {
      for (std::size_t i = 0; i < kIn; ++i) {
        sum[0][o][i] =
            hn::MulAdd(hn::LoadU(d, g.row(o) + k), hn::LoadU(d, x.row(i) + k), sum[0][o][i]);
      }
    }
  }
  for (std::size_t o = 0; o < kOut; ++o) {
    for (std::size_t a = 1; a < kAhead; ++a) {
      for (std::size_t i = 0; i < kIn; ++i) sum[0][o][i] = hn::Add(sum[0][o][i], sum[a][o][i]);
    }
    add_lane_sums<kIn>(d, sum[0][o], d_weights + o * step);
  }
}

template <std::size_t kOut, class D>
HWY_INLINE void dot_rows(D d, Block<const T<D>> g, Block<const T<D>> x, T<D>* d_weights,
                         std::size_t step, std::size_t inputs, std::size_t n) {
  const auto at = [&](std::size_t i) { return Block<const T<D>>{x.row(i), x.stride}; };
  std::size_t i = 0;
  for (; i + 4 <= inputs; i += 4) dot_tile<kOut, 4>(d, g, at(i), d_weights + i, step, n);
  switch (inputs - i) {
    case 3:
      return dot_tile<kOut, 3>(d, g, at(i), d_weights + i, step, n);
    case 2:
      return dot_tile<kOut, 2>(d, g, at(i), d_weights + i, step, n);
    case 1:
      return dot_tile<kOut, 1>(d, g, at(i), d_weights + i, step, n);
    default:
      return;
  }
}

template <class D>
HWY_INLINE T<D> sum_row(D d, const T<D>* g, std::size_t n) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  auto even = hn::Zero(d), odd = hn::Zero(d);
  std::size_t k = 0;
  for (; k + 2 * kWidth <= n; k += 2 * kWidth) {
    even = hn::Add(even, hn::LoadU(d, g + k));
    odd = hn::Add(odd, hn::LoadU(d, g + k + kWidth));
  }
  for (; k < n; k += kWidth) even = hn::Add(even, hn::LoadU(d, g + k));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

template <class Number>
void backward_weights(Block<const Number> g, Block<const Number> x, Number* d_weights,
                      Number* d_bias, std::size_t inputs, std::size_t outputs, std::size_t n) {
  const hn::ScalableTag<Number> d;
  // As many rows of x as stay in the first-level cache during the pass over all rows of g.
  const std::size_t rows = std::max<std::size_t>(16 * 1024 / (n * sizeof(Number)), 4) / 4 * 4;
  for (std::size_t i = 0; i < inputs; i += rows) {
    const std::size_t count = std::min(rows, inputs - i);
    const Block<const Number> part{x.row(i), x.stride};
    std::size_t o = 0;
    const auto go = [&] { return Block<const Number>{g.row(o), g.stride}; };
    for (; o + 3 <= outputs; o += 3) {
      dot_rows<3>(d, go(), part, d_weights + o * inputs + i, inputs, count, n);
    }
    if (outputs - o == 2) dot_rows<2>(d, go(), part, d_weights + o * inputs + i, inputs, count, n);
    if (outputs - o == 1) dot_rows<1>(d, go(), part, d_weights + o * inputs + i, inputs, count, n);
  }
  for (std::size_t o = 0; o < outputs; ++o) d_bias[o] += sum_row(d, g.row(o), n);
}

template <class Number>
void multiply(Number* y, const Number* x, std::size_t n) {
  const hn::ScalableTag<Number> d;
  constexpr std::size_t kWidth = hn::MaxLanes(hn::ScalableTag<Number>());
  std::size_t k = 0;
  for (; k + kWidth <= n; k += kWidth) {
    hn::StoreU(hn::Mul(hn::LoadU(d, y + k), hn::LoadU(d, x + k)), d, y + k);
  }
  for (; k < n; ++k) y[k] *= x[k];
}

template <class Number>
const ProductKernels<Number>& kernels() {
  static constexpr ProductKernels<Number> all = {forward<Number>, backward_inputs<Number>,
                                                 backward_weights<Number>, multiply<Number>};
  return all;
}
#endif

KNOTWORK_KERNELS_OF_SET(ProductKernels, product)

}  // namespace HWY_NAMESPACE
}  // namespace knotwork
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace knotwork {

KNOTWORK_KERNELS_BY_SET(ProductKernels, product)

}  // namespace knotwork
#endif  // HWY_ONCE
