// SPDX-License-Identifier: MIT
#include <knotwork/file_kind.hpp>

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "model_file/test_saved_models.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/stored_table.hpp>

namespace knotwork::model_file {
namespace {

class FileKinds : public ::testing::Test {
 protected:
  FileKinds() {
    std::string name = (std::filesystem::path(::testing::TempDir()) / "knotwork-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~FileKinds() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return folder_ / "f"; }
  FileKind kind_of(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
    return kind_of_file(file());
  }
  std::filesystem::path folder_;
};

TEST_F(FileKinds, OfWhatTheLibraryWritesAreKnown) {
  const Table table{.source = "t", .names = {"a", "b"}, .columns = {{1, 2}, {3, 4}}};
  write_table_file(table, file());
  EXPECT_EQ(kind_of_file(file()), FileKind::table_file);
  write_npy(StoredTable(file()), folder_ / "npy");
  EXPECT_EQ(kind_of_file(folder_ / "npy"), FileKind::npy);
  EXPECT_EQ(kind_of(to_csv(table)), FileKind::text);
  save_checkpoint({}, file());
  EXPECT_EQ(kind_of_file(file()), FileKind::checkpoint);
  save_model(tiny_model(), file());
  EXPECT_EQ(kind_of_file(file()), FileKind::model);
}

TEST_F(FileKinds, OfOtherFilesAreToldApart) {
  EXPECT_EQ(kind_of_file(file()), FileKind::nothing);
  EXPECT_EQ(kind_of_file(folder_), FileKind::nothing);
  EXPECT_EQ(kind_of(""), FileKind::nothing);
  EXPECT_EQ(kind_of(std::string("SQLite format 3\0...", 19)), FileKind::study);
  EXPECT_EQ(kind_of("\x1F\x8B\x08"), FileKind::text);
  EXPECT_EQ(kind_of(std::string("a,b\n1,\0", 7)), FileKind::other);
  EXPECT_EQ(kind_of("\x7F"
                    "ELF\x02\x01"),
            FileKind::other);
  // A length of the header that no file can have: the reader of models says what is wrong with it.
  EXPECT_EQ(kind_of(std::string(8, '\xFF') + R"({"a":1})"), FileKind::model);
  EXPECT_EQ(kind_of(R"(12345678{"a":1})"), FileKind::text);
  EXPECT_EQ(to_string(FileKind::table_file), "table file");
}

}  // namespace
}  // namespace knotwork::model_file
