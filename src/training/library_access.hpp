// SPDX-License-Identifier: MIT
// How trainings reach what Checkpoints and PreparedTable keep for them behind their public
// interfaces. Include the header that defines the state beside this one.
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
