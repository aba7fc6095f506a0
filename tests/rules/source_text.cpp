// SPDX-License-Identifier: MIT
#include "source_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

namespace knotwork::rules {
namespace fs = std::filesystem;
namespace {

bool is_ignored(const fs::path& relative) {
  static const std::vector<std::string> folders = {"build", "data", ".git", ".cache"};
  static const std::vector<std::string> files = {"compile_commands.json", "CMakeUserPresets.json"};
  const auto among = [](const auto& names, const fs::path& part) {
    return std::find(names.begin(), names.end(), part.string()) != names.end();
  };
  if (relative.filename() == "node_modules") return true;
  // The other names are ignored only at the top level.
  if (relative.has_parent_path()) {
    return relative.extension() == ".safetensors" || relative.filename() == "node_modules";
  }
  return among(folders, relative) || among(files, relative);
}

// The index after a literal that opens at `at` with a quote.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// The index after a raw string whose quote is at `at`.
std::size_t end_of_raw_string(const std::string& text, std::size_t at) {
  const std::size_t open = text.find('(', at);
  if (open == std::string::npos) return text.size();
  std::string close(1, ')');
  close.append(text, at + 1, open - at - 1).push_back('"');
  const std::size_t end = text.find(close, open);
  return end == std::string::npos ? text.size() : end + close.size();
}

}  // namespace

std::vector<SourceFile> read_project(const fs::path& root) {
  std::vector<SourceFile> files;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::end(it); ++it) {
    const fs::path relative = fs::relative(it->path(), root);
    if (is_ignored(relative)) {
      if (it->is_directory()) it.disable_recursion_pending();
      continue;
    }
    if (!it->is_regular_file()) continue;
    std::ifstream stream(it->path(), std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (text.find('\0') == std::string::npos) {
      files.push_back({relative.generic_string(), std::move(text)});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

namespace {

// The same as code_only(); also calls `see` with the begin and end of each plain string literal and
// the code before it.
template <class See>
std::string read_code(const std::string& text, const See& see) {
  std::string code;
  const auto skip = [&](std::size_t from, std::size_t to) {
    code.append(static_cast<std::size_t>(std::count(text.begin() + std::ptrdiff_t(from),
                                                    text.begin() + std::ptrdiff_t(to), '\n')),
                '\n');
    return to;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char previous = at == 0 ? '\n' : text[at - 1];
    if (text.compare(at, 2, "//") == 0) {
      at = skip(at, std::min(text.find('\n', at), text.size()));
    } else if (text.compare(at, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", at + 2);
      at = skip(at, end == std::string::npos ? text.size() : end + 2);
    } else if (text[at] == '"') {
      const std::size_t end =
          previous == 'R' ? end_of_raw_string(text, at) : end_of_literal(text, at);
      if (previous != 'R') see(at, end, code);
      at = skip(at, end);
      code += "\"\"";
    } else if (text[at] == '\'' && !std::isalnum(static_cast<unsigned char>(previous))) {
      // After a digit, it separates thousands.
      at = skip(at, end_of_literal(text, at));
      code += "''";
    } else {
      code += text[at++];
    }
  }
  return code;
}

}  // namespace

std::string code_only(const std::string& text) {
  return read_code(text, [](std::size_t, std::size_t, const std::string&) {});
}

std::vector<Literal> string_literals(const std::string& text) {
  std::vector<Literal> literals;
  read_code(text, [&](std::size_t begin, std::size_t end, const std::string& code) {
    Literal& literal = literals.emplace_back();
    literal.line = 1 + static_cast<std::size_t>(std::count(code.begin(), code.end(), '\n'));
    literal.text = text.substr(begin + 1, end - begin - 2);
    const std::size_t statement = code.find_last_of(";{}");
    std::copy_if(code.begin() + std::ptrdiff_t(statement == code.npos ? 0 : statement + 1),
                 code.end(), std::back_inserter(literal.before),
                 [](unsigned char c) { return !std::isspace(c); });
  });
  return literals;
}

std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> includes;
  for (const std::string& line : lines_of(text)) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const std::size_t open = line.find_first_of("<\"", word);
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    includes.push_back(line.substr(open + 1, close - open - 1));
  }
  return includes;
}

std::size_t find_word(std::string_view line, std::string_view word, std::size_t from) {
  const auto continues_name = [&](std::size_t at) {
    return at < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_');
  };
  for (std::size_t at = line.find(word, from); at != line.npos; at = line.find(word, at + 1)) {
    if (!(at > 0 && continues_name(at - 1)) && !continues_name(at + word.size())) return at;
  }
  return line.npos;
}

bool has_call(std::string_view line, std::string_view name) {
  for (std::size_t at = find_word(line, name); at != line.npos;
       at = find_word(line, name, at + 1)) {
    const std::size_t next = line.find_first_not_of(" \t", at + name.size());
    if (next != line.npos && line[next] == '(') return true;
  }
  return false;
}

}  // namespace knotwork::rules
