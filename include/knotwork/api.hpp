// SPDX-License-Identifier: MIT
// KNOTWORK_API marks the symbols that a shared Knotwork exports; all others are hidden.
#pragma once

#if defined(__GNUC__)
#define KNOTWORK_API __attribute__((visibility("default")))
#else
#define KNOTWORK_API
#endif
