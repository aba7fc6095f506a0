// SPDX-License-Identifier: MIT
// The spline kernels for every instruction set of Highway.
//
// A sample needs the four coefficients of its span. They are adjacent in memory, so one or two
// loads of 16 bytes fetch them, and a transposition of registers brings the same coefficient of all
// samples into one vector. This is several times faster than gathers, whatever the number of spans.
// Moments go back to memory in the same way.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spline_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/dispatch.hpp"
#include "kernels/spline.hpp"

HWY_BEFORE_NAMESPACE();
namespace knotwork {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors: the plain version.
template <class Number>
const SplineKernels<Number>& kernels() {
  return scalar_spline_kernels<Number>();
}
#else
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using T = hn::TFromD<D>;
template <class D>
using V = hn::Vec<D>;

template <class D>
constexpr std::size_t kBlockLanes = 16 / sizeof(T<D>);
template <class D>
constexpr bool kOneBlock = hn::MaxLanes(D()) == kBlockLanes<D>;

template <class D>
using Offset = hwy::MakeUnsigned<T<D>>;

// Samples are processed in pieces: first the positions of all samples, then the table lookups. The
// positions are passed through memory, because moving numbers from vector to index registers one by
// one is slower.
constexpr std::size_t kPiece = 256;

// Computes the positions of samples, `place` and `notes`, as forward_noted() returns them. Returns
// whether all are finite. place may be s.
template <class D>
HWY_INLINE bool locate(D d, const SplineCurve<T<D>>& curve, const T<D>* s, std::size_t n,
                       T<D>* place, T<D>* notes) {
  const auto spans = static_cast<T<D>>(curve.spans);
  const auto last = hn::Set(d, spans - 1), zero = hn::Zero(d);
  const auto origin = hn::Set(d, curve.origin), inverse_step = hn::Set(d, curve.inverse_step);
  const auto largest = hn::Set(d, std::numeric_limits<T<D>>::max());
  // A whole number plus 2^23 (or 2^52) has that number in its lowest bits.
  const auto whole = hn::Set(d, sizeof(T<D>) == 4 ? T<D>{0x1p23} : T<D>{0x1p52});
  auto finite = hn::Eq(zero, zero);
  for (std::size_t k = 0; k < n; k += hn::MaxLanes(D())) {
    const auto t = hn::Mul(hn::Sub(hn::LoadU(d, s + k), origin), inverse_step);
    const auto span = hn::Max(hn::Min(last, hn::Floor(t)), zero);
    hn::StoreU(hn::Sub(t, span), d, place + k);
    hn::StoreU(hn::Xor(hn::MulAdd(span, hn::Set(d, T<D>{4}), whole), whole), d, notes + k);
    finite = hn::And(finite, hn::Le(hn::Abs(t), largest));
  }
  if (HWY_LIKELY(hn::AllTrue(d, finite))) return true;
  // Instruction sets treat NaN differently; here it counts to the first span, and no index may be
  // outside the table.
  const auto most = static_cast<Offset<D>>(4 * (curve.spans - 1));
  for (std::size_t k = 0; k < n; ++k) {
    const auto offset = std::min(std::bit_cast<Offset<D>>(notes[k]), most);
    notes[k] = std::bit_cast<T<D>>(place[k] != place[k] ? Offset<D>{0} : offset);
  }
  return false;
}

// The part of the position within the span, 0 to 1; the rest is outside.
template <class D>
HWY_INLINE V<D> within(D d, V<D> place) {
  return hn::Max(hn::Min(hn::Set(d, T<D>{1}), place), hn::Zero(d));
}

template <class D>
HWY_INLINE std::size_t offset_in(D, const T<D>* note) {
  return std::bit_cast<Offset<D>>(*note);
}

// A vector in which block b contains the 16 bytes at table + the offset in notes[b * kBlockLanes].
template <class D>
HWY_INLINE V<D> load_blocks(D d, const T<D>* table, const T<D>* notes) {
  if constexpr (kOneBlock<D>) {
    return hn::LoadU(d, table + offset_in(d, notes));
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, table, notes + hn::MaxLanes(half)),
                       load_blocks(half, table, notes));
  }
}

// Adds block b to the 16 bytes at the same position of the table, odd blocks `odd` further on.
template <class D>
HWY_INLINE void add_blocks(D d, V<D> v, T<D>* table, const T<D>* notes, std::size_t odd) {
  if constexpr (kOneBlock<D>) {
    T<D>* const place = table + offset_in(d, notes);
    hn::StoreU(hn::Add(hn::LoadU(d, place), v), d, place);
  } else {
    const hn::Half<D> half;
    add_blocks(half, hn::LowerHalf(half, v), table, notes, odd);
    T<D>* const next = kOneBlock<hn::Half<D>> ? table + odd : table;
    add_blocks(half, hn::UpperHalf(half, v), next, notes + hn::MaxLanes(half), odd);
  }
}

// Transposes four vectors of four floats in each block, block by block.
template <class D>
HWY_INLINE void transpose4(D d, V<D>& a, V<D>& b, V<D>& c, V<D>& e) {
  const hn::RepartitionToWide<D> wide;
  const auto ab = hn::BitCast(wide, hn::InterleaveLower(d, a, b));
  const auto ce = hn::BitCast(wide, hn::InterleaveLower(d, c, e));
  const auto ab2 = hn::BitCast(wide, hn::InterleaveUpper(d, a, b));
  const auto ce2 = hn::BitCast(wide, hn::InterleaveUpper(d, c, e));
  a = hn::BitCast(d, hn::InterleaveLower(wide, ab, ce));
  b = hn::BitCast(d, hn::InterleaveUpper(wide, ab, ce));
  c = hn::BitCast(d, hn::InterleaveLower(wide, ab2, ce2));
  e = hn::BitCast(d, hn::InterleaveUpper(wide, ab2, ce2));
}

template <class D>
struct Fours {
  V<D> c3, c2, c1, c0;
};

template <class D>
HWY_INLINE Fours<D> look_up(D d, const T<D>* table, const T<D>* notes) {
  if constexpr (sizeof(T<D>) == 4) {
    Fours<D> f{load_blocks(d, table, notes), load_blocks(d, table, notes + 1),
               load_blocks(d, table, notes + 2), load_blocks(d, table, notes + 3)};
    transpose4(d, f.c3, f.c2, f.c1, f.c0);
    return f;
  } else {
    const auto a = load_blocks(d, table, notes), b = load_blocks(d, table, notes + 1);
    const auto c = load_blocks(d, table + 2, notes), e = load_blocks(d, table + 2, notes + 1);
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b),
            hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e)};
  }
}

// Adds to table; consecutive samples go to different copies, `copy` numbers apart.
template <class D>
HWY_INLINE void add_up(D d, Fours<D> f, T<D>* table, std::size_t copy, const T<D>* notes) {
  if constexpr (sizeof(T<D>) == 4) {
    transpose4(d, f.c3, f.c2, f.c1, f.c0);
    add_blocks(d, f.c3, table, notes, 0);
    add_blocks(d, f.c2, table + copy, notes + 1, 0);
    add_blocks(d, f.c1, table + 2 * copy, notes + 2, 0);
    add_blocks(d, f.c0, table + 3 * copy, notes + 3, 0);
  } else {
    add_blocks(d, hn::InterleaveLower(d, f.c3, f.c2), table, notes, 2 * copy);
    add_blocks(d, hn::InterleaveLower(d, f.c1, f.c0), table + 2, notes, 2 * copy);
    add_blocks(d, hn::InterleaveUpper(d, f.c3, f.c2), table + copy, notes + 1, 2 * copy);
    add_blocks(d, hn::InterleaveUpper(d, f.c1, f.c0), table + copy + 2, notes + 1, 2 * copy);
  }
}

// kCareful also handles NaN and infinity; for finite samples it computes the same bits.
template <bool kLinear, bool kSlope, bool kCareful, class D>
HWY_INLINE void evaluate(D d, const SplineCurve<T<D>>& curve, const T<D>* places, const T<D>* notes,
                         T<D>* value, T<D>* slope, std::size_t n) {
  const T<D>* const table = curve.coefficients;
  const auto inverse_step = hn::Set(d, curve.inverse_step), zero = hn::Zero(d);
  for (std::size_t k = 0; k < n; k += hn::MaxLanes(D())) {
    const Fours<D> c = look_up(d, table, notes + k);
    const auto place = hn::LoadU(d, places + k), u = within(d, place), outside = hn::Sub(place, u);
    // Horner's scheme for the value and, from its partial results, for the derivative.
    const auto a = hn::MulAdd(c.c3, u, c.c2), b = hn::MulAdd(a, u, c.c1);
    auto y = hn::MulAdd(b, u, c.c0);
    auto dy = hn::MulAdd(hn::MulAdd(c.c3, u, a), u, b);
    if constexpr (kLinear) {
      auto tail = hn::MulAdd(dy, outside, y);
      // A flat tail stays flat even at infinity, where 0 * inf is NaN.
      if constexpr (kCareful) tail = hn::IfThenElse(hn::Eq(dy, zero), y, tail);
      y = tail;
    } else {
      dy = hn::IfThenElseZero(hn::Eq(outside, zero), dy);
    }
    dy = hn::Mul(dy, inverse_step);
    if constexpr (kCareful) {
      const auto nan = hn::IsNaN(outside);
      y = hn::IfThenElse(nan, outside, y);
      dy = hn::IfThenElse(nan, outside, dy);
    }
    hn::StoreU(y, d, value + k);
    if constexpr (kSlope) hn::StoreU(dy, d, slope + k);
  }
}

template <bool kLinear, bool kSlope, class D>
HWY_INLINE void forward_piece(D d, const SplineCurve<T<D>>& curve, const T<D>* s, T<D>* value,
                              T<D>* slope, T<D>* place, T<D>* notes, std::size_t n) {
  if (HWY_LIKELY(locate(d, curve, s, n, place, notes))) {
    evaluate<kLinear, kSlope, false>(d, curve, place, notes, value, slope, n);
  } else {
    evaluate<kLinear, kSlope, true>(d, curve, place, notes, value, slope, n);
  }
}

template <bool kLinear, bool kSlope, class D>
HWY_INLINE void forward_row(D d, const SplineCurve<T<D>>& curve, const T<D>* s, T<D>* value,
                            T<D>* slope, std::size_t n) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  HWY_ALIGN T<D> place[kPiece], notes[kPiece];
  const std::size_t whole = n / kWidth * kWidth, rest = n - whole;
  for (std::size_t k = 0; k < whole; k += kPiece) {
    forward_piece<kLinear, kSlope>(d, curve, s + k, value + k, kSlope ? slope + k : nullptr, place,
                                   notes, std::min(kPiece, whole - k));
  }
  if (rest == 0) return;
  T<D> in[kWidth] = {}, y[kWidth], dy[kWidth];
  std::copy_n(s + whole, rest, in);
  forward_piece<kLinear, kSlope>(d, curve, in, y, dy, place, notes, kWidth);
  std::copy_n(y, rest, value + whole);
  if (kSlope) std::copy_n(dy, rest, slope + whole);
}

template <bool kLinear, class D>
HWY_INLINE void forward_noted_row(D d, const SplineCurve<T<D>>& curve, T<D>* s, T<D>* value,
                                  T<D>* slope, T<D>* notes, std::size_t n) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  const std::size_t whole = n / kWidth * kWidth, rest = n - whole;
  for (std::size_t k = 0; k < whole; k += kPiece) {
    forward_piece<kLinear, true>(d, curve, s + k, value + k, slope + k, s + k, notes + k,
                                 std::min(kPiece, whole - k));
  }
  if (rest == 0) return;
  T<D> in[kWidth] = {}, y[kWidth], dy[kWidth], note[kWidth];
  std::copy_n(s + whole, rest, in);
  forward_piece<kLinear, true>(d, curve, in, y, dy, in, note, kWidth);
  std::copy_n(in, rest, s + whole);
  std::copy_n(y, rest, value + whole);
  std::copy_n(dy, rest, slope + whole);
  std::copy_n(note, rest, notes + whole);
}

template <bool kLinear, class D>
HWY_INLINE void backward_vectors(D d, const SplineCurve<T<D>>& curve, const T<D>* places,
                                 const T<D>* notes, const T<D>* slope, T<D>* gradient, T<D>* sums,
                                 std::size_t n) {
  const std::size_t copy = moment_copies(curve.spans) == 1 ? 0 : 4 * curve.spans;
  for (std::size_t k = 0; k < n; k += hn::MaxLanes(D())) {
    const auto place = hn::LoadU(d, places + k), g = hn::LoadU(d, gradient + k);
    const auto u = within(d, place);
    Fours<D> m;
    m.c0 = g;
    if constexpr (kLinear) {
      const auto go = hn::Mul(g, hn::Sub(place, u));      // o, the rest, is outside
      m.c1 = hn::Mul(g, place);                           // g (u + o)
      const auto twice = hn::Add(m.c1, go);               // g (u + 2 o)
      m.c2 = hn::Mul(twice, u);                           // g (u + 2 o) u
      m.c3 = hn::Mul(hn::Mul(hn::Add(twice, go), u), u);  // g (u + 3 o) u^2
    } else {
      m.c1 = hn::Mul(g, u);
      m.c2 = hn::Mul(m.c1, u);
      m.c3 = hn::Mul(m.c2, u);
    }
    add_up(d, m, sums, copy, notes + k);
    hn::StoreU(hn::Mul(g, hn::LoadU(d, slope + k)), d, gradient + k);
  }
}

template <bool kLinear, class D>
HWY_INLINE void backward_row(D d, const SplineCurve<T<D>>& curve, const T<D>* place,
                             const T<D>* notes, const T<D>* slope, T<D>* gradient, T<D>* sums,
                             std::size_t n) {
  constexpr std::size_t kWidth = hn::MaxLanes(D());
  const std::size_t whole = n / kWidth * kWidth, rest = n - whole;
  backward_vectors<kLinear>(d, curve, place, notes, slope, gradient, sums, whole);
  if (rest == 0) return;
  // Padding: samples at the beginning of the first span, without a gradient, add nothing.
  T<D> at[kWidth] = {}, note[kWidth] = {}, factor[kWidth] = {}, g[kWidth] = {};
  std::copy_n(place + whole, rest, at);
  std::copy_n(notes + whole, rest, note);
  std::copy_n(slope + whole, rest, factor);
  std::copy_n(gradient + whole, rest, g);
  backward_vectors<kLinear>(d, curve, at, note, factor, g, sums, kWidth);
  std::copy_n(g, rest, gradient + whole);
}

template <class Number>
void forward(const SplineCurve<Number>& curve, const Number* s, Number* value, Number* slope,
             std::size_t n) {
  const hn::ScalableTag<Number> d;
  if (curve.linear_tails) {
    slope ? forward_row<true, true>(d, curve, s, value, slope, n)
          : forward_row<true, false>(d, curve, s, value, slope, n);
  } else {
    slope ? forward_row<false, true>(d, curve, s, value, slope, n)
          : forward_row<false, false>(d, curve, s, value, slope, n);
  }
}

template <class Number>
void forward_noted(const SplineCurve<Number>& curve, Number* s, Number* value, Number* slope,
                   Number* notes, std::size_t n) {
  const hn::ScalableTag<Number> d;
  curve.linear_tails ? forward_noted_row<true>(d, curve, s, value, slope, notes, n)
                     : forward_noted_row<false>(d, curve, s, value, slope, notes, n);
}

template <class Number>
void backward(const SplineCurve<Number>& curve, const Number* place, const Number* notes,
              const Number* slope, Number* gradient, Number* sums, std::size_t n) {
  const hn::ScalableTag<Number> d;
  curve.linear_tails ? backward_row<true>(d, curve, place, notes, slope, gradient, sums, n)
                     : backward_row<false>(d, curve, place, notes, slope, gradient, sums, n);
}

template <class Number>
const SplineKernels<Number>& kernels() {
  static constexpr SplineKernels<Number> all = {forward<Number>, forward_noted<Number>,
                                                backward<Number>};
  return all;
}
#endif

KNOTWORK_KERNELS_OF_SET(SplineKernels, spline)

}  // namespace HWY_NAMESPACE
}  // namespace knotwork
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace knotwork {

KNOTWORK_KERNELS_BY_SET(SplineKernels, spline)

}  // namespace knotwork
#endif  // HWY_ONCE
