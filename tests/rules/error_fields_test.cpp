// SPDX-License-Identifier: MIT
// Tests that errors are fields and not only sentences. The library does not know how a program
// spells its options: a Hint names the option that would correct an error, and the program that
// shows the error words it. No code searches a sentence for words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "source_text.hpp"

namespace knotwork::rules {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> option_flags(const SourceFile& file) {
  static const std::regex flag("--[a-z]{2,}");
  std::vector<std::string> offences;
  if (!file.is_cpp() || file.is_test() || !file.is_in("src")) return offences;
  for (const Literal& literal : string_literals(file.text)) {
    if (!std::regex_search(literal.text, flag)) continue;
    offences.push_back(file.path + ":" + std::to_string(literal.line) +
                       " spells an option as a command line does; hand over a Hint instead");
  }
  return offences;
}

TEST(OptionFlags, AreInNoTextOfTheLibrary) {
  for (const SourceFile& file : read_project(KNOTWORK_SOURCE_DIR)) {
    EXPECT_THAT(option_flags(file), IsEmpty());
  }
  for (const char* code : {"fail(kind, \"use --optimizer adam.\");", "f(\"--drop\", name);",
                           "const char* text =\n    \"knotwork train --resume\";"}) {
    EXPECT_THAT(option_flags({"src/training/a.cpp", code}), SizeIs(1)) << code;
    EXPECT_THAT(option_flags({"cli/a.cpp", code}), IsEmpty()) << code;
  }
  for (const char* code : {"// --optimizer adam", "f(\"k >= 0; --k) {\");", "--count;"}) {
    EXPECT_THAT(option_flags({"src/training/a.cpp", code}), IsEmpty()) << code;
  }
}

std::vector<std::string> searches_of_sentences(const SourceFile& file) {
  static const std::regex search(
      R"((what|sentence|message|description)\(\)\)?\.(find|contains|starts_with|ends_with|rfind)\()"
      R"(|(regex_search|strstr)\([^;]*(what|sentence|message|description)\(\))");
  std::vector<std::string> offences;
  if (!file.is_cpp() || file.is_test() || !(file.is_in("src") || file.is_in("cli")))
    return offences;
  if (std::regex_search(file.text, search)) {
    offences.push_back(file.path + " searches a sentence for words; ask an error for its fields");
  }
  return offences;
}

TEST(Sentences, AreNotSearchedForWords) {
  for (const SourceFile& file : read_project(KNOTWORK_SOURCE_DIR)) {
    EXPECT_THAT(searches_of_sentences(file), IsEmpty());
  }
  for (const char* code :
       {"std::string(error.what()).find(\"line\")",
        "if (std::string_view(error.what()).contains(name)) {}",
        "error.sentence().starts_with(\"The\")", "std::regex_search(error.what(), words)"}) {
    EXPECT_THAT(searches_of_sentences({"cli/a.cpp", code}), SizeIs(1)) << code;
    EXPECT_THAT(searches_of_sentences({"cli/a_test.cpp", code}), IsEmpty()) << code;
  }
  EXPECT_THAT(searches_of_sentences({"cli/a.cpp", "fail(kind, \"{}\", error.what());"}), IsEmpty());
}

}  // namespace
}  // namespace knotwork::rules
