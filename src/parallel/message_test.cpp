// SPDX-License-Identifier: MIT
#include "parallel/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace knotwork::parallel {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Packing, ValuesComeBackInTheirOrder) {
  const std::vector<double> numbers = {-0.0, 1e-310, std::numeric_limits<double>::infinity()};
  const Bytes bytes = Packer()
                          .put(std::uint64_t{1} << 63)
                          .put(-5)
                          .put(true)
                          .put(ErrorKind::bad_file)
                          .put(0.1)
                          .put(std::string_view("a\0b", 3))
                          .put(numbers)
                          .put(std::string_view())
                          .put(std::vector<std::uint8_t>())
                          .take();
  Unpacker from(bytes);
  EXPECT_EQ(from.get<std::uint64_t>(), std::uint64_t{1} << 63);
  EXPECT_EQ(from.get<int>(), -5);
  EXPECT_EQ(from.get<bool>(), true);
  EXPECT_EQ(from.get<ErrorKind>(), ErrorKind::bad_file);
  EXPECT_EQ(from.get<double>(), 0.1);
  EXPECT_EQ(from.get_text(), std::string("a\0b", 3));
  const auto back = from.get_list<double>();
  EXPECT_EQ(back, numbers);
  EXPECT_TRUE(std::signbit(back[0]));
  EXPECT_FALSE(from.is_empty());
  EXPECT_EQ(from.get_text(), "");
  EXPECT_TRUE(from.get_list<std::uint8_t>().empty());
  EXPECT_TRUE(from.is_empty());
}

TEST(Packing, WhatIsNotThereIsRefused) {
  const auto refused = [](const Bytes& bytes, const auto& get) {
    try {
      Unpacker from(bytes);
      get(from);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::failed_run;
    }
    return false;
  };
  const auto list = [](Unpacker& from) { from.get_list<double>(); };
  EXPECT_TRUE(refused({}, [](Unpacker& from) { from.get<bool>(); }));
  EXPECT_TRUE(refused({1, 2, 3}, [](Unpacker& from) { from.get<int>(); }));
  EXPECT_TRUE(refused(Packer().put(std::uint64_t{1}).take(), list));
  // A length whose product with eight overflows to zero.
  EXPECT_TRUE(refused(Packer().put(std::uint64_t{1} << 61).take(), list));
  Bytes text = Packer().put(std::string_view("text")).take();
  text.pop_back();
  EXPECT_TRUE(refused(text, [](Unpacker& from) { from.get_text(); }));
}

}  // namespace
}  // namespace knotwork::parallel
