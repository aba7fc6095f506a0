// SPDX-License-Identifier: MIT
// Tests that a text gives the same result in windows as at once, wherever the windows end.
#include "table/csv/row_windows.hpp"

#include <fmt/format.h>
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
  stream.decide();
  const std::vector<bool> again = stream.columns_to_read_again();
  if (std::find(again.begin(), again.end(), true) != again.end()) {
    for (std::size_t c = 0; c < again.size(); ++c) {
      if (again[c]) table.columns[c].clear();
    }
    stream.begin_again();
    while (stream.next_again(piece)) {
      for (std::size_t c = 0; c < again.size(); ++c) {
        if (!again[c]) continue;
        table.columns[c].insert(table.columns[c].end(), piece.columns[c].begin(),
                                piece.columns[c].end());
      }
    }
  }
  const auto sorted = stream.labels();
  table.labels.resize(table.columns.size());
  for (std::size_t c = 0; c < sorted.size(); ++c) {
    table.labels[c] = sorted[c].labels;
    if (table.labels[c].empty()) continue;
    for (double& cell : table.columns[c]) {
      if (cell == cell) cell = sorted[c].ranks[static_cast<std::size_t>(cell)];
    }
  }
  stream.describe(table);
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
  ASSERT_EQ(windows.dates, whole.dates) << text;
  ASSERT_EQ(windows.cells, whole.cells) << text;
  ASSERT_EQ(windows.remarks, whole.remarks) << text << "\nin windows of " << window;
  ASSERT_EQ(windows.has_header, whole.has_header) << text;
  ASSERT_EQ(windows.columns.size(), whole.columns.size()) << text;
  for (std::size_t c = 0; c < whole.columns.size(); ++c) {
    ASSERT_TRUE(same_cells(windows.columns[c], whole.columns[c])) << text << "\n" << window;
    ASSERT_EQ(windows.is_text(c), whole.is_text(c)) << text;
    if (whole.is_text(c)) {
      ASSERT_EQ(windows.labels[c], whole.labels[c]) << text;
    }
  }
}

std::size_t cut_of(std::string_view text, char delimiter) {
  return whole_rows(text, {.delimiter = delimiter});
}

TEST(CsvWindows, AreCutBehindWholeRows) {
  EXPECT_EQ(cut_of("1,2\n3,4\n5", ','), 8u);
  EXPECT_EQ(cut_of("1,2", ','), 0u);
  EXPECT_EQ(cut_of("", ','), 0u);
  EXPECT_EQ(cut_of("1\r\n2\r\n", ','), 6u);
  EXPECT_EQ(cut_of("1\r2\r3", ','), 4u);
}

TEST(CsvWindows, ACarriageReturnAtTheEndMayBeHalfOfALineEnd) {
  EXPECT_EQ(cut_of("1\r\n2\r", ','), 3u);
  EXPECT_EQ(cut_of("1\r", ','), 0u);
}

TEST(CsvWindows, LineEndsInQuotesAreNone) {
  EXPECT_EQ(cut_of("1,\"a\nb\"\n2,\"c\n", ','), 8u);
  EXPECT_EQ(cut_of("\"a\nb\n", ','), 0u);
  EXPECT_EQ(cut_of("\"a\"\"\nb\"\n\"", ','), 8u);
  EXPECT_EQ(cut_of("1\n\"a\"", ','), 2u);        // a second quote may follow
  EXPECT_EQ(cut_of("5\" pipe\n3\n", ','), 10u);  // opens no cell
  EXPECT_EQ(cut_of("1,  \"a\n\"\n", ','), 9u);
}

TEST(CsvWindows, BlankLinesAtTheEndWaitForWhatFollows) {
  EXPECT_EQ(cut_of("1\n\n \n", ','), 2u);
  EXPECT_EQ(cut_of("\n \n", ','), 0u);
  EXPECT_EQ(cut_of("1\r\n\r\n", ','), 3u);
  EXPECT_EQ(cut_of("\"a\"\n\n", ','), 4u);
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
      "x\n1\n\n\n2\n\n3\n\n\n",                // blank lines in one column
      "x\na\n\n\nb\n\na\n\n\n",
      " 1  2\n3   \"4 5\"\n\n 6 7 \n8\t 9\n",  // runs of spaces
      "{\"a\":1,\"b\":\"x\\n\"}\n{\"b\":\"y\"}\n\n{\"c\":true,\"a\":2}\n",
      "{\"a\":1}\n{\"a\":[]}\n",
      "p,x,p\ne,x,s\np,y,s\ne,y,s\n",  // no header, as later lines show
  };
  for (const std::string& text : texts) {
    for (std::size_t window = 16; window < text.size() + 20; ++window) expect_same(text, window);
  }
}

// What the first rows show may be wrong.
TEST(CsvWindows, ColumnsAreReadAsTheWholeTextShows) {
  std::string dates = "when|price|n\n", late = "x|when\n", words = "x|y\n";
  for (int day = 1; day <= 12; ++day) dates += fmt::format("{0}/2/2020|${0},000|1\n", day);
  dates += "13/2/2020|free|2\n";
  for (int k = 0; k < 30; ++k) {
    late += fmt::format("{}|{}\n", k, k < 25 ? "2020-01-31" : "?");
    // Looks like text at first, and is numbers in the end.
    words += fmt::format("{}|{}\n", k < 2 ? "word" : std::to_string(k), k < 9 ? "NA" : "5 kg");
  }
  late += "31|soon\n1,234|2020-02-01\n";
  for (const std::string& text : {dates, late, words, dates + "1/13/2020|1|1\n"}) {
    for (std::size_t window = 16; window < text.size() + 20; window += 7) {
      expect_same(text, window);
    }
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

TEST(CsvWindows, CommentsAreNoRows) {
  const CsvOptions options{.comment = "#"};
  const std::vector<std::string> texts = {
      "# made, \"by hand\n#\na,b\n1,2\n# one, \"two\n\n3,4\n# c\n\n5,\"6\n# no comment\"\n#\n",
      "# c\nx\n1\n\n# d\n\n2\n\n# e\n# f, \"\n",
      "x\na\n\n# d\n\nb\n\n# e\n",
      "# c\r\na;b\r\n  # d; \"\r\n1;\"#\"\r\n#\r\n",
  };
  for (const std::string& text : texts) {
    for (std::size_t window = 16; window < text.size() + 20; ++window) {
      expect_same(text, window, options);
    }
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
      std::vector<std::string>{"1", "2.5", "x", "$5", "1 %", "2020-01-31", "14:35", "\"1,234\"", "\"\"", "\"a,b\"", "\"l\nm\"", "\"q\"\"q\"", " ",
                               "5\" pipe", "\n", "\r\n", "\r", ",", ",", ",", "\n", "\n"}));
  std::string text = "a,b\n";
  for (const std::string& cell : cells) text += cell;
  expect_same(text, *rc::gen::inRange<std::size_t>(16, 80));
}

}  // namespace
}  // namespace knotwork::csv
