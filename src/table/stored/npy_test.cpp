// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <cstring>

#include "table/stored/npy_header.hpp"
#include "table/stored/test_stored_tables.hpp"

namespace knotwork::table {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class NpyTest : public StoredTableTest {
 protected:
  static std::string file(const std::string& dictionary, const std::string& data, int version = 1) {
    std::string bytes = std::string(kNpyMagic) + static_cast<char>(version) + '\0';
    const std::string text = dictionary + "\n";
    for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
      bytes += static_cast<char>(text.size() >> (8 * k) & 0xFF);
    }
    return bytes + text + data;
  }
  template <class Number>
  static std::string data(const std::vector<Number>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
  }
  Table loaded(const std::string& bytes) {
    write("t.npy", bytes);
    return StoredTable(path("t.npy")).load();
  }
  std::string refused(const std::string& bytes) {
    write("t.npy", bytes);
    const std::string what = refusal([&] { StoredTable(path("t.npy")).load(); });
    if (what != "nothing was wrong") {
      EXPECT_THAT(what, StartsWith(path("t.npy").string()));
    }
    return what;
  }
};

TEST_F(NpyTest, BothOrdersAndBothTypesAreRead) {
  const std::string c8 = file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
                              data<double>({1, 2, 3, 4, 5.1, NAN}));
  const std::string f8 = file("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
                              data<double>({1, 4, 2, 5.1, 3, NAN}));
  const Table table = loaded(c8);
  EXPECT_THAT(table.names, ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(table.columns[1], ElementsAre(2, 5.1));
  EXPECT_TRUE(std::isnan(table.columns[2][1]));
  expect_same(loaded(f8), table);
  const std::string c4 = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
                              data<float>({1, 2, 3, 0.1f}));
  EXPECT_THAT(loaded(c4).columns[1], ElementsAre(2, static_cast<double>(0.1f)));
  EXPECT_TRUE(StoredTable(path("t.npy")).is_float(0));
}

TEST_F(NpyTest, AllVersionsAndSpellingsAreRead) {
  const std::string one = data<double>({7});
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(
        loaded(file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}", one, version))
            .columns[0][0],
        7);
  }
  for (const char* dictionary :
       {"{\"shape\":(1,1,),\"descr\":\"<f8\",\"fortran_order\":True}   ",
        "{ 'fortran_order' : False , 'shape' : ( 1 , ) , 'descr' : '<f8' , }"}) {
    EXPECT_EQ(loaded(file(dictionary, one)).columns[0][0], 7);
  }
}

TEST_F(NpyTest, OneDimensionIsOneColumn) {
  const Table table = loaded(
      file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", data<double>({1, 2, 3})));
  EXPECT_THAT(table.names, ElementsAre("x1"));
  EXPECT_THAT(table.columns[0], ElementsAre(1, 2, 3));
}

TEST_F(NpyTest, WindowsOfLargeArraysAreReadInBothOrders) {
  const std::size_t rows = 100'003, columns = 7;
  for (const bool fortran : {false, true}) {
    std::vector<float> numbers(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        numbers[fortran ? c * rows + r : r * columns + c] = static_cast<float>(r * 10 + c);
      }
    }
    write("t.npy", file("{'descr': '<f4', 'fortran_order': " +
                            std::string(fortran ? "True" : "False") + ", 'shape': (100003, 7), }",
                        data(numbers)));
    const StoredTable stored(path("t.npy"));
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, rows - 50'000}) {
      std::vector<double> cells(50'000);
      std::vector<float> floats(50'000);
      stored.read(4, first, cells);
      stored.read(4, first, floats);
      std::vector<std::vector<double>> several;
      const std::vector<std::size_t> wanted = {6, 4};
      stored.read(wanted, first, cells.size(), several);
      for (std::size_t r = 0; r < cells.size(); ++r) {
        ASSERT_EQ(cells[r], static_cast<double>((first + r) * 10 + 4));
        ASSERT_EQ(floats[r], static_cast<float>((first + r) * 10 + 4));
        ASSERT_EQ(several[0][r], cells[r] + 2);
        ASSERT_EQ(several[1][r], cells[r]);
      }
    }
  }
}

TEST_F(NpyTest, IntegersAndBoolAreNumbers) {
  const auto read = [&]<class Number>(const std::string& type, const std::vector<Number>& numbers) {
    const std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (2, 2)}";
    const Table table = loaded(file(text, data<Number>(numbers)));
    EXPECT_FALSE(StoredTable(path("t.npy")).is_float(0));
    return table.columns;
  };
  using Columns = std::vector<std::vector<double>>;
  EXPECT_EQ(read.operator()<std::int8_t>("|i1", {-128, 2, 3, 127}), (Columns{{-128, 3}, {2, 127}}));
  EXPECT_EQ(read.operator()<std::uint8_t>("|u1", {255, 2, 3, 4}), (Columns{{255, 3}, {2, 4}}));
  EXPECT_EQ(read.operator()<std::uint8_t>("|b1", {0, 1, 1, 0}), (Columns{{0, 1}, {1, 0}}));
  EXPECT_EQ(read.operator()<std::int16_t>("<i2", {-300, 2, 3, 4}), (Columns{{-300, 3}, {2, 4}}));
  EXPECT_EQ(read.operator()<std::uint16_t>("<u2", {65535, 2, 3, 4}), (Columns{{65535, 3}, {2, 4}}));
  EXPECT_EQ(read.operator()<std::int32_t>("<i4", {-70000, 2, 3, 4}),
            (Columns{{-70000, 3}, {2, 4}}));
  EXPECT_EQ(read.operator()<std::uint32_t>("<u4", {4000000000, 2, 3, 4}),
            (Columns{{4000000000, 3}, {2, 4}}));
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  EXPECT_EQ(read.operator()<std::int64_t>("<i8", {-kMost, 2, kMost, 4}),
            (Columns{{-0x1p53, 0x1p53}, {2, 4}}));
  EXPECT_EQ(read.operator()<std::uint64_t>("<u8", {1, 2, 3, 4}), (Columns{{1, 3}, {2, 4}}));
}

TEST_F(NpyTest, IntegersThatWouldBeRoundedAreRefused) {
  constexpr std::int64_t kTooMuch = (std::int64_t{1} << 53) + 1;
  const std::string what = refused(file("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2)}",
                                        data<std::int64_t>({1, 2, 3, -kTooMuch})));
  EXPECT_THAT(what,
              HasSubstr("row 1, column 2 ('x2'): -9007199254740993 cannot be stored exactly"));
  EXPECT_THAT(what, HasSubstr("set the option drop to x2"));
  // A column that is not read may contain anything.
  EXPECT_EQ(StoredTable(path("t.npy")).load({.only = std::vector<std::string>{"x1"}}).rows(), 2u);
}

TEST_F(NpyTest, OtherArraysAreRefusedWithWhatWouldBeRight) {
  const std::string four = data<double>({1, 2, 3, 4});
  const auto array = [&](const std::string& type, const std::string& shape) {
    return refused(
        file("{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + "}", four));
  };
  EXPECT_EQ(array("'<f8'", "(2, 2)"), "nothing was wrong");
  for (const char* type : {"'>i8'", "'>f8'", "'<f2'", "'<U2'", "'|O'", "'<M8[s]'", "'<c8'"}) {
    EXPECT_THAT(array(type, "(2, 2)"), HasSubstr("only float64, float32, integers and bool"));
  }
  EXPECT_THAT(array("[('a', '<f8')]", "(4,)"), HasSubstr("an array of records"));
  EXPECT_THAT(array("'<f8'", "(2, 2, 1)"), HasSubstr("an array of 3 dimensions; a table has two"));
  EXPECT_THAT(array("'<f8'", "()"), HasSubstr("an array of 0 dimensions"));
  EXPECT_THAT(array("'<f8'", "(0, 2)"), HasSubstr("is empty"));
  EXPECT_THAT(array("'<f8'", "(60, 0)"), HasSubstr("is empty"));
  EXPECT_THAT(array("'<f8'", "(2, 3)"), HasSubstr("larger than the file"));
  EXPECT_THAT(array("'<f8'", "(1, 3)"), HasSubstr("extra bytes after its numbers"));
  EXPECT_THAT(array("'<f8'", "(4611686018427387904, 4)"), HasSubstr("larger than the file"));
  EXPECT_THAT(array("'<f8'", "(18446744073709551616, 4)"), HasSubstr("its header is invalid"));
}

TEST_F(NpyTest, HeadersThatAreNotUnderstoodAreRefused) {
  const std::string one = data<double>({7});
  for (const char* dictionary :
       {"", "x", "{", "{}", "{'descr': '<f8'}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': '1'}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,",
        "{'des\\x63r': '<f8', 'fortran_order': False, 'shape': (1,)}"}) {
    EXPECT_THAT(refused(file(dictionary, one)), HasSubstr("its header is invalid")) << dictionary;
  }
  const std::string whole = file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", one);
  for (std::size_t size = kNpyMagic.size(); size < whole.size(); ++size) {
    EXPECT_THAT(refused(whole.substr(0, size)), HasSubstr("is not a complete .npy file")) << size;
  }
  std::string newer = whole;
  newer[6] = 4;
  EXPECT_THAT(refused(newer), HasSubstr("has version 4.0 of NumPy's format"));
  EXPECT_THAT(refused(file(std::string(kMaxNpyHeaderBytes, ' '), "")),
              HasSubstr("more than the limit of 10000"));
}

TEST_F(NpyTest, InfiniteNumbersAreNamed) {
  EXPECT_THAT(refused(file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}",
                           data<double>({1, 2, 3, -INFINITY}))),
              HasSubstr("row 1, column 2 ('x2'): the number is infinite"));
}

}  // namespace
}  // namespace knotwork::table
