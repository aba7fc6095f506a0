// SPDX-License-Identifier: MIT
// These classes convert plain values to bytes and back, for messages between processes of the same
// program: values in the machine's byte order, one after the other, texts and lists after their
// length.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fail.hpp"

namespace knotwork::parallel {

using MergeState = std::vector<std::int64_t>;

inline void put(MergeState& state, double number) {
  state.push_back(std::bit_cast<std::int64_t>(number));
}
inline void put(MergeState& state, std::size_t number) {
  state.push_back(static_cast<std::int64_t>(number));
}

// Reads values in the order in which they were put. Throws failed_run where the numbers end too
// early.
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
  // Also throws failed_run unless the number is below the bound.
  std::size_t below(std::size_t bound) {
    const std::size_t index = size();
    if (index >= bound) refuse();
    return index;
  }
  // Throws failed_run unless everything was read.
  void finish() const {
    if (!state_.empty()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    fail(ErrorKind::failed_run,
         "The statistics of another process do not fit those of this process; all processes must "
         "run the same command on the same table.");
  }

  std::span<const std::int64_t> state_;
};

template <class T>
concept PlainValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Packer {
 public:
  template <PlainValue T>
  Packer& put(T value) {
    return append(&value, sizeof value);
  }
  Packer& put(std::string_view text) {
    put(std::uint64_t{text.size()});
    return append(text.data(), text.size());
  }
  template <PlainValue T>
  Packer& put(std::span<const T> values) {
    put(std::uint64_t{values.size()});
    return append(values.data(), values.size_bytes());
  }
  template <PlainValue T>
    requires(!std::is_same_v<T, bool>)
  Packer& put(const std::vector<T>& values) {
    return put(std::span<const T>(values));
  }

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  Packer& append(const void* values, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    if (size > 0) std::memcpy(bytes_.data() + at, values, size);
    return *this;
  }

  std::vector<std::uint8_t> bytes_;
};

// Refers to bytes that the caller owns. Throws failed_run where the bytes end too early.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  template <PlainValue T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value, 1).data(), sizeof value);
    return value;
  }
  std::string get_text() {
    const auto size = get<std::uint64_t>();
    const auto bytes = take(size, 1);
    return {bytes.begin(), bytes.end()};
  }
  template <PlainValue T>
    requires(!std::is_same_v<T, bool>)
  std::vector<T> get_list() {
    const auto size = get<std::uint64_t>();
    const auto bytes = take(size, sizeof(T));
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  bool is_empty() const { return rest_.empty(); }

 private:
  std::span<const std::uint8_t> take(std::uint64_t count, std::size_t item) {
    if (count > rest_.size() / item) {
      fail(ErrorKind::failed_run,
           "A message between processes ends after {} bytes, but {} values of {} bytes are "
           "expected; all processes must run the same version.",
           rest_.size(), count, item);
    }
    const auto bytes = rest_.first(static_cast<std::size_t>(count) * item);
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }

  std::span<const std::uint8_t> rest_;
};

}  // namespace knotwork::parallel
