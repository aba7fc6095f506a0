// SPDX-License-Identifier: MIT
#include "report/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knotwork::report {
namespace {

constexpr const char* kMinus = "\u2212";

std::string raised(int exponent) {
  static const std::array<std::string, 10> digits = {"⁰", "¹", "²", "³", "⁴",
                                                     "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char c : fmt::format("{}", std::abs(exponent))) {
    text += digits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

// The number without trailing zeros.
std::string trimmed(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

}  // namespace

std::string short_number(double value) {
  if (!std::isfinite(value)) return "–";
  if (value == 0) return "0";
  const std::string sign = value < 0 ? kMinus : "";
  const double size = std::abs(value);
  if (size >= 1e-4 && size < 1e7) {
    const int before = std::max(0, static_cast<int>(std::floor(std::log10(size))) + 1);
    const int leading = size < 1 ? static_cast<int>(-std::floor(std::log10(size))) - 1 : 0;
    return sign + trimmed(fmt::format("{:.{}f}", size, std::max(0, 4 - before + leading)));
  }
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{}{}·10{}", sign,
                     trimmed(fmt::format("{:.3f}", size / std::pow(10, exponent))),
                     raised(exponent));
}

std::string percent(double share) {
  if (!std::isfinite(share)) return "–";
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  if (share < 1 && share > 0.9995) return "> 99.9 %";
  return trimmed(fmt::format("{:.1f}", 100 * share)) + " %";
}

std::string count(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string layer_in_words(const Layer& layer) {
  const std::string_view name = layer.activation->name();
  if (name == "identity") return fmt::format("{}", layer.outputs);
  return name == "spline" ? count(layer.outputs, name) : fmt::format("{} {}", layer.outputs, name);
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(words.size(), most));
  std::string text = fmt::format("{}", fmt::join(words.begin(), words.begin() + shown, ", "));
  if (words.size() > most) text += fmt::format(" and {} more", words.size() - most);
  return text;
}

std::string duration(double seconds) {
  if (!(seconds < 1e9)) return "–";
  if (seconds < 9.995) return fmt::format("{:.2f} s", std::max(seconds, 0.0));
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string_view in_words(StopReason reason) {
  switch (reason) {
    case StopReason::none:
    case StopReason::iterations:
      return "after the requested number of iterations";
    case StopReason::evaluations:
      return "after the allowed number of evaluations";
    case StopReason::gradient_norm:
      return "because the gradient norm fell below its limit";
    case StopReason::relative_decrease:
      return "because the objective hardly decreased any more";
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

}  // namespace knotwork::report
