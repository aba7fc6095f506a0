// SPDX-License-Identifier: MIT
// Compares tables of numbers, which use the fast path, with the same tables with every cell in
// quotes, which use the slow path.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/table.hpp>

namespace knotwork {
namespace {

using Names = std::vector<std::string>;
using Columns = std::vector<std::vector<double>>;

// Compares bits, because NaN does not equal itself and -0 equals 0; or the refusal.
struct Outcome {
  std::vector<std::vector<std::uint64_t>> columns = {};
  std::vector<std::vector<std::string>> labels = {};
  std::vector<std::size_t> lines = {};
  std::string refusal = {};

  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const std::string& text, const CsvOptions& options = {}) {
  // Memory that ends with the text, so that reading beyond it is detected.
  const std::vector<char> bytes(text.begin(), text.end());
  Outcome outcome;
  try {
    const Table table = parse_csv({bytes.data(), bytes.size()}, "t", options);
    table.check();
    outcome.labels = table.labels;
    for (const std::vector<double>& column : table.columns) {
      auto& bits = outcome.columns.emplace_back();
      for (const double cell : column) bits.push_back(std::bit_cast<std::uint64_t>(cell));
    }
    for (std::size_t r = 0; r < table.rows(); ++r) {
      outcome.lines.push_back(table.lines.empty() ? table.first_line + r : table.lines[r]);
    }
  } catch (const Error& error) {
    outcome.refusal = error.what();
  }
  return outcome;
}

struct Random {
  std::mt19937_64 draws;

  std::size_t below(std::size_t bound) { return draws() % bound; }
  template <class T>
  T one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

  std::string digits(std::size_t most) {
    std::string text(1 + below(most), '0');
    for (char& digit : text) digit = static_cast<char>('0' + below(10));
    return text;
  }
  std::string cell() {
    const std::string sign = one_of<std::string>({"", "", "-"});
    switch (below(40)) {
      case 0:
        return one_of<std::string>({"", "NA", "?", "+1.5", "+-1", "-", ".", "1e5", "-2.5E-3",
                                    "1e999", "inf", "nan", "x", "1.2.3", "0x10", "12a", "\xC3\xA4",
                                    "1e-400"});
      case 1:
        return sign + digits(20);
      case 2:
        return sign + digits(4) + "." + digits(20);
      case 3:
        return sign + digits(3) + ".";
      case 4:
        return sign + "." + digits(3);
      case 5:
        return "-999";
      default:
        return sign + digits(5) + (below(3) == 0 ? "" : "." + digits(9));
    }
  }
};

struct Pair {
  std::string bare, quoted;

  void add(const std::string& both) {
    bare += both;
    quoted += both;
  }
};

// The last cell of a row may be missing, or there may be an extra one.
Pair random_table(Random& random) {
  Pair pair;
  const std::size_t width = 2 + random.below(6);
  const std::size_t rows = random.one_of<std::size_t>({1, 3, 119, 120, 121, 250});
  const std::string line_end = random.one_of<std::string>({"\n", "\r\n", "\r"});
  const bool blanks = random.below(8) == 0;
  if (random.below(2) == 0) {
    for (std::size_t c = 0; c < width; ++c) {
      pair.add((c == 0 ? "" : ",") + std::string(1, static_cast<char>('a' + c)));
    }
    pair.add(line_end);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t cells = width + (random.below(3000) == 0) - (random.below(3000) == 0);
    for (std::size_t c = 0; c < cells; ++c) {
      if (c != 0) pair.add(",");
      if (blanks) pair.add(random.one_of<std::string>({"", " ", "\t "}));
      const std::string cell = random.cell();
      pair.bare += cell;
      pair.quoted += '"' + cell + '"';
      if (blanks) pair.add(random.one_of<std::string>({"", " "}));
    }
    if (r + 1 < rows || random.below(2) == 0) pair.add(line_end);
    if (random.below(3000) == 0) pair.add(line_end);
  }
  return pair;
}

TEST(CsvNumberCells, QuotesAroundCellsChangeNothing) {
  Random random{std::mt19937_64(1)};
  std::size_t read = 0;
  for (int k = 0; k < 2000; ++k) {
    const Pair pair = random_table(random);
    CsvOptions options{.delimiter = ','};
    if (random.below(2) == 0) options.cells.missing = {"-999", "x", "12a"};
    const Outcome bare = outcome_of(pair.bare, options);
    ASSERT_EQ(bare, outcome_of(pair.quoted, options)) << bare.refusal << "\n" << pair.bare;
    read += bare.refusal.empty() ? 1 : 0;
  }
  EXPECT_GT(read, 200u);
  EXPECT_LT(read, 1800u);
}

// Every cell becomes the last one of a text, and every text is cut off at every position.
TEST(CsvNumberCells, TextsMayEndAnywhere) {
  const std::string bare = "1,2\n-3.25,41\n5.2756,-120.221529\n12345678,1.5e3\n.5,9.\n";
  for (std::size_t length = 4; length <= bare.size(); ++length) {
    std::string quoted = "\"";
    for (const char c : bare.substr(0, length)) {
      quoted += c == ',' || c == '\n' ? std::string{'"', c, '"'} : std::string(1, c);
    }
    // If a line end was last, the quote after it would start a row.
    quoted.ends_with("\n\"") ? quoted.pop_back() : quoted.push_back('"');
    EXPECT_EQ(outcome_of(bare.substr(0, length)), outcome_of(quoted)) << quoted;
  }
}

TEST(CsvNumberCells, OddRowsStandBetweenPlainOnes) {
  const std::string plain = "1.5,2.25,-3.125\n";
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const std::string odd : {"\"1.5\",2.25,-3.125", " 1.5 ,2.25\t,-3.125", "+1.5,2.25,-3.125",
                                  "1.5,225e-2,-3.125", "01.50,2.250000000000000000,-3.125"}) {
      const Outcome expected = outcome_of(plain + plain + plain);
      EXPECT_EQ(outcome_of(plain + odd + end + plain), expected) << odd;
      EXPECT_EQ(outcome_of(plain + plain + odd + end), expected) << odd;
      EXPECT_EQ(outcome_of(plain + plain + odd), expected) << odd;
    }
  }
}

TEST(CsvNumberCells, ADelimiterAtTheEndIsAMissingCell) {
  const Table table = parse_csv("a,b,\n1.5,2.25,\n3.5,4.25,\n5.5,6.25,", "t");
  EXPECT_EQ(table.names, (Names{"a", "b", "c3"}));
  EXPECT_EQ(table.columns[1], (std::vector<double>{2.25, 4.25, 6.25}));
  EXPECT_TRUE(std::all_of(table.columns[2].begin(), table.columns[2].end(),
                          [](double cell) { return std::isnan(cell); }));
}

TEST(CsvNumberCells, LinesAreKnownBehindATextOfTwo) {
  const Table table = parse_csv("a,b\n1.25,x\n2.25,\"y\nz\"\n3.25,x\n4.25,x\n", "t");
  EXPECT_EQ(table.columns[0], (std::vector<double>{1.25, 2.25, 3.25, 4.25}));
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 3, 5, 6}));
}

TEST(CsvNumberCells, UnreadColumnsMayHoldAnything) {
  std::string text = "a,b,c,d\n";
  std::vector<double> a, c;
  for (int r = 0; r < 300; ++r) {
    text += std::to_string(r) + ".5," + (r % 3 == 0 ? "1.25" : "words") + ",-" + std::to_string(r) +
            ",\"" + std::to_string(r) + "\"\n";
    a.push_back(r + 0.5);
    c.push_back(-r);
  }
  EXPECT_EQ(parse_csv(text, "t", {.only = Names{"c", "a"}}).columns, (Columns{c, a}));
}

// Rows are collected in blocks, of fewer rows if there are many columns.
TEST(CsvNumberCells, TablesOfEveryShapeAreReadWhole) {
  for (const std::size_t width : {1u, 2u, 9u, 136u, 137u, 1000u, 20000u}) {
    for (const std::size_t rows : {1u, 2u, 119u, 120u, 121u, 240u, 400u}) {
      if (width * rows > 1000000) continue;
      std::string text;
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < width; ++c) {
          text += (c == 0 ? "" : ",") + std::to_string(r * width + c) + ".5";
        }
        text += '\n';
      }
      const Table table = parse_csv(text, "t");
      ASSERT_EQ(table.columns.size(), width);
      ASSERT_EQ(table.rows(), rows);
      for (std::size_t c = 0; c < width; ++c) {
        for (std::size_t r = 0; r < rows; ++r) {
          ASSERT_EQ(table.columns[c][r], static_cast<double>(r * width + c) + 0.5);
        }
      }
    }
  }
}

}  // namespace
}  // namespace knotwork
