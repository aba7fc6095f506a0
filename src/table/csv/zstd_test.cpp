// SPDX-License-Identifier: MIT
#include "files/packed/unpacking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string zstd_refusal(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    return error.what();
  }
  return "no error";
}

std::string many_numbers() {
  std::string text;
  for (int k = 0; k < 100'000; ++k) text += std::to_string(k) + "\n";
  return text;
}

TEST(Zstd, UnpacksAllFrames) {
  ASSERT_TRUE(files::knows_zstd());
  EXPECT_EQ(files::unpack(zstd_packed("a,b\n"), "t"), "a,b\n");
  EXPECT_EQ(files::unpack(zstd_packed("a") + zstd_packed("") + zstd_packed(many_numbers()), "t"),
            "a" + many_numbers());
  EXPECT_EQ(files::unpack(zstd_packed(""), "t"), "");
}

TEST(Zstd, TablesAreReadWhateverTheirName) {
  const std::string bytes = zstd_packed("a,b\n1,2\n3,4\n");
  EXPECT_EQ(parse_csv(bytes, "t.csv.zst").columns[1], (std::vector<double>{2, 4}));
  EXPECT_EQ(parse_csv_names(bytes, "t"), (std::vector<std::string>{"a", "b"}));
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto table = folder / "zstd_test.csv.zst";
  std::ofstream(table, std::ios::binary) << bytes;
  EXPECT_EQ(read_csv(table).rows(), 2u);
  EXPECT_EQ(convert_csv(table, folder / "zstd_test.safetensors"), 2u);
}

TEST(Zstd, DamageIsRefused) {
  const std::string whole = zstd_packed(many_numbers());
  for (const std::size_t length : {std::size_t{4}, std::size_t{10}, whole.size() - 1}) {
    EXPECT_THAT(zstd_refusal([&] { files::unpack(whole.substr(0, length), "dir/t.zst"); }),
                StartsWith("dir/t.zst ends in the middle of its zstd data"));
  }
  std::string damaged = whole;
  for (std::size_t k = 20; k < damaged.size(); k += 7) damaged[k] = static_cast<char>(~damaged[k]);
  EXPECT_THAT(zstd_refusal([&] { files::unpack(damaged, "t.zst"); }),
              StartsWith("t.zst contains damaged zstd data ("));
  EXPECT_THAT(zstd_refusal([&] { files::unpack(whole + "more", "t.zst"); }),
              StartsWith("t.zst contains damaged zstd data ("));
}

TEST(Zstd, LimitsHold) {
  EXPECT_THAT(zstd_refusal([] { files::unpack(zstd_packed(many_numbers()), "t", 1000); }),
              HasSubstr("the most a packed table may hold"));
  const std::string zeros(files::kUnpackedFreely + 1, '0');
  EXPECT_THAT(zstd_refusal([&] { files::unpack(zstd_packed(zeros), "t"); }),
              HasSubstr("unpacks to more than 200 times its size"));
}

TEST(Zstd, PackedTwiceIsRefused) {
  constexpr auto kSentence = "t is packed more than once; unpack it first.";
  EXPECT_EQ(zstd_refusal([] { files::unpack(zstd_packed(zstd_packed("a")), "t"); }), kSentence);
  EXPECT_EQ(zstd_refusal([] { files::unpack(zstd_packed("\x1F\x8B\x08"), "t"); }), kSentence);
}

}  // namespace
}  // namespace knotwork
