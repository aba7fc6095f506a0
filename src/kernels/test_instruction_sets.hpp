// SPDX-License-Identifier: MIT
// This header runs a test's checks for every instruction set of this processor.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include <knotwork/instruction_set.hpp>

namespace knotwork {

template <class Check>
void for_each_instruction_set(const Check& check) {
  for (const std::string& name : instruction_sets()) {
    SCOPED_TRACE(name);
    pin_instruction_set(name);
    check();
    if (testing::Test::HasFatalFailure()) break;
  }
  pin_instruction_set(instruction_sets().front());
}

}  // namespace knotwork
