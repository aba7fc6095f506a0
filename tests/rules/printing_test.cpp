// SPDX-License-Identifier: MIT
// Tests that the program prints through cli/output/printing.hpp only. Its functions take lines and
// make control characters visible, so no message can forget this. The files that print something
// else are listed here with the reason, and the list may only shrink.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source_text.hpp"

namespace knotwork::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kPrinting = "cli/output/printing.cpp";

bool is_of_program(const SourceFile& file) {
  return file.is_cpp() && !file.is_test() && (file.is_in("cli") || file.is_in("experiments"));
}

// The lines of the program that write to a standard stream, as "file:line".
std::vector<std::string> printed_elsewhere(const std::vector<SourceFile>& files) {
  static const std::vector<std::string> words = {"cout",   "cerr",   "clog",
                                                 "stdout", "stderr", "iostream"};
  static const std::vector<std::string> calls = {
      "print",   "println", "printf", "fprintf", "vprintf", "dprintf", "puts",  "fputs",
      "putchar", "putc",    "fputc",  "fwrite",  "perror",  "writev",  "pwrite"};
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!is_of_program(file) || file.path.starts_with("cli/output/printing.")) continue;
    const std::vector<std::string> lines = lines_of(code_only(file.text));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      const bool prints =
          line.find("::write(") != line.npos ||
          line.find("system_calls().write(") != line.npos ||
          std::any_of(words.begin(), words.end(),
                      [&](const auto& word) { return find_word(line, word) != line.npos; }) ||
          std::any_of(calls.begin(), calls.end(), [&](const auto& call) {
            return has_call(line, call) && (call != "print" || line.find("fmt::") != line.npos);
          });
      if (prints) found.push_back(file.path + ":" + std::to_string(i + 1));
    }
  }
  return found;
}

// What the functions that do not take lines may be used for.
const std::map<std::string, std::string>& printers_of_data() {
  static const std::map<std::string, std::string> list = {
      {"cli/commands/datasets_command.cpp", "a table as CSV"},
      {"cli/commands/export_command.cpp", "a C header, or an ONNX file"},
      {"cli/commands/predict_command.cpp", "predictions as CSV"},
      {"cli/commands/train/train_command.cpp", "a model"},
      {"cli/program/completion/completion_command.cpp", "a script"},
  };
  return list;
}
const std::map<std::string, std::string>& composers_of_text() {
  static const std::map<std::string, std::string> list = {
      {"cli/commands/compare/compare_command.cpp", "a page in Markdown, whose cells are clean"},
      {"cli/commands/reproduce_command.cpp", "tables of the paper's experiments"},
      {"cli/program/help_command.cpp", "the program's help"},
      {"cli/program/program.cpp", "the program's help and version"},
  };
  return list;
}

std::set<std::string> callers_of(const std::string& function,
                                 const std::vector<SourceFile>& files) {
  std::set<std::string> found;
  for (const SourceFile& file : files) {
    if (is_of_program(file) && !file.path.starts_with("cli/output/printing.") &&
        has_call(code_only(file.text), function)) {
      found.insert(file.path);
    }
  }
  return found;
}

std::set<std::string> keys_of(const std::map<std::string, std::string>& reasons) {
  std::set<std::string> keys;
  for (const auto& [file, reason] : reasons) {
    EXPECT_FALSE(reason.empty()) << file;
    keys.insert(file);
  }
  return keys;
}

TEST(Rules, TheProgramPrintsInOneFile) {
  const std::vector<SourceFile> project = read_project(KNOTWORK_SOURCE_DIR);
  EXPECT_THAT(printed_elsewhere(project), IsEmpty());
  EXPECT_TRUE(std::any_of(project.begin(), project.end(),
                          [](const SourceFile& file) { return file.path == kPrinting; }));
}

TEST(Rules, PrintingElsewhereIsFound) {
  for (const char* code :
       {"std::cout << name;", "std::cerr << name;", "fmt::print(\"{}\", name);", "printf(name);",
        "std::puts(name);", "fwrite(name, 1, 1, stdout);", "::write(1, name, 1);",
        "::write(STDOUT_FILENO, name, 1);", "files::system_calls().write(2, name, 1);",
        "#include <iostream>", "dprintf(2, name);", "fmt::println(name);"}) {
    EXPECT_THAT(printed_elsewhere({{"cli/a.cpp", code}}), ElementsAre("cli/a.cpp:1")) << code;
    EXPECT_THAT(printed_elsewhere({{"experiments/a.cpp", code}}), SizeIs(1)) << code;
    EXPECT_THAT(printed_elsewhere({{kPrinting, code}, {"cli/a_test.cpp", code}}), IsEmpty());
  }
  for (const char* code : {"file->write(bytes);", "print(request, result);", "// std::cout",
                           "print_lines({\"printf(x)\"});", "write_text(path, text);"}) {
    EXPECT_THAT(printed_elsewhere({{"cli/a.cpp", code}}), IsEmpty()) << code;
  }
}

TEST(Rules, WhatIsPrintedOtherwiseThanInLinesHasAReason) {
  const std::vector<SourceFile> project = read_project(KNOTWORK_SOURCE_DIR);
  EXPECT_EQ(callers_of("print_data", project), keys_of(printers_of_data()));
  EXPECT_EQ(callers_of("lines_of_own_text", project), keys_of(composers_of_text()));
  EXPECT_THAT(callers_of("print_data", {{"cli/a.cpp", "return print_data(summary);"}}),
              ElementsAre("cli/a.cpp"));
  EXPECT_THAT(callers_of("print_data", {{"cli/a.cpp", "// print_data(summary)\nprint_lines(x);"}}),
              IsEmpty());
}

}  // namespace
}  // namespace knotwork::rules
