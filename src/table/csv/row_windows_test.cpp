// SPDX-License-Identifier: MIT
// Tests that a text gives the same result in windows as at once, wherever the windows end.
#include "table/csv/row_windows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "table/csv/csv_stream.hpp"

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork::csv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Returns a text in pieces of up to `piece` bytes.
class PieceText : public files::TextSource {
 public:
  PieceText(std::string text, std::size_t piece) : text_(std::move(text)), piece_(piece) {}
  void rewind() override { at_ = 0; }
  std::span<const char> read(std::span<char> buffer) override {
    const std::size_t size = std::min({buffer.size(), piece_, text_.size() - at_});
    std::memcpy(buffer.data(), text_.data() + at_, size);
    at_ += size;
    return buffer.first(size);
  }
  double share() const override { return 0; }

 private:
  std::string text_;
  std::size_t piece_, at_ = 0;
};

Table read_in_windows(const std::string& text, std::size_t window, const CsvOptions& options = {}) {
  PieceText source(text, window / 3 + 1);
  Stream stream(source, "a table", options, window);
  Table piece = stream.layout().empty_table();
  Table table = piece;
  table.cells = options.cells;
  while (stream.next_rows(piece)) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      table.columns[c].insert(table.columns[c].end(), piece.columns[c].begin(),
                              piece.columns[c].end());
    }
  }
  const std::vector<bool> is_text = stream.find_text_columns();
  if (std::find(is_text.begin(), is_text.end(), true) == is_text.end()) return table;
  std::vector<std::vector<double>> numbers(table.columns.size());
  const bool known = stream.has_labels(is_text);
  if (known) {
    numbers = table.columns;
  } else {
    stream.begin_labels(is_text);
  }
  while (!known && stream.next_labels(piece)) {
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      numbers[c].insert(numbers[c].end(), piece.columns[c].begin(), piece.columns[c].end());
    }
  }
  const auto sorted = stream.labels();
  table.labels.resize(table.columns.size());
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    if (!is_text[c]) continue;
    table.labels[c] = sorted[c].labels;
    for (std::size_t r = 0; r < numbers[c].size(); ++r) {
      const double number = numbers[c][r];
      table.columns[c][r] =
          number == number ? sorted[c].ranks[static_cast<std::size_t>(number)] : number;
    }
  }
  return table;
}

bool same_cells(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return (x != x && y != y) || std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

// The same table, or the same error.
void expect_same(const std::string& text, std::size_t window, const CsvOptions& options = {}) {
  Table whole, windows;
  std::string refusal, window_refusal;
  try {
    whole = parse_csv(text, "a table", options);
  } catch (const Error& error) {
    refusal = error.what();
  }
  try {
    windows = read_in_windows(text, window, options);
  } catch (const Error& error) {
    window_refusal = error.what();
  }
  ASSERT_EQ(window_refusal, refusal) << text << "\nin windows of " << window;
  ASSERT_EQ(windows.names, whole.names) << text;
  ASSERT_EQ(windows.columns.size(), whole.columns.size()) << text;
  for (std::size_t c = 0; c < whole.columns.size(); ++c) {
    ASSERT_TRUE(same_cells(windows.columns[c], whole.columns[c])) << text << "\n" << window;
    ASSERT_EQ(windows.is_text(c), whole.is_text(c)) << text;
    if (whole.is_text(c)) {
      ASSERT_EQ(windows.labels[c], whole.labels[c]) << text;
    }
  }
}

TEST(CsvWindows, AreCutBehindWholeRows) {
  EXPECT_EQ(whole_rows("1,2\n3,4\n5", ','), 8u);
  EXPECT_EQ(whole_rows("1,2", ','), 0u);
  EXPECT_EQ(whole_rows("", ','), 0u);
  EXPECT_EQ(whole_rows("1\r\n2\r\n", ','), 6u);
  EXPECT_EQ(whole_rows("1\r2\r3", ','), 4u);
}

TEST(CsvWindows, ACarriageReturnAtTheEndMayBeHalfOfALineEnd) {
  EXPECT_EQ(whole_rows("1\r\n2\r", ','), 3u);
  EXPECT_EQ(whole_rows("1\r", ','), 0u);
}

TEST(CsvWindows, LineEndsInQuotesAreNone) {
  EXPECT_EQ(whole_rows("1,\"a\nb\"\n2,\"c\n", ','), 8u);
  EXPECT_EQ(whole_rows("\"a\nb\n", ','), 0u);
  EXPECT_EQ(whole_rows("\"a\"\"\nb\"\n\"", ','), 8u);
  EXPECT_EQ(whole_rows("1\n\"a\"", ','), 2u);        // a second quote may follow
  EXPECT_EQ(whole_rows("5\" pipe\n3\n", ','), 10u);  // opens no cell
  EXPECT_EQ(whole_rows("1,  \"a\n\"\n", ','), 9u);
}

TEST(CsvWindows, BlankLinesAtTheEndWaitForWhatFollows) {
  EXPECT_EQ(whole_rows("1\n\n \n", ','), 2u);
  EXPECT_EQ(whole_rows("\n \n", ','), 0u);
  EXPECT_EQ(whole_rows("1\r\n\r\n", ','), 3u);
  EXPECT_EQ(whole_rows("\"a\"\n\n", ','), 4u);
}

TEST(CsvWindows, ARowThatNeverEndsIsRefused) {
  class Endless : public files::TextSource {
   public:
    void rewind() override {}
    std::span<const char> read(std::span<char> buffer) override {
      std::fill(buffer.begin(), buffer.end(), '1');
      return buffer;
    }
    double share() const override { return 0; }
  } text;
  Windows windows(text, "a table", std::size_t{1} << 20);
  try {
    windows.next();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a closing quote may be missing"));
  }
}

TEST(CsvWindows, AnyTextIsReadAsItIsAsAWhole) {
  const std::vector<std::string> texts = {
      "a,b\n1,2\n3,4\n5,6\n",
      "\xEF\xBB\xBF\"a\",b\n1,2\n3,\"4\"\n",
      "a;b\r\n1;x\r\n2;y\r\n3;\"z\r\nz\"\r\n4;x\r\n",
      "1,2\n3,4\n5,6",
      "\n\n  \na,b\n1,2\n\n\n",
      "a,b\n1,2\n\n3,4\n",  // a blank line between rows
      "a,b\n1,2\n3\n",      // ragged
      "a,b\n1,2\n3,4,5\n",
      "a,b\n1,2\n3,\"4\n",  // never closed
      "a,b\n1,2\n3,\"4\"x\n",
      "a,b\n",  // no rows
      "a,b\n1,x\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n9,1\n1,2\n2,3\n3,4\n",
      "a,b\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n9,1\n1,2\n2,x\n3,y\n",  // text, found late
      "x\n01\n1\n1.0\nblue\nred\n?\n",
      "a,b\n1,\xFF\n2,\xFF\n",
      "\"a \"\"q\n1,2\n1,2\n1,2\n1,2\n\"\"\";b\n1,5;2\n",  // the delimiter comes late
      "\"a long name\";2\n\"1,5\";2,5JJ",  // the second line shows that the first is not a header
      "\"a long name\",2\n1,3\n",          // or that it is one
      "a|\"b\n1,2\n1,2\n1,2\n1,2\n\"|c\n1|2|3\n",
      "\xEF\xBB\xBF\xEF\xBB\xBFx\ty\n1\t2\n",  // the second mark is part of the name
  };
  for (const std::string& text : texts) {
    for (std::size_t window = 16; window < text.size() + 20; ++window) expect_same(text, window);
  }
}

TEST(CsvWindows, TheStartTellsWhetherBytesAreTextHoweverSmallTheWindows) {
  const std::string controls(8, '\x01');
  const std::vector<std::string> texts = {
      "x\n1\n2\n3\n4\n5\n6\n7\n" + controls + "\n",             // too many, after the first window
      controls + "\n1\n2\n3\n" + std::string(100, '4') + "\n",  // few compared with the rest
      "\xEF\xBB\xBFx\n" + std::string(3684, '1') + "\n" + std::string(409, '\x01') + "\n5\n",
  };
  for (const std::string& text : texts) {
    for (std::size_t window = 16; window < 64; ++window) expect_same(text, window);
  }
}

TEST(CsvWindows, OptionsHold) {
  CsvOptions options;
  options.only = {"c", "a"};
  options.categorical = {"a"};
  options.cells.missing = {"-9"};
  const std::string text = "a,b,c\n1,junk,2\n-9,\"mo\nre\",3\n01,,-9\n";
  for (std::size_t window = 16; window < 60; ++window) expect_same(text, window, options);
}

RC_GTEST_PROP(CsvWindowsProperty, RandomTextsAreReadAsAWhole, ()) {
  const auto cells = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
      std::vector<std::string>{"1", "2.5", "x", "\"\"", "\"a,b\"", "\"l\nm\"", "\"q\"\"q\"", " ",
                               "5\" pipe", "\n", "\r\n", "\r", ",", ",", ",", "\n", "\n"}));
  std::string text = "a,b\n";
  for (const std::string& cell : cells) text += cell;
  expect_same(text, *rc::gen::inRange<std::size_t>(16, 80));
}

}  // namespace
}  // namespace knotwork::csv
