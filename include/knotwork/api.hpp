// SPDX-License-Identifier: MIT
// Symbols are hidden unless marked: a shared Knotwork exports its public interface and nothing
// else.
#pragma once

#if defined(__GNUC__)
#define KNOTWORK_API __attribute__((visibility("default")))
#else
#define KNOTWORK_API
#endif
