// SPDX-License-Identifier: MIT
// Tests that every value of a public enumeration has a word in the table beside the enumeration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "source_text.hpp"

namespace knotwork::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// `table` is where the tables may be besides the file itself.
std::vector<std::string> values_without_words(const SourceFile& file, const std::string& table) {
  std::vector<std::string> offences;
  const std::string code = code_only(file.text);
  const std::regex enumeration(R"(enum class (\w+)[^{;]*\{([^}]*)\})"), value(R"(\w+)");
  for (std::sregex_iterator e(code.begin(), code.end(), enumeration), end; e != end; ++e) {
    const std::string name = (*e)[1], body = (*e)[2];
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t comma = std::min(body.find(',', at), body.size());
      const std::string entry = body.substr(at, comma - at);
      at = comma + 1;
      std::smatch found;
      // Deprecated names of other values need no word.
      if (entry.find("deprecated") != std::string::npos) continue;
      if (!std::regex_search(entry, found, value)) continue;
      const std::string row = "{" + name + "::" + found.str() + ",";
      if ((code + table).find(row) == std::string::npos) {
        offences.push_back(name + "::" + found.str());
      }
    }
  }
  return offences;
}

TEST(EnumWords, EveryPublicValueHasOne) {
  const std::vector<SourceFile> files = read_project(KNOTWORK_SOURCE_DIR);
  std::string table;
  for (const SourceFile& file : files) {
    if (file.path == "include/knotwork/names.hpp") table = file.text;
  }
  ASSERT_FALSE(table.empty());
  for (const SourceFile& file : files) {
    if (file.is_in("include/knotwork") && file.name() != "names.hpp") {
      EXPECT_THAT(values_without_words(file, table), IsEmpty()) << file.path;
    }
  }
}

TEST(EnumWords, AForgottenOneIsFound) {
  EXPECT_THAT(values_without_words({"include/knotwork/x.hpp",
                                    "enum class Tails { linear, constant,\n"
                                    "  flat [[deprecated]] = constant };\n"
                                    "... all[] = {{Tails::linear, \"linear\"}};"},
                                   ""),
              ElementsAre("Tails::constant"));
}

}  // namespace
}  // namespace knotwork::rules
