// SPDX-License-Identifier: MIT
// The fixed activations for every instruction set of Highway. kernels/formulas.hpp defines the
// formulas; exponentials and logarithms are Highway's.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fixed_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "kernels/dispatch.hpp"
#include "kernels/fixed.hpp"

HWY_BEFORE_NAMESPACE();
namespace knotwork {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors: the plain version.
template <class Number>
const FixedKernels<Number>& kernels() {
  return scalar_fixed_kernels<Number>();
}
#else
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using T = hn::TFromD<D>;
template <class D>
using V = hn::Vec<D>;

template <class D>
struct Result {
  V<D> value, slope;
};

template <class D>
HWY_INLINE V<D> number(D d, double x) {
  return hn::Set(d, static_cast<T<D>>(x));
}

// Each formula accepts finite and infinite samples; apply() handles NaN.

struct Identity {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    return {s, number(d, 1)};
  }
};

// A rational function s p(s^2) / q(s^2), fitted by weighted least squares up to where tanh rounds
// to 1. The relative error is at most 2.2e-8 in float and 7.2e-17 in double; all coefficients are
// positive, so evaluation adds no more than a few roundings.
struct TanhTerm {
  double p, q;
};
constexpr TanhTerm kTanhFloat[] = {{1.33172705062e-8, 7.76130733643e-7},
                                   {2.05822750347e-5, 0.000328297790874},
                                   {0.00349396694349, 0.0258708232846},
                                   {0.133796634737, 0.46712978865},
                                   {0.999999979359, 1}};
constexpr TanhTerm kTanhDouble[] = {{2.4924018492166911937e-23, 6.2044109961854896666e-21},
                                    {7.3951052209438298261e-19, 5.6200749679482858908e-17},
                                    {3.058626613623805817e-15, 1.2687629688289965603e-13},
                                    {4.1667950426545418274e-12, 1.1103030114064061684e-10},
                                    {2.4391297713865426529e-9, 4.461379298883236616e-8},
                                    {6.8284521412851443536e-7, 8.7517957654150768353e-6},
                                    {0.000093589560613743872689, 0.00082804488319515268688},
                                    {0.0059743594703922430739, 0.034353136507427862779},
                                    {0.15180299777776886444, 0.485136331111101326},
                                    {0.99999999999999993272, 1}};

template <class D, std::size_t kTerms>
HWY_INLINE V<D> tanh_value(D d, V<D> s, double up_to, const TanhTerm (&terms)[kTerms]) {
  const auto limit = number(d, up_to), one = number(d, 1);
  const auto x = hn::Max(hn::Min(s, limit), hn::Neg(limit)), z = hn::Mul(x, x);
  auto p = number(d, terms[0].p), q = number(d, terms[0].q);
  for (std::size_t k = 1; k < kTerms; ++k) {
    p = hn::MulAdd(p, z, number(d, terms[k].p));
    q = hn::MulAdd(q, z, number(d, terms[k].q));
  }
  const auto y = hn::Div(hn::Mul(x, p), q);
  const auto end = hn::CopySignToAbs(one, s);
  return hn::IfThenElse(hn::Or(hn::Ge(hn::Abs(s), limit), hn::Gt(hn::Abs(y), one)), end, y);
}

struct Tanh {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const auto one = number(d, 1);
    V<D> y;
    if constexpr (sizeof(T<D>) == 4) {
      y = tanh_value(d, s, 9.02, kTanhFloat);
    } else {
      y = tanh_value(d, s, 19.1, kTanhDouble);
    }
    return {y, hn::Mul(hn::Sub(one, y), hn::Add(one, y))};
  }
};

// The terms of a sigmoid from exp(-|s|), which never overflows.
template <class D>
struct Decay {
  Decay(D d, V<D> s)
      : e(hn::Exp(d, hn::Neg(hn::Abs(s)))),
        larger(hn::Div(number(d, 1), hn::Add(number(d, 1), e))),
        smaller(hn::Mul(e, larger)),
        negative(hn::Lt(s, hn::Zero(d))) {}
  V<D> e, larger, smaller;  // sigmoid(|s|) and sigmoid(-|s|)
  hn::Mask<D> negative;
};

struct Sigmoid {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const Decay<D> decay(d, s);
    return {hn::IfThenElse(decay.negative, decay.smaller, decay.larger),
            hn::Mul(decay.smaller, decay.larger)};
  }
};

struct Relu {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const auto positive = hn::Gt(s, hn::Zero(d));
    return {hn::IfThenElseZero(positive, s), hn::IfThenElseZero(positive, number(d, 1))};
  }
};

struct LeakyRelu {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const auto positive = hn::Gt(s, hn::Zero(d));
    const auto leak = number(d, 0.01);
    return {hn::IfThenElse(positive, s, hn::Mul(leak, s)),
            hn::IfThenElse(positive, number(d, 1), leak)};
  }
};

struct Elu {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const auto positive = hn::Gt(s, hn::Zero(d));
    const auto y = hn::Expm1(d, hn::Min(s, hn::Zero(d)));
    return {hn::IfThenElse(positive, s, y),
            hn::IfThenElse(positive, number(d, 1), hn::Add(y, number(d, 1)))};
  }
};

struct Softplus {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const Decay<D> decay(d, s);
    return {hn::Add(hn::Max(s, hn::Zero(d)), hn::Log1p(d, decay.e)),
            hn::IfThenElse(decay.negative, decay.smaller, decay.larger)};
  }
};

struct Silu {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const Decay<D> decay(d, s);
    const auto sigmoid = hn::IfThenElse(decay.negative, decay.smaller, decay.larger);
    const auto rest = hn::IfThenElse(decay.negative, decay.larger, decay.smaller);
    // Far out the decay is 0, and 0 times infinity would be NaN.
    const auto far = number(d, 1e6);
    const auto bounded = hn::Max(hn::Min(s, far), hn::Neg(far));
    return {hn::Mul(hn::Max(s, hn::Neg(far)), sigmoid),
            hn::MulAdd(hn::Mul(bounded, sigmoid), rest, sigmoid)};
  }
};

struct Gaussian {
  template <class D>
  static HWY_INLINE Result<D> of(D d, V<D> s) {
    const auto y = hn::Exp(d, hn::Neg(hn::Mul(s, s)));
    const auto far = number(d, 1e6);  // where y is 0
    const auto bounded = hn::Max(hn::Min(s, far), hn::Neg(far));
    return {y, hn::Mul(hn::Mul(number(d, -2), bounded), y)};
  }
};

// Marks a formula without a vector version; the plain version is used.
struct ScalarOnly {};

// Needs the error function, which Highway does not have.
struct Gelu : ScalarOnly {};

template <class F, class D>
HWY_INLINE void apply_vector(D d, const T<D>* s, T<D>* value, T<D>* slope) {
  const auto x = hn::LoadU(d, s);
  const Result<D> result = F::of(d, x);
  const auto nan = hn::IsNaN(x);
  hn::StoreU(hn::IfThenElse(nan, x, result.value), d, value);
  if (slope) hn::StoreU(hn::IfThenElse(nan, x, result.slope), d, slope);
}

template <class F, class Number>
HWY_INLINE void apply(const Number* s, Number* value, Number* slope, std::size_t n) {
  const hn::ScalableTag<Number> d;
  constexpr std::size_t kWidth = hn::MaxLanes(hn::ScalableTag<Number>());
  const std::size_t whole = n / kWidth * kWidth, rest = n - whole;
  if (slope) {
    for (std::size_t k = 0; k < whole; k += kWidth) apply_vector<F>(d, s + k, value + k, slope + k);
  } else {
    for (std::size_t k = 0; k < whole; k += kWidth) {
      apply_vector<F>(d, s + k, value + k, static_cast<Number*>(nullptr));
    }
  }
  if (rest == 0) return;
  Number in[kWidth] = {}, y[kWidth], dy[kWidth];
  std::copy_n(s + whole, rest, in);
  apply_vector<F>(d, in, y, dy);
  std::copy_n(y, rest, value + whole);
  if (slope) std::copy_n(dy, rest, slope + whole);
}

template <class F, class Number>
HWY_INLINE void apply_or_scalar(Formula formula, const Number* s, Number* value, Number* slope,
                                std::size_t n) {
  if constexpr (std::is_base_of_v<ScalarOnly, F>) {
    scalar_fixed_kernels<Number>().forward(formula, s, value, slope, n);
  } else {
    apply<F>(s, value, slope, n);
  }
}

template <class Number>
void forward(Formula formula, const Number* s, Number* value, Number* slope, std::size_t n) {
  switch (formula) {
#define KNOTWORK_CASE(formula_name, Struct, ...) \
  case Formula::formula_name:                    \
    return apply_or_scalar<Struct>(formula, s, value, slope, n);
    KNOTWORK_FORMULAS(KNOTWORK_CASE)
#undef KNOTWORK_CASE
  }
}

template <class Number>
const FixedKernels<Number>& kernels() {
  static constexpr FixedKernels<Number> all = {forward<Number>};
  return all;
}
#endif

KNOTWORK_KERNELS_OF_SET(FixedKernels, fixed)

}  // namespace HWY_NAMESPACE
}  // namespace knotwork
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace knotwork {

KNOTWORK_KERNELS_BY_SET(FixedKernels, fixed)

}  // namespace knotwork
#endif  // HWY_ONCE
