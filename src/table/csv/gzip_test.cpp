// SPDX-License-Identifier: MIT
#include "files/packed/unpacking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/random.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string packed(std::string text) {
  z_stream stream{};
  constexpr int kGzip = 16;
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string refusal_of(auto&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_data);
    EXPECT_THAT(error.what(), testing::EndsWith("."));
    return error.what();
  }
  return "no error";
}

RC_GTEST_PROP(GzipProperty, UnpacksAllMembers, ()) {
  const auto texts = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::string>>());
  std::string whole;
  std::string members;
  for (const std::string& text : texts) {
    whole += text;
    members += packed(text);
  }
  RC_ASSERT(files::is_gzip(members));
  RC_ASSERT(files::unpack(members, "t") == whole);
}

TEST(Gzip, UnpacksMoreThanItsBuffers) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "\n";
  EXPECT_EQ(files::unpack(packed(text), "t"), text);
}

TEST(Gzip, AllowsPaddingWithZeros) {
  EXPECT_EQ(files::unpack(packed("abc") + std::string(512, '\0'), "t"), "abc");
}

TEST(Gzip, RefusesWhatIsCutOffAnywhere) {
  const std::string whole = packed("a,b\n1,2\n3,4\n");
  for (std::size_t length = 2; length < whole.size(); ++length) {
    EXPECT_THAT(refusal_of([&] { files::unpack(whole.substr(0, length), "dir/t.gz"); }),
                StartsWith("dir/t.gz ends in the middle of its gzip data; copy"));
  }
  EXPECT_THAT(refusal_of([&] { files::unpack(whole + whole.substr(0, 5), "t"); }),
              HasSubstr("ends in the middle"));
}

TEST(Gzip, RefusesDamage) {
  std::string wrong_sum = packed("a,b\n1,2\n");
  wrong_sum[wrong_sum.size() - 6] ^= 1;
  EXPECT_EQ(
      refusal_of([&] { files::unpack(wrong_sum, "t.gz"); }),
      "t.gz contains damaged gzip data (incorrect data check); copy or pack the table again.");
  EXPECT_THAT(refusal_of([] { files::unpack("\x1F\x8B no gzip at all", "t.gz"); }),
              StartsWith("t.gz contains damaged gzip data (unknown compression method)"));
}

TEST(Gzip, RefusesOtherBytesBehind) {
  EXPECT_EQ(refusal_of([] { files::unpack(packed("abc") + "def", "t.gz"); }),
            "t.gz has other bytes after its gzip data; pack the table again.");
}

TEST(Gzip, UnpacksUpToTheLimit) {
  const std::string text(std::size_t{3} << 20, '1');
  const std::string bytes = packed(text) + packed("2");
  EXPECT_EQ(files::unpack(bytes, "t", text.size() + 1), text + "2");
  EXPECT_EQ(
      refusal_of([&] { files::unpack(bytes, "t.gz", text.size()); }),
      "t.gz unpacks to more than 0.00293 GiB, the most a packed table may hold; unpack it first.");
}

TEST(Gzip, RefusesWhatUnpacksToManyTimesItsSizeBeforeMuchIsUnpacked) {
  const std::string mebibyte(std::size_t{1} << 20, '1');
  const std::string small = packed(mebibyte);
  ASSERT_GT(mebibyte.size() / small.size(), files::kMaxUnpackedRatio);
  constexpr std::size_t kFree = files::kUnpackedFreely >> 20;
  std::string bomb;
  for (std::size_t k = 0; k < kFree; ++k) bomb += small;
  EXPECT_EQ(files::unpack(bomb, "t").size(), files::kUnpackedFreely);
  for (std::size_t k = 0; k < 2 * kFree; ++k) bomb += small;
  EXPECT_EQ(refusal_of([&] { files::unpack(bomb, "t.gz"); }),
            "t.gz unpacks to more than 200 times its size, which is unusual for a table; unpack it "
            "first.");
  // If the rest of the file is equally large, the ratio is fine.
  std::string rest(files::kUnpackedFreely / files::kMaxUnpackedRatio, '\0');
  const Random random(1, Purpose::builtin_noise);  // cannot be compressed
  for (std::size_t k = 0; k < rest.size(); ++k) rest[k] = static_cast<char>(random.bits(k));
  EXPECT_EQ(files::unpack(bomb.substr(0, (kFree + 1) * small.size()) + packed(rest), "t").size(),
            files::kUnpackedFreely + mebibyte.size() + rest.size());
}

TEST(Gzip, TablesMayBePacked) {
  const std::string bytes = packed(
                                "\xEF\xBB\xBF"
                                "a,b\n1,2\n") +
                            packed("3,x\n4,y\n");
  const Table table = parse_csv(bytes, "standard input");
  EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.columns[0], (std::vector<double>{1, 3, 4}));
  EXPECT_EQ(table.labels[1], (std::vector<std::string>{"2", "x", "y"}));

  const auto path = std::filesystem::path(testing::TempDir()) /
                    ("knotwork_gzip_test_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(path, std::ios::binary) << bytes;
  const Table from_file = read_csv(path);
  std::filesystem::remove(path);
  EXPECT_EQ(from_file.source, path.string());
  EXPECT_EQ(from_file.columns, table.columns);
}

// Otherwise the inner file could unpack to any size.
TEST(Gzip, RefusesWhatIsPackedTwice) {
  const char* const sentence = "t.gz is packed more than once; unpack it first.";
  const std::string twice = packed(packed("a\n1\n"));
  EXPECT_EQ(refusal_of([&] { files::unpack(twice, "t.gz"); }), sentence);
  EXPECT_EQ(refusal_of([&] { parse_csv(twice, "t.gz"); }), sentence);
  EXPECT_EQ(refusal_of([&] { parse_csv_names(twice, "t.gz"); }), sentence);
  EXPECT_EQ(refusal_of([&] { unpack_csv_text(twice, "t.gz"); }), sentence);
  // The two bytes that show it may come one by one, and in members of their own.
  EXPECT_EQ(refusal_of([] { files::unpack(packed("\x1F") + packed("\x8B"), "t.gz"); }), sentence);
}

TEST(Gzip, RefusalsOfPackedTablesNameTheLine) {
  EXPECT_THAT(refusal_of([] { parse_csv(packed("a,b\n1,2\n3\n"), "t.gz"); }),
              StartsWith("t.gz, line 3, column 2 ('b'): "));
  EXPECT_THAT(refusal_of([] { parse_csv(packed(""), "t.gz"); }), StartsWith("t.gz is empty"));
}

}  // namespace
}  // namespace knotwork
