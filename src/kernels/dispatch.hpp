// SPDX-License-Identifier: MIT
// How a family of kernels gets from the instruction set of the machine to its functions. A file
// x_vector.cpp is compiled once for each instruction set; it defines
//   template <class Number> const XKernels<Number>& kernels();
// in the namespace of the set, puts KNOTWORK_KERNELS_OF_SET(XKernels, x) after it, and under
// HWY_ONCE KNOTWORK_KERNELS_BY_SET(XKernels, x), which defines x_kernels() of x.hpp: the best set
// that the processor has and nothing pins away, or scalar_x_kernels(). Highway looks functions up
// by their names, so these are macros.
#pragma once

#include <hwy/highway.h>

#include "kernels/pinned.hpp"

#define KNOTWORK_KERNELS_OF_SET(Kernels, family) \
  const Kernels<float>& family##_float() {       \
    return kernels<float>();                     \
  }                                              \
  const Kernels<double>& family##_double() {     \
    return kernels<double>();                    \
  }

#define KNOTWORK_KERNELS_BY_SET(Kernels, family)                         \
  HWY_EXPORT(family##_float);                                            \
  HWY_EXPORT(family##_double);                                           \
  template <>                                                            \
  const Kernels<float>& family##_kernels() {                             \
    return scalar_is_pinned() ? scalar_##family##_kernels<float>()       \
                              : HWY_DYNAMIC_DISPATCH(family##_float)();  \
  }                                                                      \
  template <>                                                            \
  const Kernels<double>& family##_kernels() {                            \
    return scalar_is_pinned() ? scalar_##family##_kernels<double>()      \
                              : HWY_DYNAMIC_DISPATCH(family##_double)(); \
  }
