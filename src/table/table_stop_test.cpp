// SPDX-License-Identifier: MIT
// Tests that a Monitor ends the reading, converting and writing of tables, and otherwise changes
// nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "files/file_io.hpp"
#include "parallel/test_monitors.hpp"
#include "table/stored/test_stored_tables.hpp"

namespace knotwork::table {
namespace {

using parallel::expect_stops;
using MonitorPointer = std::shared_ptr<parallel::StoppingMonitor>;

class TableStop : public StoredTableTest {
 protected:
  TableStop() {
    std::string text = "x,y,colour\n";
    for (int row = 0; row < 30'000; ++row) {
      text += fmt::format("{},{},t{}\n", row / 8.0, std::sin(row), row * 7919 % 20'000);
    }
    write("t.csv", text);
    text_ = std::move(text);
    convert_csv(path("t.csv"), path("t.safetensors"));
    write("old", "old");
  }
  void expect_old() const {
    EXPECT_EQ(files::read_file(path("old")), (std::vector<std::uint8_t>{'o', 'l', 'd'}));
    EXPECT_EQ(names().size(), 3u);
  }

  // Checks that `work(out, monitor)` writes the same with and without a Monitor, and nothing if it
  // is stopped.
  template <class Work>
  void expect_written_or_not(const Work& work) {
    work(path("plain"), nullptr);
    parallel::StoppingMonitor patient(0);
    work(path("watched"), &patient);
    EXPECT_EQ(files::read_file(path("watched")), files::read_file(path("plain")));
    std::filesystem::remove(path("plain"));
    std::filesystem::remove(path("watched"));
    for (std::size_t question = 1; question <= patient.asked() / 2; question += question) {
      parallel::StoppingMonitor monitor(question);
      try {
        work(path("old"), &monitor);
        ADD_FAILURE() << "A stop at question " << question << " was not heard.";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::stopped) << error.what();
      }
      expect_old();
    }
    EXPECT_GE(patient.asked(), 5u);
  }

  std::string text_;
};

TEST_F(TableStop, CsvIsReadWithAMonitorAsWithoutOne) {
  parallel::StoppingMonitor monitor(0);
  expect_same(read_csv(path("t.csv"), {}, &monitor), read_csv(path("t.csv")));
  ASSERT_FALSE(monitor.seen().empty());
  EXPECT_EQ(monitor.seen().front().phase, Phase::reading);
}

TEST_F(TableStop, ReadingCsvIsStopped) {
  expect_stops(10, [&](const MonitorPointer& m) { read_csv(path("t.csv"), {}, m.get()); });
  expect_stops(5, [&](const MonitorPointer& m) { parse_csv(text_, "t.csv", {}, m.get()); });
  expect_stops(5, [&](const MonitorPointer& m) { read_csv_text(path("t.csv"), m.get()); });
  expect_stops(1, [&](const MonitorPointer& m) { unpack_csv_text(text_, "t.csv", m.get()); });
}

TEST_F(TableStop, ReadingTableFilesIsStopped) {
  const StoredTable stored(path("t.safetensors"));
  expect_stops(5, [&](const MonitorPointer& m) { stored.load({}, m.get()); });
  expect_stops(5, [&](const MonitorPointer& m) { stored.check_columns(m.get()); });
  expect_stops(1, [&](const MonitorPointer& m) { stored.check_column(0, m.get()); });
  write_npy(StoredTable(path("t.safetensors")), path("t.npy"), {.only = {{"x", "y"}}});
  const StoredTable array(path("t.npy"));
  expect_stops(2, [&](const MonitorPointer& m) { array.load({}, m.get()); });
  const std::size_t columns[] = {0, 1};
  expect_stops(2, [&](const MonitorPointer& m) { array.cells_sha256(columns, m.get()); });
  parallel::StoppingMonitor monitor(0);
  expect_same(stored.load({}, &monitor), stored.load());
}

TEST_F(TableStop, ConvertingWritesAllOrNothing) {
  expect_written_or_not([&](const std::filesystem::path& out, Monitor* monitor) {
    convert_csv(path("t.csv"), out, {}, monitor);
  });
  expect_written_or_not([&](const std::filesystem::path& out, Monitor* monitor) {
    write_table_file(StoredTable(path("t.safetensors")), out, {}, monitor);
  });
  expect_written_or_not([&](const std::filesystem::path& out, Monitor* monitor) {
    write_csv(StoredTable(path("t.safetensors")), out, {}, monitor);
  });
  expect_written_or_not([&](const std::filesystem::path& out, Monitor* monitor) {
    write_npy(StoredTable(path("t.safetensors")), out, {.only = {{"x", "y"}}}, monitor);
  });
  const Table table = read_csv(path("t.csv"));
  expect_written_or_not([&](const std::filesystem::path& out, Monitor* monitor) {
    write_table_file(table, out, monitor);
  });
}

TEST_F(TableStop, ATextSourceIsStopped) {
  expect_stops(2, [&](const MonitorPointer& m) { CsvSource(path("t.csv"), m.get()); });
  CsvSource source(path("t.csv"));
  expect_stops(2, [&](const MonitorPointer& m) { source.names({}, m.get()); });
  EXPECT_EQ(source.names().size(), 3u);
}

}  // namespace
}  // namespace knotwork::table
