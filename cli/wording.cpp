// SPDX-License-Identifier: MIT
#include "cli/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace knotwork::cli {

std::string count(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string_view in_words(StopReason reason) {
  switch (reason) {
    case StopReason::none:
    case StopReason::iterations:
      return "after as many iterations as asked for";
    case StopReason::evaluations:
      return "after as many evaluations as allowed";
    case StopReason::gradient_norm:
      return "because the gradient was short enough";
    case StopReason::relative_decrease:
      return "because the objective hardly fell any more";
    case StopReason::time:
      return "at the time limit";
    case StopReason::requested:
      return "because it was interrupted";
    case StopReason::no_progress:
      return "because no better point could be found";
    case StopReason::non_finite:
      return "because values stopped being finite; the best finite point is kept";
    case StopReason::early_stopping:
      return "because the validation score stopped improving";
  }
  return "";
}

std::string duration(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", std::max(seconds, 0.0));
  constexpr double kMost = 1e9;  // thirty years, and far from what an integer can hold
  const long whole = std::lround(std::min(seconds, kMost));
  if (whole < 60) return fmt::format("{} s", whole);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  const std::size_t shown = std::min(words.size(), most);
  std::string text =
      fmt::format("{}", fmt::join(words.begin(), words.begin() + std::ptrdiff_t(shown), ", "));
  if (shown < words.size()) text += fmt::format(" and {} more", words.size() - shown);
  return text;
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

}  // namespace knotwork::cli
