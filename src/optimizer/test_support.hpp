// SPDX-License-Identifier: MIT
// This header contains what several optimizer tests need besides functions to minimize.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include <knotwork/error.hpp>
#include <knotwork/optimizer.hpp>

namespace knotwork::testing {

inline std::unique_ptr<Optimizer> make(const std::string& name,
                                       const OptimizerOptions& options = {}) {
  return builtin_optimizers().at(name).make(options);
}

// Kind and message of the Error that `action` throws.
template <class Action>
std::pair<ErrorKind, std::string> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline void expect_error(const std::pair<ErrorKind, std::string>& error, ErrorKind kind,
                         const std::string& part) {
  EXPECT_EQ(error.first, kind) << error.second;
  EXPECT_NE(error.second.find(part), std::string::npos) << error.second;
}

}  // namespace knotwork::testing
