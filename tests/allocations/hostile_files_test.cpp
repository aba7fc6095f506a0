// SPDX-License-Identifier: MIT
// Tests that no file can make the library allocate more memory than the file's own bytes justify.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "activation/settings.hpp"
#include "counting.hpp"
#include "files/file_io.hpp"
#include "files/packed/unpacking.hpp"
#include "model_file/test_saved_models.hpp"

#include <knotwork/stored_table.hpp>

namespace knotwork {
namespace {

using ::testing::Le;

// The largest allocation while the bytes are read, whether they are accepted or not.
std::size_t largest_for(const model_file::Bytes& bytes) {
  take_largest_allocation();
  try {
    deserialize(bytes, "a file");
  } catch (const Error&) {
  }
  return take_largest_allocation();
}

// JSON takes some ten times its text, and lists grow by doubling. One spline may be created before
// its numbers are found missing.
std::size_t allowed(const model_file::Bytes& bytes) {
  return 40 * bytes.size() + kMaxKnots * sizeof(double);
}

TEST(HostileFiles, TheLargestRequestIsSeen) {
  take_largest_allocation();
  { const std::vector<char> large(12345); }
  { const std::vector<char> small(10); }
  EXPECT_EQ(take_largest_allocation(), 12345u);
  EXPECT_EQ(take_largest_allocation(), 0u);
}

// Makes every number of a header and of the record in it huge, one after the other.
TEST(HostileFiles, NoNumberInAModelFileIsBelieved) {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 2;
  options.ensemble = 2;
  options.snapshots = 1;
  options.scale_inputs = ScalingKind::quantile;
  const model_file::Bytes good = serialize(model_file::trained_model(options));
  const std::string header = model_file::header_of(good);
  std::size_t numbers = 0;
  int headers = 0;
  for (std::size_t at = 0; at < header.size(); ++at) {
    const auto is_digit = [&](std::size_t k) { return header[k] >= '0' && header[k] <= '9'; };
    const bool starts = is_digit(at) && (at == 0 || std::string_view(":,[").find(header[at - 1]) !=
                                                        std::string_view::npos);
    if (!starts) continue;
    std::size_t end = at;
    while (is_digit(end)) ++end;
    ++numbers;
    for (const char* huge : {"100000", "4294967296", "1099511627776", "18446744073709551615"}) {
      const model_file::Bytes bytes = model_file::stamped(
          model_file::with_header(good, header.substr(0, at) + huge + header.substr(end)));
      ++headers;
      EXPECT_THAT(largest_for(bytes), Le(allowed(bytes)))
          << huge << " in " << header.substr(at < 40 ? 0 : at - 40, 60);
    }
  }
  EXPECT_GT(numbers, 100u);
  RecordProperty("knotwork_count_hostile_headers", headers);
}

TEST(HostileFiles, ALengthThatIsNotThereTakesNoMemory) {
  const model_file::Bytes good = serialize(model_file::tiny_model());
  for (std::size_t k = 0; k < 8; ++k) {
    model_file::Bytes bytes = good;
    bytes[k] = 255;
    EXPECT_THAT(largest_for(bytes), Le(allowed(bytes)));
  }
}

// For a table in a file: its numbers of rows and its positions, in its header and the record in it.
TEST(HostileFiles, NoNumberInATableFileIsBelieved) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(::testing::TempDir()) / "knotwork-hostile-table";
  write_table_file(parse_csv("a,b\n0.1,x\n2,y\n3,x\n", "a table"), path);
  const model_file::Bytes table = files::read_file(path);
  write_table_file(parse_csv("a,b\n0.1,1\n2,2\n", "a table"), path);
  write_npy(StoredTable(path), path);
  const model_file::Bytes array = files::read_file(path);
  for (const model_file::Bytes& good : {table, array}) {
    std::size_t numbers = 0;
    const auto is_digit = [&](std::size_t k) { return good[k] >= '0' && good[k] <= '9'; };
    for (std::size_t at = 10; at + 1 < good.size(); ++at) {
      if (!is_digit(at) || is_digit(at - 1)) continue;
      ++numbers;
      // Overwrites the digits, so that the header keeps its length.
      for (const std::size_t digits : {1, 4, 8, 12}) {
        model_file::Bytes bytes = good;
        for (std::size_t k = at; k < std::min(at + digits, bytes.size()); ++k) bytes[k] = '9';
        files::write_file_atomically(path, bytes);
        take_largest_allocation();
        try {
          StoredTable(path).load();
        } catch (const Error&) {
        }
        EXPECT_THAT(take_largest_allocation(), Le(40 * bytes.size() + 2'000'000)) << at;
      }
    }
    EXPECT_GE(numbers, 3u);  // an array has its type, rows and columns
  }
  fs::remove(path);
}

// A gzip file ends with its claimed size.
TEST(HostileFiles, TheSizeThatGzipClaimsTakesNoMemory) {
  std::string packed("\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\xFF\xFF\xFF\xFF", 20);
  take_largest_allocation();
  EXPECT_THROW(files::unpack(packed, "t.gz"), Error);
  EXPECT_THAT(take_largest_allocation(), Le(std::size_t{1} << 17));
}

// A few short rows and a long rest that differs from them.
TEST(HostileFiles, RowsThatAreGuessedFromTheFirstOnesTakeMemoryForTheTextThatIsThere) {
  std::string text;
  for (int row = 0; row < 200; ++row) text += ",\n";
  text += std::string(1 << 22, ' ');
  take_largest_allocation();
  try {
    parse_csv(text, "t.csv");
  } catch (const Error&) {
  }
  EXPECT_THAT(take_largest_allocation(), Le(8 * text.size()));
}

}  // namespace
}  // namespace knotwork
