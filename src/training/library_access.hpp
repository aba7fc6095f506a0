// SPDX-License-Identifier: MIT
// LibraryAccess lets trainings reach the private state of Checkpoints and PreparedData. Also
// include the header that defines the state.
#pragma once

namespace knotwork {

struct LibraryAccess {
  template <class Object>
  static auto& state_of(Object& object) {
    return *object.state_;
  }
};

template <class Object>
auto& state_of(Object& object) {
  return LibraryAccess::state_of(object);
}

}  // namespace knotwork
