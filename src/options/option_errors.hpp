// SPDX-License-Identifier: MIT
// These functions make errors about training options, which they identify by their members.
#pragma once

#include "base/fail.hpp"

#include <knotwork/options.hpp>

namespace knotwork {

// of_option(&TrainOptions::hidden)
template <class Class, class Value>
Where of_option(Value Class::*member) {
  return of_option(option_field(member).name);
}
template <class Class, class Value, class OtherClass, class OtherValue>
Where of_option(Value Class::*member, OtherValue OtherClass::*other) {
  return of_option(option_field(member).name, option_field(other).name);
}

inline Hint use_adam() {
  return {.settings = {{option_field(&TrainOptions::optimizer).name, "adam"}}};
}

}  // namespace knotwork
