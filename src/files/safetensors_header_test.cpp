// SPDX-License-Identifier: MIT
#include "files/safetensors_header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knotwork::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr FileRole kRole{ErrorKind::bad_data, "thing"};

std::vector<TensorPlace> one_of_each_type() {
  return {{"a", "F64", {2}, 0, 16},
          {"b \"quoted\"", "F32", {2, 1}, 16, 24},
          {"c", "U32", {2}, 24, 32},
          {"d", "U16", {2}, 32, 36},
          {"e", "U8", {2}, 36, 38}};
}

std::string refusal(std::span<const std::uint8_t> start, std::uint64_t file_size) {
  try {
    read_safetensors_header(start, file_size, "a file", kRole);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return error.what();
  }
  return "nothing was wrong";
}

TEST(SafetensorsHeader, IsReadAsItWasWritten) {
  for (const std::size_t alignment : {8, 64, 4096}) {
    const std::vector<std::uint8_t> bytes =
        write_safetensors_header(one_of_each_type(), "a \"record\"", alignment);
    EXPECT_EQ(bytes.size() % alignment, 0u);
    const std::uint64_t size = bytes.size() + 38;
    EXPECT_EQ(header_extent(bytes, size, "a file", kRole), bytes.size());
    const SafetensorsHeader header = read_safetensors_header(bytes, size, "a file", kRole);
    EXPECT_EQ(header.record, "a \"record\"");
    EXPECT_EQ(header.data_begin, bytes.size());
    ASSERT_EQ(header.tensors.size(), 5u);
    for (std::size_t k = 0; k < 5; ++k) {
      const TensorPlace wanted = one_of_each_type()[k];
      EXPECT_EQ(header.tensors[k].name, wanted.name);
      EXPECT_EQ(header.tensors[k].type, wanted.type);
      EXPECT_EQ(header.tensors[k].shape, wanted.shape);
      EXPECT_EQ(header.tensors[k].begin, wanted.begin);
      EXPECT_EQ(header.tensors[k].end, wanted.end);
    }
  }
}

// The data is not needed, only its size.
TEST(SafetensorsHeader, MustAgreeWithTheSizeOfTheFile) {
  const auto bytes = write_safetensors_header(one_of_each_type(), "{}", 64);
  EXPECT_EQ(refusal(bytes, bytes.size() + 38), "nothing was wrong");
  EXPECT_EQ(refusal(bytes, bytes.size() + 39),
            "a file is not a complete thing: it has bytes that belong to no tensor.");
  EXPECT_THAT(refusal(bytes, bytes.size() + 37), HasSubstr("does not match its shape"));
  EXPECT_THAT(refusal(bytes, bytes.size() - 1), HasSubstr("longer than the file"));
  EXPECT_THAT(refusal(std::span(bytes).first(bytes.size() - 1), bytes.size() + 38),
              HasSubstr("longer than the file"));
  EXPECT_THAT(refusal(std::span(bytes).first(7), bytes.size()), HasSubstr("shorter than 8 bytes"));
}

TEST(SafetensorsHeader, OtherTypesAreNotRead) {
  const auto bytes = write_safetensors_header({{"a", "BF16", {1}, 0, 2}}, "{}", 8);
  EXPECT_THAT(refusal(bytes, bytes.size() + 2), HasSubstr("has the unsupported type BF16"));
  EXPECT_EQ(item_bytes("BF16"), 0u);
}

TEST(SafetensorsHeader, OneThatNobodyWouldReadIsNotWritten) {
  EXPECT_THAT(write_safetensors_header({}, std::string(kMaxHeaderBytes, 'x'), 8), IsEmpty());
}

TEST(SafetensorsHeader, AStartIsKnownFromItsFirstBytes) {
  const auto bytes = write_safetensors_header({}, "{}", 8);
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_TRUE(starts_like_safetensors(text));
  EXPECT_FALSE(starts_like_safetensors(text.substr(0, 8)));
  EXPECT_FALSE(starts_like_safetensors("x,y,z,{a}\n1,2,3,4\n"));
}

TEST(SafetensorsHeader, NamesAreQuotedPrintable) {
  const auto bytes = write_safetensors_header({{"a\nb\x1b[31m", "F16", {1}, 0, 2}}, "{}", 8);
  EXPECT_THAT(refusal(bytes, bytes.size() + 2),
              HasSubstr("tensor 'a\\nb\\x1b[31m' has the unsupported type F16"));
}

}  // namespace
}  // namespace knotwork::files
