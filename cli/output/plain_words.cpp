// SPDX-License-Identifier: MIT
#include "cli/output/plain_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/quoting.hpp"
#include "figures/drawing/label_text.hpp"

namespace knotwork::cli {

std::string duration(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", std::max(seconds, 0.0));
  constexpr double kMost = 1e9;  // thirty years, far below the limit of an integer
  const long whole = std::lround(std::min(seconds, kMost));
  if (whole < 60) return fmt::format("{} s", whole);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::vector<std::string> flow(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string word = words[k] + (k + 1 < words.size() ? "," : "");
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                 std::optional<std::size_t> left) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], figures::count_characters(shown(row[c], kShownWhole)));
    }
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string cell = shown(row[c], kShownWhole);
      line += (c == 0 ? "" : "  ") + (c == left ? figures::left_aligned(cell, widths[c])
                                                : figures::right_aligned(cell, widths[c]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace knotwork::cli
