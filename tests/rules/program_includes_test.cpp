// SPDX-License-Identifier: MIT
// Tests that the program uses the public headers, like any other program: the headers of src/ that
// it includes are listed here with the reason, and the list may only shrink. Only one of its files
// includes CLI11.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "source_text.hpp"

namespace knotwork::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The only list of private headers that cli/ or experiments/ may include, with the reason.
const std::map<std::string, std::string>& private_headers() {
  static const std::map<std::string, std::string> list = {
      {"base/name_list.hpp", "a helper of three lines"},
      {"base/fail.hpp", "errors with formatted sentences"},
      {"base/quoting.hpp", "messages quote texts like the library"},
      {"base/sha256.hpp", "tables and checkpoints are identified by their hash"},
      {"figures/drawing/label_text.hpp", "tables in a terminal count characters, not bytes"},
      {"files/file_io.hpp", "files that the program writes are complete or unchanged"},
      {"files/watched_calls.hpp", "a signal ends the wait for a pipe that the program itself uses"},
      {"files/strict_json.hpp", "a study may be an untrusted file"},
      {"parallel/message.hpp", "the ranks compare their command lines"},
      {"parallel/processor_time.hpp", "experiments report what a training costs"},
      {"parallel/thread_pool.hpp", "experiments train several networks in parallel"},
      {"report/wording.hpp", "numbers and reasons have the same words as in reports"},
      {"options/check_options.hpp", "whether an option needs adam"},
      {"options/option_text.hpp", "the program reads its own options like training options"},
  };
  return list;
}

// The files of src/ that the program's files include.
std::set<std::string> included_of_src(const std::vector<SourceFile>& files) {
  std::set<std::string> of_src, included;
  for (const SourceFile& file : files) {
    if (file.is_in("src")) of_src.insert(file.path.substr(4));
  }
  for (const SourceFile& file : files) {
    const bool counts = file.is_in("cli") || file.is_in("experiments");
    if (!counts || !file.is_cpp() || file.is_test() || file.name().starts_with("test_")) continue;
    for (const std::string& include : includes_of(file.text)) {
      if (of_src.contains(include)) included.insert(include);
    }
  }
  return included;
}

TEST(Rules, TheProgramIncludesPrivateHeadersForAReasonOnly) {
  std::set<std::string> allowed;
  for (const auto& [header, reason] : private_headers()) {
    EXPECT_FALSE(reason.empty()) << header;
    allowed.insert(header);
  }
  EXPECT_EQ(included_of_src(read_project(KNOTWORK_SOURCE_DIR)), allowed);
}

TEST(Rules, PrivateHeadersOfTheProgramAreFound) {
  const SourceFile header{"src/table/reader.hpp", "#pragma once\n"};
  const std::string text =
      "#include \"table/reader.hpp\"\n#include \"cli/a.hpp\"\n"
      "#include <knotwork/table.hpp>\n#include <fmt/format.h>\n";
  EXPECT_THAT(included_of_src({header, {"cli/a.cpp", text}}), ElementsAre("table/reader.hpp"));
  EXPECT_THAT(included_of_src({header, {"experiments/a.cpp", text}}),
              ElementsAre("table/reader.hpp"));
  EXPECT_THAT(included_of_src({header, {"cli/a_test.cpp", text}}), IsEmpty());
  EXPECT_THAT(included_of_src({header, {"src/model/a.cpp", text}}), IsEmpty());
}

// CLI11 takes seconds to compile wherever it is included, so one file hides it from the others.
const std::set<std::string> kReadersOfCommandLines = {"cli/options/parser.cpp"};

// The files of the program that include CLI11.
std::set<std::string> files_with_cli11(const std::vector<SourceFile>& files) {
  std::set<std::string> found;
  for (const SourceFile& file : files) {
    if (!file.is_in("cli") || !file.is_cpp()) continue;
    for (const std::string& include : includes_of(file.text)) {
      if (include.starts_with("CLI/")) found.insert(file.path);
    }
  }
  return found;
}

TEST(Rules, OneFileOfTheProgramIncludesCli11) {
  EXPECT_EQ(files_with_cli11(read_project(KNOTWORK_SOURCE_DIR)), kReadersOfCommandLines);
}

TEST(Rules, FilesWithCli11AreFound) {
  EXPECT_THAT(files_with_cli11({{"cli/a.hpp", "#include <CLI/CLI.hpp>\n"},
                                {"cli/b_test.cpp", "#include <CLI/App.hpp>\n"},
                                {"cli/c.cpp", "#include \"cli/options/parser.hpp\"\n"},
                                {"cli/d.cpp", "// #include <CLI/CLI.hpp>\n"}}),
              ElementsAre("cli/a.hpp", "cli/b_test.cpp"));
}

}  // namespace
}  // namespace knotwork::rules
