// SPDX-License-Identifier: MIT
// These functions read the project's files as text, for rules that check them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork::rules {

struct SourceFile {
  std::string path;  // relative to the project, with forward slashes
  std::string text;

  std::string name() const { return std::filesystem::path(path).filename().string(); }
  bool is_cpp() const { return path.ends_with(".cpp") || path.ends_with(".hpp"); }
  bool is_test() const { return path.ends_with("_test.cpp"); }
  bool is_in(std::string_view folder) const {
    return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
  }
};

// All text files under `root`, sorted by path, without the files that git ignores or owns.
std::vector<SourceFile> read_project(const std::filesystem::path& root);

// The lines without their line ends.
std::vector<std::string> lines_of(const std::string& text);

// C++ text without comments and with empty literals, with line breaks kept: rules about code ignore
// comments and quotations.
std::string code_only(const std::string& text);

// String literals except raw ones, with their line (from 1) and the code of the statement before
// them, without spaces and line breaks.
struct Literal {
  std::size_t line = 0;
  std::string text;
  std::string before;
};
std::vector<Literal> string_literals(const std::string& text);

// The text between the brackets or quotes of each #include, in order.
std::vector<std::string> includes_of(const std::string& text);

// The position of `word` in `line`, from `from` on, with no letter, digit or underscore on either
// side; npos if there is none.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t from = 0);

// Whether `line` calls a function of that name: the word, followed by an opening bracket.
bool has_call(std::string_view line, std::string_view name);

}  // namespace knotwork::rules
