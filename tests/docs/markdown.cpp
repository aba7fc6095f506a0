// SPDX-License-Identifier: MIT
#include "markdown.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace knotwork::docs {
namespace {

// Number of backticks that open or close a fence on this line; 0 for an ordinary line.
std::size_t fence(const std::string& line, std::size_t& indentation) {
  indentation = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = std::min(line.find_first_not_of('`', indentation), line.size());
  return end - indentation >= 3 ? end - indentation : 0;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Every line of the document with its block, including fences.
struct Place {
  bool code = false;
  int block = -1;  // index into blocks; -1 for fences and text
};

struct Parsed {
  std::vector<Block> blocks;
  std::vector<Place> places;
};

Parsed parse(const Lines& lines) {
  static const std::regex not_run(R"(<!-- not run: \S.* -->)");
  Parsed parsed;
  parsed.places.resize(lines.size());
  std::size_t open = 0, open_indentation = 0;
  std::string before;  // the last line that was not empty
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::size_t indentation = 0;
    const std::size_t ticks = fence(lines[k], indentation);
    const std::string rest = trimmed(lines[k].substr(indentation + ticks));
    if (open == 0 && ticks > 0) {
      open = ticks;
      open_indentation = indentation;
      parsed.blocks.push_back(
          {rest.substr(0, rest.find(' ')), {}, k + 2, !std::regex_match(before, not_run)});
      parsed.places[k].code = true;
    } else if (open > 0 && ticks >= open && rest.empty()) {
      open = 0;
      before.clear();
      parsed.places[k].code = true;
    } else if (open > 0) {
      const std::size_t cut = std::min({indentation, open_indentation, lines[k].size()});
      parsed.blocks.back().lines.push_back(lines[k].substr(cut));
      parsed.places[k] = {true, static_cast<int>(parsed.blocks.size()) - 1};
    } else if (!trimmed(lines[k]).empty()) {
      before = trimmed(lines[k]);
    }
  }
  if (open > 0) {
    throw std::runtime_error("the block of code before line " +
                             std::to_string(parsed.blocks.back().line) + " is never closed");
  }
  return parsed;
}

}  // namespace

Lines split_lines(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::vector<Block> code_blocks(const std::string& markdown) {
  return parse(split_lines(markdown)).blocks;
}

std::vector<Link> links(const std::string& markdown) {
  static const std::regex code("`[^`]*`");
  static const std::regex in_line(R"(\]\(\s*<?([^)\s>]+)>?(\s+"[^"]*")?\s*\))");
  static const std::regex definition(R"(^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+))");
  const Lines lines = split_lines(markdown);
  const std::vector<Place> places = parse(lines).places;
  std::vector<Link> all;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (places[k].code) continue;
    const std::string line = std::regex_replace(lines[k], code, "code");
    for (const std::regex* pattern : {&in_line, &definition}) {
      for (std::sregex_iterator it(line.begin(), line.end(), *pattern), end; it != end; ++it) {
        all.push_back({(*it)[1].str(), k + 1});
      }
    }
  }
  return all;
}

}  // namespace knotwork::docs
