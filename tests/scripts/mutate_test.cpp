// SPDX-License-Identifier: MIT
// Tests scripts/mutate on a small project made for the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "run_program.hpp"

namespace knotwork::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The test of this source does not notice every change.
constexpr const char* kSource = R"(#include "a/x.hpp"

// A comment: 1 < 2.
bool is_small(int n) {
  return n < 3;
}
int untested(int n) {
  return n + 1;
}
int same_code(int n) {
  const char* text = "5 < 6";
  return text[0] == '5' && n > 0 ? n * 1 : 0;
}
int not_compiled() {
  int sized[1] = {4};
  return sized[0];
}
)";

class Mutate : public ::testing::Test {
 protected:
  Mutate() {
    for (const char* folder : {"scripts", "src/a"}) {
      fs::create_directories(folder_.path() / folder);
    }
    for (const char* script : {"scripts/mutate", "scripts/mutants.py"}) {
      fs::copy(fs::path(KNOTWORK_SOURCE_DIR) / script, folder_.path() / script);
    }
    folder_.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
include_directories(src)
add_library(small STATIC src/a/x.cpp)
add_executable(a_test src/a/x_test.cpp)
target_link_libraries(a_test small)
set_target_properties(a_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
)");
    folder_.write("src/a/x.hpp", "bool is_small(int n);\n");
    folder_.write("src/a/x.cpp", kSource);
    write_test("is_small(2) && !is_small(3)");
  }
  void SetUp() override {
    for (const char* needed : {"python3", "cmake", "ninja"}) {
      if (mutate({needed, "--version"}).code != 0) GTEST_SKIP() << "there is no " << needed;
    }
  }
  void write_test(const std::string& condition) const {
    folder_.write("src/a/x_test.cpp",
                  "#include \"a/x.hpp\"\nint main() { return " + condition + " ? 0 : 1; }\n");
  }
  Outcome mutate(std::vector<std::string> words) const {
    Launch launch;
    launch.program = "/usr/bin/env";
    launch.arguments = std::move(words);
    launch.folder = folder_.path();
    return run(launch);
  }

  Folder folder_;
};

TEST_F(Mutate, SaysWhatNoTestNoticed) {
  const Outcome outcome = mutate({"scripts/mutate", "src/a"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // n < 3: two operators, another number, the negation. The rest is not tested.
  EXPECT_THAT(outcome.out, HasSubstr("4 of "));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("not compiled: src/a/x.cpp:15: constant"),
                                 HasSubstr("same code: src/a/x.cpp:12: arithmetic"),
                                 HasSubstr("noticed: src/a/x.cpp:5: relational")));
  const std::string survivors = folder_.read("build/mutate/survivors.txt");
  EXPECT_THAT(survivors, AllOf(HasSubstr("src/a/x.cpp:8: arithmetic\n  - return n + 1;\n"
                                         "  + return n - 1;\n"),
                               Not(HasSubstr("x.cpp:5")), Not(HasSubstr("x.cpp:3"))));
  EXPECT_EQ(folder_.read("src/a/x.cpp"), kSource);
}

TEST_F(Mutate, TriesOnlyWhatIsAsked) {
  const auto listed = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"scripts/mutate", "src/a", "--list"});
    return mutate(words).out;
  };
  const std::string two = listed({"--sample", "2", "--seed", "3"});
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 6);
  EXPECT_EQ(listed({"--sample", "2", "--seed", "3"}), two);
  EXPECT_NE(listed({"--sample", "2", "--seed", "4"}), two);
  const std::string one_line = listed({"--at", "src/a/x.cpp:5"});
  EXPECT_EQ(std::count(one_line.begin(), one_line.end(), '\n'), 4 * 3);
  EXPECT_THAT(listed({}), Not(HasSubstr("x.cpp:3:")));
}

TEST_F(Mutate, MistakesAreNamed) {
  EXPECT_THAT(mutate({"scripts/mutate", "src/none"}).err, HasSubstr("no source in 'src/none'"));
  EXPECT_THAT(mutate({"scripts/mutate", "src/a", "--at", "src/a/x.cpp:1"}).err,
              HasSubstr("nothing to change at src/a/x.cpp:1"));
  write_test("is_small(7)");
  const Outcome outcome = mutate({"scripts/mutate", "src/a", "--at", "src/a/x.cpp:5"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("a_test fails without any change"));
  EXPECT_EQ(mutate({"scripts/mutate", "--help"}).code, 0);
}

}  // namespace
}  // namespace knotwork::testing
