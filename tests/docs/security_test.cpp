// SPDX-License-Identifier: MIT
// Tests that docs/security.md lists the current limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "activation/settings.hpp"
#include "cli/options/toml.hpp"
#include "files/packed/unpacking.hpp"
#include "files/safetensors_header.hpp"
#include "files/strict_json.hpp"
#include "search/strategies/grid.hpp"
#include "search/study/database.hpp"
#include "table/csv/header.hpp"
#include "table/csv/row_windows.hpp"
#include "table/stored/npy_header.hpp"
#include "table/text/json_lines.hpp"

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>

namespace knotwork {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string name;
  std::uint64_t value = 0;
  std::string file;  // relative to docs/
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<Row> rows_of_document() {
  const std::string text = text_of(fs::path(KNOTWORK_SOURCE_DIR) / "docs" / "security.md");
  const std::regex row(R"(\| `(k\w+)` \| (\d+) \| .* \| \[[^\]]*\]\(([^)]*)\) \|)");
  std::vector<Row> rows;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    rows.push_back({(*it)[1], std::stoull((*it)[2]), (*it)[3]});
  }
  return rows;
}

TEST(Security, TheDocumentHasEveryLimitWithItsValue) {
  const std::map<std::string, std::uint64_t> limits = {
      {"kMaxHeaderBytes", files::kMaxHeaderBytes},
      {"kMaxJsonDepth", files::kMaxJsonDepth},
      {"kMaxOrderedKeys", files::kMaxOrderedKeys},
      {"kMaxMembers", kMaxMembers},
      {"kMaxSnapshots", kMaxSnapshots},
      {"kMaxKnots", kMaxKnots},
      {"kMaxColumns", csv::kMaxColumns},
      {"kMaxRowBytes", csv::kMaxRowBytes},
      {"kMaxJsonLineBytes", csv::kMaxJsonLineBytes},
      {"kMaxCellsForValue", csv::kMaxCellsForValue},
      {"kCellsFreely", csv::kCellsFreely},
      {"kMaxNpyHeaderBytes", table::kMaxNpyHeaderBytes},
      {"kMaxCategories", kMaxCategories},
      {"kMaxLevels", kMaxLevels},
      {"kMaxUnpackedBytes", files::kMaxUnpackedBytes},
      {"kMaxUnpackedRatio", files::kMaxUnpackedRatio},
      {"kUnpackedFreely", files::kUnpackedFreely},
      {"kMaxConfigBytes", cli::kMaxConfigBytes},
      {"kMaxConfigNameParts", cli::kMaxConfigNameParts},
      {"kMaxStudyValue", searching::kMaxStudyValue},
      {"kMaxSettings", searching::kMaxSettings},
  };
  std::map<std::string, std::uint64_t> documented;
  for (const Row& row : rows_of_document()) {
    EXPECT_TRUE(documented.emplace(row.name, row.value).second)
        << row.name << " stands there twice";
    const std::string code = text_of(fs::path(KNOTWORK_SOURCE_DIR) / "docs" / row.file);
    EXPECT_THAT(code, ::testing::HasSubstr(row.name + " = ")) << row.file;
  }
  EXPECT_EQ(documented, limits);
}

// A new limit of a reader must be added to the document.
TEST(Security, EveryHeaderOfAReaderIsCovered) {
  std::string names;
  for (const Row& row : rows_of_document()) names += row.name + "\n";
  const std::regex limit(R"(inline constexpr \S+ (kMax\w+) = )");
  for (const char* folder : {"src", "cli"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(KNOTWORK_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".hpp") continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), limit), end; it != end; ++it) {
        EXPECT_THAT(names, ::testing::HasSubstr((*it)[1].str() + "\n")) << entry.path();
      }
    }
  }
}

}  // namespace
}  // namespace knotwork
