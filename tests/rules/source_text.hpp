// SPDX-License-Identifier: MIT
// The project's files as text, for rules that look at them.
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

// All text files under `root`, sorted by path, without what git ignores or keeps for itself.
std::vector<SourceFile> read_project(const std::filesystem::path& root);

// The lines without their ends.
std::vector<std::string> lines_of(const std::string& text);

// C++ text with comments dropped and literals emptied, line breaks kept: what is only said or only
// quoted is not done.
std::string code_only(const std::string& text);

// String literals, raw ones left out, with their line (from 1) and the code of the statement before
// them, spaces and line breaks dropped.
struct Literal {
  std::size_t line = 0;
  std::string text;
  std::string before;
};
std::vector<Literal> string_literals(const std::string& text);

// What stands between the brackets or quotes of each #include, in order.
std::vector<std::string> includes_of(const std::string& text);

// Where `word` stands in `line` with no letter, digit or underscore on either side, from `from` on;
// npos when it does not.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t from = 0);

// Whether `line` calls a function of that name: the word, then an opening bracket.
bool has_call(std::string_view line, std::string_view name);

}  // namespace knotwork::rules
