// SPDX-License-Identifier: MIT
// Tests of conversions between CSV, table files and .npy.
#include "table/stored/convert_table.hpp"
#include "parallel/test_monitors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "files/failing_calls.hpp"
#include "table/stored/test_stored_tables.hpp"

#include <knotwork/builtin_data.hpp>

namespace knotwork::table {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ConvertTest : public StoredTableTest {};

TEST_F(ConvertTest, ATableFileHoldsWhatTheCsvDoes) {
  const std::string text =
      "x,colour,half,gap\n0.1,red,0.5,\n-3,blue,1.5,7\n1e300,\"a,\nb\",2,NA\n4,,-0.25,8\n";
  write("t.csv", text);
  EXPECT_EQ(convert_csv(path("t.csv"), path("t.safetensors")), 4u);
  const StoredTable stored(path("t.safetensors"));
  expect_same(stored.load(), read_csv(path("t.csv")));
  EXPECT_FALSE(stored.is_float(0));
  EXPECT_TRUE(stored.is_float(2));
  EXPECT_THAT(stored.description().labels[1], ElementsAre("a,\nb", "blue", "red"));
}

TEST_F(ConvertTest, WhatCanBeReadButOnceIsConvertedToo) {
  const std::string text = "x,colour\n1,red\n2,blue\n";
  std::size_t at = 0;
  const auto read = [&](std::span<char> buffer) -> std::span<const char> {
    const std::size_t some = std::min<std::size_t>({buffer.size(), text.size() - at, 5});
    text.copy(buffer.data(), some, at);
    at += some;
    return buffer.first(some);
  };
  CsvSource source("a socket", path("t.safetensors"), read);
  EXPECT_EQ(source.name(), "a socket");
  EXPECT_THAT(source.names(), ElementsAre("x", "colour"));
  EXPECT_EQ(source.convert(path("t.safetensors")), 2u);
  expect_same(StoredTable(path("t.safetensors")).load(), parse_csv(text, "a socket"));
}

TEST_F(ConvertTest, ASourceCanBeAskedAgain) {
  write("t.csv", "x,colour\n1,red\n2,blue\n");
  CsvSource source(path("t.csv"));
  Monitor stopped;
  stopped.request_stop();
  for (const std::string out : {"first", "second"}) {
    EXPECT_THAT(source.names(), ElementsAre("x", "colour"));
    EXPECT_THROW(source.convert(path("stopped"), {}, &stopped), Error);
    EXPECT_EQ(source.convert(path(out)), 2u);
    expect_same(StoredTable(path(out)).load(), read_csv(path("t.csv")));
  }
}

TEST_F(ConvertTest, CellFormatsAreKept) {
  CsvOptions options;
  options.cells = {.missing = {"-9"}, .missing_words = false, .decimal_comma = true};
  options.delimiter = ';';
  write("t.csv", "x;y\n1,5;NA\n-9;b\n2,5;b\n");
  convert_csv(path("t.csv"), path("t.safetensors"), options);
  const Table table = StoredTable(path("t.safetensors")).load();
  expect_same(table, read_csv(path("t.csv"), options));
  EXPECT_EQ(table.cells, options.cells);
}

// Windows have a few rows each, and the scratch file is used.
TEST_F(ConvertTest, LongTablesGoThroughManyWindows) {
  Table table = make_builtin("friedman1", 40'000, 3);
  std::string text = to_csv(table);
  text.insert(text.find('\n'), ",name");
  std::size_t at = text.find('\n') + 1;
  for (std::size_t row = 0; at < text.size(); ++row) {
    const std::size_t end = text.find('\n', at);
    const std::string name = ",n" + std::to_string(row * 7919 % 300);
    text.insert(end, name);
    at = end + name.size() + 1;
  }
  write("t.csv", text);
  files::FileText source(path("t.csv"));
  EXPECT_EQ(convert_text(source, "t.csv", path("t.safetensors"), {}, nullptr, 5000), 40'000u);
  expect_same(StoredTable(path("t.safetensors")).load(), parse_csv(text, "t.csv"));
}

// The first window does not show that the last two columns are text, so they are read again.
TEST_F(ConvertTest, TextsMayBeginLate) {
  std::string text = "x,colour,code\n";
  for (int row = 0; row < 3000; ++row) {
    const bool late = row >= 1500;
    text += std::to_string(row) + (late ? row % 2 == 0 ? ",red," : ",blue," : ",,");
    text += late ? "k" + std::to_string(row % 7) + "\n" : std::to_string(row % 5) + "\n";
  }
  write("t.csv", text);
  files::FileText source(path("t.csv"));
  CsvOptions options;
  options.categorical = {"code"};
  EXPECT_EQ(convert_text(source, "t.csv", path("t.safetensors"), options, nullptr, 5000), 3000u);
  expect_same(StoredTable(path("t.safetensors")).load(), parse_csv(text, "t.csv", options));
}

// The first window shows something else than the whole table: words in a column of numbers, plain
// numbers in a column of prices, the month first.
TEST_F(ConvertTest, ColumnsAreReadAsTheWholeTextShows) {
  std::string text = "x|price|when|at|colour\n";
  for (int row = 0; row < 3000; ++row) {
    text += row < 20 ? "word|" : std::to_string(row) + ".1|";
    text += row < 20 ? "5|" : "$" + std::to_string(row % 900 + 100) + ",000.50|";
    text += row == 2999 ? "31/12/2020|" : "1/" + std::to_string(row % 12 + 1) + "/2020 10:00:00.25|";
    text += std::to_string(row % 24) + ":30|" + (row % 3 == 0 ? "red\n" : "blue\n");
  }
  write("t.csv", text);
  files::FileText source(path("t.csv"));
  std::vector<Remark> remarks;
  EXPECT_EQ(convert_text(source, "t.csv", path("t.safetensors"), {}, nullptr, 5000, &remarks), 3000u);
  const Table whole = parse_csv(text, "t.csv");
  EXPECT_EQ(whole.columns[2].front(), 1577872800.25);
  EXPECT_EQ(remarks, whole.remarks);
  EXPECT_EQ(remarks.size(), 4u);
  expect_same(StoredTable(path("t.safetensors")).load(), whole);
  // Dates are written so that they are read as the same seconds.
  write_csv(StoredTable(path("t.safetensors")), path("back.csv"));
  const Table back = read_csv(path("back.csv"));
  EXPECT_EQ(back.columns[2], whole.columns[2]);
  EXPECT_EQ(back.columns[3], whole.columns[3]);
  EXPECT_EQ(back.dates, whole.dates);
  CsvOptions numbers;
  numbers.only = {"when", "at"};
  write_npy(StoredTable(path("t.safetensors")), path("t.npy"), numbers);
  EXPECT_EQ(StoredTable(path("t.npy")).load().columns[0], whole.columns[2]);
  write_table_file(StoredTable(path("t.safetensors")), path("u.safetensors"), numbers);
  EXPECT_EQ(StoredTable(path("u.safetensors")).description().cells.columns.size(), 2u);
}

TEST_F(ConvertTest, PackedTablesAreRead) {
  write("t.csv", to_csv(make_builtin("sinc", 3000, 1)));
  pack("t.csv", "t.csv.gz");
  convert_csv(path("t.csv.gz"), path("t.safetensors"));
  expect_same(StoredTable(path("t.safetensors")).load(), make_builtin("sinc", 3000, 1));
}

TEST_F(ConvertTest, ThereAndBackIsTheSame) {
  write("t.csv", "x,colour\n0.1,red\n,blue\n1e-300,\n3,red\n");
  convert_csv(path("t.csv"), path("t.safetensors"));
  write_csv(StoredTable(path("t.safetensors")), path("back.csv"));
  EXPECT_EQ(read("back.csv"), to_csv(read_csv(path("t.csv"))));
}

TEST_F(ConvertTest, ArraysAreFloatsIfAllNumbersAre) {
  write_table_file({.source = "t", .names = {"a", "b"}, .columns = {{1, 2, 3}, {0.5, NAN, 4}}},
                   path("t.safetensors"));
  write_npy(StoredTable(path("t.safetensors")), path("t.npy"));
  const std::string bytes = read("t.npy");
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  EXPECT_THAT(bytes, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"));
  EXPECT_EQ(bytes.size(), 128u + 24u);
  const StoredTable array(path("t.npy"));
  EXPECT_THAT(array.description().names, ElementsAre("x1", "x2"));
  Table expected = StoredTable(path("t.safetensors")).load();
  expected.names = {"x1", "x2"};
  expect_same(array.load(), expected);

  write_table_file({.source = "t", .names = {"a"}, .columns = {{0.1}}}, path("u.safetensors"));
  write_npy(StoredTable(path("u.safetensors")), path("u.npy"));
  EXPECT_THAT(read("u.npy"), HasSubstr("'<f8'"));
  write_table_file(StoredTable(path("u.npy")), path("v.safetensors"));
  EXPECT_EQ(StoredTable(path("v.safetensors")).load().columns[0][0], 0.1);
}

TEST_F(ConvertTest, TextsHaveNoPlaceInAnArray) {
  write("t.csv", "x,colour\n1,red\n2,blue\n");
  convert_csv(path("t.csv"), path("t.safetensors"));
  EXPECT_THAT(refusal([&] { write_npy(StoredTable(path("t.safetensors")), path("t.npy")); }),
              HasSubstr("column 'colour' is text, but a .npy file has only numbers"));
  EXPECT_FALSE(std::filesystem::exists(path("t.npy")));
}

TEST_F(ConvertTest, WhatIsRefusedLeavesTheOldFile) {
  write("t.csv", "x\n1\n2\n");
  convert_csv(path("t.csv"), path("t.safetensors"));
  const std::string old = read("t.safetensors");
  write("bad.csv", "x,y\n1,2\n3\n");
  EXPECT_THAT(refusal([&] { convert_csv(path("bad.csv"), path("t.safetensors")); }),
              HasSubstr("bad.csv, line 3, column 2 ('y'): the row has 1 cell"));
  EXPECT_EQ(read("t.safetensors"), old);
  EXPECT_THAT(names(), ElementsAre("bad.csv", "t.csv", "t.safetensors"));
}

TEST_F(ConvertTest, AStopLeavesNoFile) {
  write("t.csv", "x\n1\n2\n");
  const auto convert = [&](const std::shared_ptr<Monitor>& monitor) {
    convert_csv(path("t.csv"), path("t.safetensors"), {}, monitor.get());
    std::filesystem::remove(path("t.safetensors"));
  };
  parallel::expect_stops(3, convert, [&] { EXPECT_THAT(names(), ElementsAre("t.csv")); });
}

// Each system call of the writer fails once: afterwards the old file or the new one exists as a
// whole. The rows need a scratch file, which another thread may write.
TEST_F(ConvertTest, TheOldTableOrTheNewOneIsThereWhole) {
  const Table old{.source = "t", .names = {"a"}, .columns = {{1, 2}}};
  const std::vector<std::vector<double>> rows = {std::vector<double>(40'000, 0.1),
                                                 std::vector<double>(40'000, 3)};
  const auto write_changed = [&] {
    TableWriter writer(path("t"), {.source = "t", .names = {"a", "b"}, .columns = {}});
    writer.append(rows);
    writer.append(rows);
    writer.finish();
  };
  write_changed();
  const std::string new_bytes = read("t");
  write_table_file(old, path("t"));
  const std::string old_bytes = read("t");
  for (const files::Fault fault : {files::Fault::error, files::Fault::full_disk,
                                   files::Fault::interruption, files::Fault::part}) {
    bool reached = true;
    for (std::size_t number = 1; reached; ++number) {
      write_table_file(old, path("t"));
      files::FailingCalls calls(fault, number, ENOSPC);
      bool thrown = false;
      {
        const files::ReplacedSystemCalls replaced(calls);
        try {
          write_changed();
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::failed_run) << error.what();
          thrown = true;
        }
      }
      reached = calls.has_failed();
      EXPECT_EQ(calls.still_open(), 0);
      EXPECT_EQ(read("t"), thrown ? old_bytes : new_bytes) << number;
      EXPECT_THAT(names(), ElementsAre("t"));
      ASSERT_LT(number, 1000u);
    }
  }
}

}  // namespace
}  // namespace knotwork::table
