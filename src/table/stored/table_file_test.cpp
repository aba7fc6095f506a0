// SPDX-License-Identifier: MIT
#include <knotwork/stored_table.hpp>

#include <cmath>
#include <limits>
#include <thread>

#include "files/failing_calls.hpp"
#include "files/safetensors_header.hpp"
#include "table/stored/test_stored_tables.hpp"

#include <knotwork/random.hpp>

namespace knotwork::table {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

class TableFileTest : public StoredTableTest {
 protected:
  files::SafetensorsHeader header(const std::string& name) const {
    const std::string bytes = read(name);
    return files::read_safetensors_header(
        {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, bytes.size(), name,
        {ErrorKind::bad_data, "table file"});
  }
  // Numbers of every kind, and texts of 1, 2 and 4 bytes.
  static Table mixed(std::size_t rows) {
    const Random random(5, Purpose::builtin_inputs);
    Table table{.source = "mixed",
                .names = {"few", "double", "many", "float", "most"},
                .columns = std::vector(5, std::vector<double>(rows)),
                .labels = std::vector<std::vector<std::string>>(5)};
    const std::size_t texts[] = {255, 0, 256, 0, 65536};
    for (std::size_t c = 0; c < 5; ++c) {
      for (std::size_t k = 0; k < texts[c]; ++k) {
        std::string text = std::to_string(k);
        table.labels[c].push_back(std::string(6 - text.size(), '0') + text);
      }
      for (std::size_t r = 0; r < rows; ++r) {
        const double uniform = random.uniform(r * 5 + c);
        double& cell = table.columns[c][r];
        cell = texts[c] != 0 ? std::floor(uniform * static_cast<double>(texts[c])) : uniform;
        if (c == 3) cell = static_cast<double>(static_cast<float>(cell));
        if (random.uniform(r * 5 + c + 1'000'000) < 0.1) cell = kMissing;
      }
    }
    return table;
  }
};

TEST_F(TableFileTest, IsReadAsItWasWritten) {
  for (const std::size_t rows : {1, 2, 63, 64, 65, 100'000}) {
    const Table table = mixed(rows);
    write_table_file(table, path("t"));
    expect_same(StoredTable(path("t")).load(), table);
  }
}

TEST_F(TableFileTest, DatesAndFormatsAreKept) {
  Table table = mixed(100);
  write_table_file(table, path("t"));
  EXPECT_THAT(read("t"), HasSubstr("\\\"format\\\":1,"));
  EXPECT_TRUE(StoredTable(path("t")).description().dates.empty());
  table.dates = {false, true, false, false, false};
  table.cells.columns = {{.column = "double", .date = DateOrder::month_first},
                         {.column = "float", .prefix = "$", .suffix = "m\u00B2", .group = " ",
                          .decimal_comma = true}};
  write_table_file(table, path("t"));
  EXPECT_THAT(read("t"), HasSubstr("\\\"format\\\":2,"));
  const Table again = StoredTable(path("t")).load();
  expect_same(again, table);
  EXPECT_EQ(again.dates, table.dates);
  const auto refused = [&](const CsvOptions& options) {
    return refusal([&] { StoredTable(path("t")).load(options); });
  };
  EXPECT_EQ(StoredTable(path("t")).load({.dates = {{"double"}}}).columns.size(), 5u);
  EXPECT_THAT(refused({.dates = {{"float"}}}),
              HasSubstr("the column contains numbers, but dates are requested"));
  EXPECT_THAT(refused({.dates = {{"few"}}}), HasSubstr("contains texts, but dates"));
}

TEST_F(TableFileTest, EqualTablesAreEqualFiles) {
  Table table = mixed(1000);
  write_table_file(table, path("a"));
  for (double& cell : table.columns[1]) {
    if (std::isnan(cell)) cell = -std::numeric_limits<double>::signaling_NaN();
  }
  write_table_file(table, path("b"));
  EXPECT_EQ(read("a"), read("b"));
}

// Python's reader accepts no gaps, so columns can only be aligned by their order.
TEST_F(TableFileTest, EveryColumnIsAlignedLikeItsNumbers) {
  write_table_file(mixed(33), path("t"));
  const files::SafetensorsHeader file = header("t");
  EXPECT_EQ(file.data_begin % 64, 0u);
  std::vector<std::string> order;
  for (const files::TensorPlace& tensor : file.tensors) {
    EXPECT_EQ(tensor.begin % files::item_bytes(tensor.type), 0u) << tensor.name;
    order.push_back(tensor.name + " " + tensor.type);
  }
  EXPECT_THAT(order, ElementsAre("double F64", "float F32", "most U32", "many U16", "few U8"));
}

TEST_F(TableFileTest, WindowsAreReadAsDoublesAndFloats) {
  const std::size_t rows = 70'001;
  const Table table = mixed(rows);
  write_table_file(table, path("t"));
  const StoredTable stored(path("t"));
  EXPECT_EQ(stored.rows(), rows);
  const Random random(1, Purpose::builtin_noise);
  for (std::uint64_t k = 0; k < 200; ++k) {
    const auto first = static_cast<std::size_t>(random.uniform(2 * k) * static_cast<double>(rows));
    const auto most = random.uniform(2 * k + 1) * static_cast<double>(rows - first);
    std::vector<double> cells(static_cast<std::size_t>(most));
    std::vector<float> floats(cells.size());
    const std::size_t c = k % 5;
    stored.read(c, first, cells);
    stored.read(c, first, floats);
    for (std::size_t r = 0; r < cells.size(); ++r) {
      const double wanted = table.columns[c][first + r];
      if (std::isnan(wanted)) {
        ASSERT_TRUE(std::isnan(cells[r]) && std::isnan(floats[r]));
      } else {
        ASSERT_EQ(cells[r], wanted);
        ASSERT_EQ(floats[r], static_cast<float>(wanted));
      }
    }
  }
}

TEST_F(TableFileTest, SeveralThreadsReadAtOnce) {
  const Table table = mixed(50'000);
  write_table_file(table, path("t"));
  const StoredTable stored(path("t"));
  std::vector<std::vector<double>> cells(5, std::vector<double>(50'000));
  {
    std::vector<std::jthread> threads;
    for (std::size_t c = 0; c < 5; ++c) {
      threads.emplace_back([&, c] {
        for (std::size_t row = 0; row < 50'000; row += 1000) {
          stored.read(c, row, std::span(cells[c]).subspan(row, 1000));
        }
      });
    }
  }
  Table read = table;
  read.columns = cells;
  expect_same(read, table);
}

TEST_F(TableFileTest, WhatIsNotThereIsRefused) {
  write_table_file(mixed(10), path("t"));
  const StoredTable stored(path("t"));
  std::vector<double> cells(4);
  const auto read = [&](std::size_t column, std::size_t row) {
    return refusal([&] { stored.read(column, row, cells); }, ErrorKind::bad_option);
  };
  EXPECT_EQ(read(4, 6), "nothing was wrong");
  EXPECT_THAT(
      read(5, 0),
      HasSubstr("has 5 columns and 10 rows, but columns or rows beyond these were requested"));
  EXPECT_THAT(read(0, 7), HasSubstr("columns or rows beyond these were requested"));
  EXPECT_THAT(read(0, std::numeric_limits<std::size_t>::max()), HasSubstr("beyond these"));
}

TEST_F(TableFileTest, ColumnsAreChosenAsOfACsv) {
  write("t.csv", "a,b,c\n1,x,3\n2,y,4\n");
  write_table_file(read_csv(path("t.csv")), path("t"));
  const StoredTable stored(path("t"));
  CsvOptions options;
  options.only = {"c", "b"};
  options.categorical = {"b"};
  options.numeric = {"c"};
  const Table chosen = stored.load(options), wanted = read_csv(path("t.csv"), options);
  expect_same(chosen, wanted);
  EXPECT_EQ(chosen.unread, wanted.unread);
  EXPECT_EQ(chosen.positions, wanted.positions);

  options.numeric = {"b"};
  options.categorical.clear();
  EXPECT_THAT(refusal([&] { stored.load(options); }),
              HasSubstr(path("t").string() +
                        ", column 2 ('b'): the column contains texts, but numbers are requested"));
  options = {};
  options.categorical = {"a"};
  EXPECT_THAT(refusal([&] { stored.load(options); }), HasSubstr("set the option categorical to a"));
  options = {};
  options.only = {"aa"};
  EXPECT_THAT(refusal([&] { stored.load(options); }), HasSubstr("did you mean 'a'?"));
  options.only = {"a", "a"};
  EXPECT_THAT(refusal([&] { stored.load(options); }, ErrorKind::bad_option), HasSubstr("twice"));
  options.only.emplace();
  EXPECT_THAT(refusal([&] { stored.load(options); }, ErrorKind::bad_option),
              HasSubstr("list of columns to read"));
}

TEST_F(TableFileTest, WindowsMakeTheWhole) {
  const Table table = mixed(175'000);
  write_table_file(table, path("t"));
  CsvOptions options;
  options.only = {"float", "few"};
  const StoredTable stored(path("t"));
  const Table wanted = stored.load(options);
  Table whole = wanted;
  whole.columns.assign(2, {});
  std::vector<std::string> sources;
  stored.for_each_window(options, [&](const Table& window) {
    window.check();
    sources.push_back(window.source);
    for (std::size_t c = 0; c < 2; ++c) {
      whole.columns[c].insert(whole.columns[c].end(), window.columns[c].begin(),
                              window.columns[c].end());
    }
  });
  EXPECT_EQ(sources.size(), 1u);
  expect_same(whole, wanted);
  std::size_t rows = 0, windows = 0;
  stored.for_each_window({}, [&](const Table& window) {
    rows += window.rows();
    if (++windows == 2) {
      EXPECT_EQ(window.where(3, 0), path("t").string() + ", row 104860, column 1 ('few')");
    }
  });
  EXPECT_EQ(rows, 175'000u);
  EXPECT_EQ(windows, 2u);
}

TEST_F(TableFileTest, IsKnownByItsFirstBytes) {
  write_table_file(mixed(3), path("t.csv"));
  write("u.safetensors", "a,b\n1,2\n");
  EXPECT_TRUE(is_stored_table_file(path("t.csv")));
  EXPECT_FALSE(is_stored_table_file(path("u.safetensors")));
  EXPECT_FALSE(is_stored_table_file(path("none")));
  EXPECT_FALSE(is_stored_table_file(folder_));
  EXPECT_TRUE(files::starts_like_table_file(read("t.csv").substr(0, files::kTableStartBytes)));
}

TEST_F(TableFileTest, PiecesMustFit) {
  const Table names{.source = "t", .names = {"a", "b"}, .columns = {}};
  TableWriter writer(path("t"), names);
  const std::vector<std::vector<double>> ragged = {{1, 2}, {3}}, infinite = {{1}, {INFINITY}};
  EXPECT_THAT(refusal([&] { writer.append(ragged); }), HasSubstr("the same number of cells"));
  EXPECT_THAT(refusal([&] { writer.append(std::span(ragged).first(1)); }),
              HasSubstr("the same number"));
  EXPECT_THAT(refusal([&] { writer.finish(); }), HasSubstr("at least one row"));
  writer.append(infinite);
  const std::vector<std::vector<double>> good = {{1}, {2}};
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(refusal([&] { writer.append(good); }), HasSubstr("column 'b' has an infinite"));
    EXPECT_THAT(refusal([&] { writer.finish(); }), HasSubstr("column 'b' has an infinite"));
  }
  EXPECT_THAT(refusal([&] {
                TableWriter(path("u"), {.source = "u", .names = {"__metadata__"}, .columns = {}});
              }),
              HasSubstr("is reserved by safetensors"));
  EXPECT_THAT(refusal([&] { TableWriter(path("u"), {.source = "u", .names = {}, .columns = {}}); }),
              HasSubstr("no columns"));
}

// A column is hashed with the type of its first rows; later rows may change the type.
TEST_F(TableFileTest, ColumnsMayTurnOutToBeOtherThanTheyBegan) {
  const Table names{
      .source = "t", .names = {"float", "double", "late", "text"}, .columns = {}, .cells = {}};
  Table whole = names;
  whole.columns.resize(4);
  TableWriter writer(path("pieces"), names);
  for (std::size_t piece = 0; piece < 4; ++piece) {
    std::vector<std::vector<double>> rows(4);
    for (std::size_t row = 0; row < 100; ++row) {
      const double k = static_cast<double>(row);
      rows[0].push_back(row == 7 ? NAN : k);
      rows[1].push_back(0.1 * k);
      rows[2].push_back(piece == 2 ? 0.1 * k : k);
      rows[3].push_back(static_cast<double>(row % 3));
    }
    writer.append(rows);
    for (std::size_t c = 0; c < 4; ++c) {
      whole.columns[c].insert(whole.columns[c].end(), rows[c].begin(), rows[c].end());
    }
  }
  whole.labels = {{}, {}, {}, {"a", "b", "c"}};
  writer.finish(whole.labels);
  const StoredTable stored(path("pieces"));
  EXPECT_TRUE(stored.is_float(0));
  EXPECT_FALSE(stored.is_float(1));
  EXPECT_FALSE(stored.is_float(2));
  stored.check_columns();
  write_table_file(whole, path("whole"));
  EXPECT_EQ(read("pieces"), read("whole"));
}

TEST_F(TableFileTest, AFileThatIsCutOffMeanwhileIsAnError) {
  write_table_file(mixed(50'000), path("t"));
  const StoredTable stored(path("t"));
  std::filesystem::resize_file(path("t"), 10'000);
  std::vector<double> cells(50'000);
  EXPECT_THAT(refusal([&] { stored.read(1, 0, cells); }, ErrorKind::failed_run),
              HasSubstr("cannot be read to its end: the file has become shorter"));
}

// Each system call of the reader fails once: the result is an error, and no file stays open.
TEST_F(TableFileTest, WhatCannotBeReadIsAnError) {
  const Table table = mixed(40'000);
  write_table_file(table, path("t"));
  for (const files::Fault fault :
       {files::Fault::error, files::Fault::interruption, files::Fault::part}) {
    bool reached = true;
    std::size_t number = 1;
    for (; reached; ++number) {
      files::FailingCalls calls(fault, number, EIO);
      bool thrown = false;
      {
        const files::ReplacedSystemCalls replaced(calls);
        try {
          expect_same(StoredTable(path("t")).load(), table);
        } catch (const Error& error) {
          thrown = true;
          EXPECT_THAT(error.what(), HasSubstr("Input/output error"));
        }
      }
      reached = calls.has_failed();
      EXPECT_TRUE(!thrown || fault == files::Fault::error);
      EXPECT_EQ(calls.still_open(), 0);
      ASSERT_LT(number, 1000u);
    }
    EXPECT_GT(number, 10u);
  }
}

}  // namespace
}  // namespace knotwork::table
