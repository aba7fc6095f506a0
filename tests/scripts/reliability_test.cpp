// SPDX-License-Identifier: MIT
// Tests that the numbers in docs/reliability.md come from the last runs, or are marked as not
// measured. The scripts run on a small project made for the test.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_program.hpp"

namespace knotwork::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ReliabilityScripts : public ::testing::Test {
 protected:
  ReliabilityScripts() {
    for (const char* folder :
         {"scripts", "src/a", "build/release/tests", "build/fuzz", "build/coverage"}) {
      fs::create_directories(folder_.path() / folder);
    }
    for (const char* script : {"scripts/measure-reliability", "scripts/coverage.py"}) {
      fs::copy(fs::path(KNOTWORK_SOURCE_DIR) / script, folder_.path() / script);
    }
    folder_.write("scripts/fuzz", "all=(csv gzip study)\n");
    folder_.write("src/a/CMakeLists.txt", "knotwork_tests(a x_test.cpp)\n");
    folder_.write("src/a/x_test.cpp",
                  "TEST(X, A) { RecordProperty(\"knotwork_count_file_faults\", 1); }\n");
  }
  void SetUp() override {
    if (run_in_folder("/usr/bin/env", {"python3", "--version"}).code != 0) {
      GTEST_SKIP() << "there is no Python here";
    }
  }

  Outcome run_in_folder(const std::string& program, std::vector<std::string> words) const {
    Launch launch;
    launch.program = program;
    launch.arguments = std::move(words);
    launch.folder = folder_.path();
    return run(launch);
  }
  std::string measured(const std::string& part) const {
    const Outcome outcome =
        run_in_folder((folder_.path() / "scripts/measure-reliability").string(), {part});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  // A test program that reports these cases.
  void write_program(const std::string& cases) const {
    folder_.write(
        "build/release/tests/a_test",
        "#!/bin/sh\nfor word; do case $word in --gtest_output=json:*) cat >\"${word#*json:}\" "
        "<<'END'\n{\"testsuites\": [{\"testsuite\": [" +
            cases + "]}]}\nEND\nesac; done\n");
    fs::permissions(folder_.path() / "build/release/tests/a_test", fs::perms::owner_all);
  }

  Folder folder_;
};

std::string row_of_faults(const std::string& number) {
  return fmt::format("| calls of the system let fail while a file is read or replaced | {} |\n",
                     number);
}

TEST_F(ReliabilityScripts, CountsAreAddedUp) {
  write_program(
      R"({"knotwork_count_file_faults": "3"}, {"knotwork_count_file_faults": "4"}, {"name": "y"},
         {"knotwork_count_other_things": "5", "knotwork_figure_value_difference_float": "1e-8"})");
  EXPECT_THAT(
      measured("counts"),
      AllOf(
          HasSubstr(row_of_faults("7")), HasSubstr("| other things | 5 |\n"),
          HasSubstr(" | 1e-8 |\n"),
          HasSubstr("bits flipped, pieces cut off, pages or journals put in | not measured |\n")));
}

TEST_F(ReliabilityScripts, ACountOfATestThatFailsIsNone) {
  write_program(
      R"({"knotwork_count_file_faults": "3"}, {"knotwork_count_file_faults": "4", "failures": [{}]})");
  EXPECT_THAT(measured("counts"), HasSubstr(row_of_faults("a test fails")));
}

TEST_F(ReliabilityScripts, WhatIsNotBuiltOrEndsEarlyIsNotMeasured) {
  const std::string row = row_of_faults("not measured");
  EXPECT_THAT(measured("counts"), HasSubstr(row));
  folder_.write("build/release/tests/a_test", "#!/bin/sh\nexit 1\n");
  fs::permissions(folder_.path() / "build/release/tests/a_test", fs::perms::owner_all);
  EXPECT_THAT(measured("counts"), HasSubstr(row));
}

TEST_F(ReliabilityScripts, FuzzingIsWhatTheLogsSay) {
  folder_.write("build/fuzz/csv.log", "#1\nDone 1234 runs in 61 second(s)\n");
  folder_.write("build/fuzz/gzip.log",
                "ERROR\nTest unit written to f/crash-1\nstat::number_of_executed_units: 77\n");
  EXPECT_THAT(measured("fuzzing"),
              AllOf(HasSubstr("| csv | 1234 | 61 | none | 2"), HasSubstr("| gzip | 77 | | one | 2"),
                    HasSubstr("| study | not measured | | | |\n")));
}

TEST_F(ReliabilityScripts, CoverageIsAddedUpByFolder) {
  EXPECT_THAT(measured("coverage"), HasSubstr("not measured"));
  folder_.write("lines.json", R"({"files": [
    {"file": "src/a/x.cpp", "lines": [{"line_number": 3, "count": 0}, {"line_number": 4, "count": 0},
      {"line_number": 4, "count": 2}, {"line_number": 5, "count": 0}, {"line_number": 6, "count": 0}]},
    {"file": "src/b/c/y.cpp", "lines": [{"line_number": 1, "count": 9}]}]})");
  const Outcome outcome = run_in_folder(
      "/usr/bin/env", {"python3", "scripts/coverage.py", "lines.json", "build/coverage"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string& table : {outcome.out, measured("coverage")}) {
    EXPECT_THAT(table,
                AllOf(HasSubstr("| a | 4 | 1 | 25.0 % |\n"), HasSubstr("| b | 1 | 1 | 100.0 % |\n"),
                      HasSubstr("| **all** | 5 | 2 | 40.0 % |\n"), Not(HasSubstr("not measured"))));
  }
  EXPECT_EQ(folder_.read("build/coverage/uncovered.txt"), "src/a/x.cpp: 3 5-6\n");
}

TEST_F(ReliabilityScripts, ExplainThemselves) {
  for (const std::string name : {"measure-reliability", "coverage", "setup"}) {
    const Outcome help =
        run_in_folder(std::string(KNOTWORK_SOURCE_DIR) + "/scripts/" + name, {"--help"});
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_THAT(help.out, HasSubstr("scripts/" + name));
  }
}

}  // namespace
}  // namespace knotwork::testing
