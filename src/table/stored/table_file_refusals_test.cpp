// SPDX-License-Identifier: MIT
// Tests of table files that are truncated, damaged, contradictory, of a newer format, or something
// else.
#include <cmath>
#include <nlohmann/json.hpp>

#include "files/safetensors_header.hpp"
#include "table/stored/table_file_record.hpp"
#include "table/stored/test_stored_tables.hpp"

#include <knotwork/random.hpp>

namespace knotwork::table {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

class TableFileRefusals : public StoredTableTest {
 protected:
  TableFileRefusals() {
    Table table{.source = "t",
                .names = {"a", "b", "colour"},
                .columns = {{0.1, 0.2, NAN, 4}, {1, 2, 3, 4}, {1, 0, NAN, 1}},
                .labels = {{}, {}, {"blue", "red"}}};
    write_table_file(table, path("t"));
    bytes_ = read("t");
    const auto header = files::read_safetensors_header(span(), bytes_.size(), "t", kRole);
    record_ = Json::parse(header.record);
    places_ = header.tensors;
    data_ = bytes_.substr(header.data_begin);
  }

  std::string opened(const std::string& bytes) {
    write("u", bytes);
    const std::string what = refusal([&] { StoredTable(path("u")).check_columns(); });
    if (what != "nothing was wrong") {
      EXPECT_THAT(what, StartsWith(path("u").string()));
    }
    return what;
  }
  // The file with the present record and places.
  std::string made() const {
    const auto header = files::write_safetensors_header(places_, record_.dump(), 64);
    return std::string(header.begin(), header.end()) + data_;
  }
  std::string with(const std::string& pointer, const Json& value) {
    const Json before = record_;
    record_[Json::json_pointer(pointer)] = value;
    const std::string what = opened(made());
    record_ = before;
    return what;
  }
  std::string without(const std::string& key) {
    const Json before = record_;
    record_.erase(key);
    const std::string what = opened(made());
    record_ = before;
    return what;
  }
  std::span<const std::uint8_t> span() const {
    return {reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()};
  }

  static constexpr files::FileRole kRole{ErrorKind::bad_data, "table file"};
  std::string bytes_, data_;
  Json record_;
  std::vector<files::TensorPlace> places_;
};

TEST_F(TableFileRefusals, TheFileItselfIsTaken) {
  EXPECT_EQ(opened(bytes_), "nothing was wrong");
  EXPECT_EQ(opened(made()), "nothing was wrong");
}

TEST_F(TableFileRefusals, WhatIsCutOffAnywhereIsRefused) {
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    EXPECT_THAT(opened(bytes_.substr(0, size)), HasSubstr("is not a complete table file")) << size;
  }
  EXPECT_THAT(opened(bytes_ + '\0'), HasSubstr("bytes that belong to no tensor"));
}

// Every byte is checked, except for the source and the blanks after the header.
TEST_F(TableFileRefusals, ChangedBytesAreFound) {
  const Random random(9, Purpose::builtin_inputs);
  const std::size_t data_begin = bytes_.size() - data_.size();
  for (std::size_t at = data_begin; at < bytes_.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string changed = bytes_;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      EXPECT_THAT(opened(changed), AnyOf(HasSubstr("damaged"), HasSubstr("infinite"))) << at;
    }
  }
  for (std::uint64_t k = 0; k < 3000; ++k) {
    std::string changed = bytes_;
    const auto at =
        static_cast<std::size_t>(random.uniform(2 * k) * static_cast<double>(data_begin));
    changed[at] = static_cast<char>(random.uniform(2 * k + 1) * 256);
    write("u", changed);
    refusal([&] { StoredTable(path("u")).load().check(); });  // refused with a sentence, or read
  }
}

// The kind of error that stored_table.hpp states for a damaged column.
TEST_F(TableFileRefusals, ADamagedColumnIsBadData) {
  std::string changed = bytes_;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  write("u", changed);
  const StoredTable stored(path("u"));
  std::size_t damaged = 0;
  for (std::size_t c = 0; c < stored.columns(); ++c) {
    try {
      stored.check_column(c);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_data) << error.what();
      ++damaged;
    }
  }
  EXPECT_EQ(damaged, 1u);
}

TEST_F(TableFileRefusals, OnesFromTheFutureAreCalledThat) {
  EXPECT_THAT(with("/format", 3),
              HasSubstr("has format 3, but this version of Knotwork reads formats up to 2;"));
  EXPECT_THAT(with("/format", 0), HasSubstr("no format"));
  EXPECT_THAT(with("/format", "1"), HasSubstr("no format"));
}

TEST_F(TableFileRefusals, ModelsAndFilesOfOthersAreCalledThat) {
  record_ = {{"format", 1}, {"task", "regression"}};
  EXPECT_THAT(opened(made()), HasSubstr("is a model file, not a table"));
  record_ = {{"format", 1}};
  EXPECT_THAT(opened(made()), HasSubstr("its record does not describe a table"));
  const std::string header = R"({"__metadata__":{"format":"pt"}})";
  std::string foreign(8, '\0');
  foreign[0] = static_cast<char>(header.size());
  EXPECT_THAT(opened(foreign + header), HasSubstr("not one of Knotwork's"));
}

TEST_F(TableFileRefusals, RecordsThatAreNotCompleteAreRefused) {
  for (const char* key : {"rows", "source", "cells", "columns"}) {
    EXPECT_THAT(without(key), HasSubstr("its record is not complete")) << key;
  }
  EXPECT_THAT(with("/rows", -4), HasSubstr("does not have"));
  EXPECT_THAT(with("/rows", "4"), HasSubstr("not complete"));
  EXPECT_THAT(with("/rows", 0), HasSubstr("no rows or columns"));
  EXPECT_THAT(with("/rows", 5), HasSubstr("column 'a' does not have 5 rows"));
  EXPECT_THAT(with("/columns", Json::array()), HasSubstr("no rows or columns"));
  EXPECT_THAT(with("/columns", 3), HasSubstr("not complete"));
  EXPECT_THAT(with("/cells", Json::object()), HasSubstr("not complete"));
  EXPECT_THAT(with("/columns/0/name", 3), HasSubstr("not complete"));
}

TEST_F(TableFileRefusals, RecordsThatContradictTheTensorsAreRefused) {
  EXPECT_THAT(with("/columns/0/name", "z"), HasSubstr("column 'z' has no tensor"));
  EXPECT_THAT(with("/columns/0/name", "b"),
              HasSubstr("column 'b' has no tensor, or appears twice"));
  EXPECT_THAT(with("/columns/0/type", "colour"), HasSubstr("neither text nor numbers"));
  EXPECT_THAT(with("/columns/2/type", "number"), HasSubstr("neither text nor numbers"));
  EXPECT_THAT(with("/columns/0/type", "text"), HasSubstr("not complete"));
  EXPECT_THAT(with("/columns/2/categories", {"red", "blue"}), HasSubstr("not sorted"));
  EXPECT_THAT(with("/columns/2/categories", {"red", "red"}), HasSubstr("not sorted"));
  EXPECT_THAT(with("/columns/2/categories", Json::array()), HasSubstr("not sorted"));
  EXPECT_THAT(with("/columns/2/categories", {"red"}), HasSubstr("damaged: the code of the cell"));
  for (const Json& formats :
       {Json(3), Json{3}, Json{{{"column", 3}}}, Json{{{"date", "dmy"}}},
        Json{{{"column", "a"}, {"date", "myd"}}}, Json{{{"column", "a"}, {"group", "x"}}},
        Json{{{"column", "a"}, {"group", "."}}}, Json{{{"column", "a"}, {"decimal_comma", 1}}},
        Json{{{"column", "a"}, {"group", ","}, {"decimal_comma", true}}},
        Json{{{"column", "a"}, {"date", "dmy"}, {"prefix", "$"}}},
        Json{{{"column", "a"}}, {{"column", "a"}}}}) {
    EXPECT_THAT(with("/cells/columns", formats),
                HasSubstr("the formats of its columns cannot be used"))
        << formats;
  }
  EXPECT_THAT(with("/columns/0/sha256", "12"), HasSubstr("no sha256"));
  EXPECT_THAT(with("/columns/0/sha256", std::string(64, 'a')),
              HasSubstr("column 'a' does not match its sha256"));
  record_["columns"].erase(0);
  EXPECT_THAT(opened(made()), HasSubstr("its record does not mention tensor 'a'"));
}

TEST_F(TableFileRefusals, TensorsThatNoColumnHasAreRefused) {
  const auto place = [&](const std::string& name) -> files::TensorPlace& {
    return *std::find_if(places_.begin(), places_.end(),
                         [&](const files::TensorPlace& tensor) { return tensor.name == name; });
  };
  place("a").shape = {2, 2};
  EXPECT_THAT(opened(made()), HasSubstr("does not have 4 rows"));
  place("a").shape = {4};
  place("b").type = "U32";
  EXPECT_THAT(opened(made()), HasSubstr("another type than its record says"));
}

TEST_F(TableFileRefusals, InfiniteNumbersAreNamed) {
  const double infinite = INFINITY;
  std::memcpy(data_.data() + 8, &infinite, 8);
  EXPECT_THAT(opened(made()), HasSubstr(", row 1, column 1 ('a'): the number is infinite"));
}

TEST_F(TableFileRefusals, WhatIsNoFileIsNotOpened) {
  EXPECT_THAT(refusal([&] { StoredTable(path("none")); }, ErrorKind::bad_file),
              HasSubstr("cannot be opened"));
  EXPECT_THAT(refusal([&] { StoredTable{folder_}; }, ErrorKind::bad_file),
              HasSubstr("is not a file that can be read at any place"));
  EXPECT_THAT(refusal([&] { StoredTable("/dev/zero"); }, ErrorKind::bad_file),
              HasSubstr("is not a file"));
}

}  // namespace
}  // namespace knotwork::table
