// SPDX-License-Identifier: MIT
// Base of the tests of tables in files: a folder for each test, and comparisons to the bit.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/stored_table.hpp>

namespace knotwork::table {

class StoredTableTest : public ::testing::Test {
 protected:
  StoredTableTest() {
    std::string name =
        (std::filesystem::path(::testing::TempDir()) / "knotwork-table-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~StoredTableTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  void pack(const std::string& from, const std::string& to) const {
    const std::string text = read(from);
    const gzFile file = gzopen(path(to).c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      all.push_back(entry.path().filename());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  template <class Action>
  static std::string refusal(const Action& action, ErrorKind kind = ErrorKind::bad_data) {
    try {
      action();
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_EQ(error.kind(), kind) << what;
      EXPECT_TRUE(what.ends_with('.') || what.ends_with('?')) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      return what;
    }
    return "nothing was wrong";
  }

  static void expect_same(const Table& a, const Table& b) {
    EXPECT_EQ(a.names, b.names);
    EXPECT_EQ(a.cells, b.cells);
    ASSERT_EQ(a.columns.size(), b.columns.size());
    ASSERT_EQ(a.rows(), b.rows());
    for (std::size_t c = 0; c < a.columns.size(); ++c) {
      ASSERT_EQ(a.is_text(c), b.is_text(c)) << a.names[c];
      ASSERT_EQ(a.is_date(c), b.is_date(c)) << a.names[c];
      if (a.is_text(c)) {
        EXPECT_EQ(a.labels[c], b.labels[c]);
      }
      const auto same = [](double x, double y) {
        return (x != x && y != y) ||
               std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
      };
      const std::vector<double>&x = a.columns[c], &y = b.columns[c];
      const auto other = std::mismatch(x.begin(), x.end(), y.begin(), same);
      ASSERT_TRUE(other.first == x.end()) << a.names[c] << ", row " << other.first - x.begin()
                                          << ": " << *other.first << " and " << *other.second;
    }
  }

  std::filesystem::path folder_;
};

}  // namespace knotwork::table
