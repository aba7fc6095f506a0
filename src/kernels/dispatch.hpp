// SPDX-License-Identifier: MIT
// These macros select a family of kernels for the instruction set of the machine. A file
// x_vector.cpp is compiled once for each instruction set. It defines
//   template <class Number> const XKernels<Number>& kernels();
// in the namespace of the set, followed by KNOTWORK_KERNELS_OF_SET(XKernels, x), and under HWY_ONCE
// by KNOTWORK_KERNELS_BY_SET(XKernels, x). The latter defines x_kernels() of x.hpp: it returns the
// kernels of the best set that the processor supports and that pinning allows, or
// scalar_x_kernels(). Highway looks functions up by their names, so these are macros.
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
