// SPDX-License-Identifier: MIT
// What a computation has gathered, as plain numbers that can be sent to another process and merged
// there with what it has gathered itself.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fail.hpp"

namespace knotwork {

using PlainState = std::vector<std::int64_t>;

inline void put(PlainState& state, double number) {
  state.push_back(std::bit_cast<std::int64_t>(number));
}
inline void put(PlainState& state, std::size_t number) {
  state.push_back(static_cast<std::int64_t>(number));
}

// Reads in the order in which it was put. Throws failed_run where the numbers end too early.
class StateReader {
 public:
  explicit StateReader(std::span<const std::int64_t> state) : state_(state) {}

  std::span<const std::int64_t> many(std::size_t count) {
    if (count > state_.size()) refuse();
    const auto first = state_.first(count);
    state_ = state_.subspan(count);
    return first;
  }
  std::int64_t next() { return many(1).front(); }
  double number() { return std::bit_cast<double>(next()); }
  std::size_t size() { return static_cast<std::size_t>(next()); }
  // Throws failed_run, too, unless it is below the bound.
  std::size_t below(std::size_t bound) {
    const std::size_t index = size();
    if (index >= bound) refuse();
    return index;
  }
  // Throws failed_run unless all was read.
  void finish() const {
    if (!state_.empty()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    fail(ErrorKind::failed_run,
         "What another process has gathered does not fit what is gathered here; all must run the "
         "same command on the same table.");
  }

  std::span<const std::int64_t> state_;
};

}  // namespace knotwork
