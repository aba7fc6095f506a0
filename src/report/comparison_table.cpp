// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <knotwork/comparison.hpp>

#include "figures/drawing/label_text.hpp"
#include "report/comparison_order.hpp"

namespace knotwork {
namespace {

std::string number(double value) {
  return std::abs(value) < 1000 ? fmt::format("{:.4f}", value) : fmt::format("{:.4g}", value);
}

std::string with_deviation(const MeanDeviation& value) {
  if (!std::isfinite(value.mean)) return "failed";
  return fmt::format("{} ± {}", number(value.mean), number(value.deviation));
}

std::string signed_number(double value) {
  return fmt::format("{}{}", value < 0 ? "-" : "+", number(std::abs(value)));
}

std::string probability(double p) {
  return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p);
}

// A bar in a name must not end its cell.
std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : figures::clean_text(text)) cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

}  // namespace

namespace report {

std::vector<std::size_t> best_first(const ComparisonResult& result) {
  std::vector<std::size_t> order(result.variants.size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return result.variants[a].rank < result.variants[b].rank;
  });
  return order;
}

}  // namespace report

std::vector<std::vector<std::string>> comparison_cells(const ComparisonResult& result) {
  std::vector<std::vector<std::string>> lines = {{"rank", "variant", result.score_name}};
  if (result.classes) lines[0].push_back("accuracy");
  for (const char* head : {"parameters", "seconds", "difference", "p", "adjusted p"}) {
    lines[0].push_back(head);
  }
  for (const std::size_t v : report::best_first(result)) {
    const VariantResult& variant = result.variants[v];
    std::vector<std::string>& line = lines.emplace_back();
    line = {fmt::format("{}", variant.rank), variant.variant.name, with_deviation(variant.score)};
    if (result.classes) {
      line.push_back(variant.accuracy ? with_deviation(*variant.accuracy) : "");
    }
    line.push_back(fmt::format("{}", variant.parameters));
    line.push_back(fmt::format("{:.2g}", variant.seconds.mean));
    if (variant.against_first) {
      line.push_back(signed_number(variant.against_first->difference));
      line.push_back(probability(variant.against_first->p));
      line.push_back(probability(*variant.adjusted_p));
    } else {
      line.insert(line.end(), {v == 0 ? "reference" : "", "", ""});
    }
  }
  return lines;
}

std::string comparison_markdown(const ComparisonResult& result) {
  const auto cells = comparison_cells(result);
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    text += "|";
    for (const std::string& cell : cells[k]) text += fmt::format(" {} |", markdown_cell(cell));
    text += "\n";
    if (k > 0) continue;
    for (std::size_t c = 0; c < cells[0].size(); ++c) text += c == 1 ? "|---" : "|--:";
    text += "|\n";
  }
  return text;
}

std::string explain_test(const ComparisonResult& result) {
  const auto tests =
      std::count_if(result.variants.begin(), result.variants.end(),
                    [](const VariantResult& variant) { return variant.against_first.has_value(); });
  return fmt::format(
      "The difference is the mean {} minus that of {}. p is the probability of a difference at "
      "least as large if both were equally good, from a paired t-test over the folds with a "
      "variance corrected for the rows that trainings share (Nadeau and Bengio, 2003). The "
      "adjusted p takes the number of tests into account, here {} (Holm, 1979); below 0.05, a "
      "difference is unlikely to be due to chance.",
      result.score_name, result.variants.front().variant.name, tests);
}

}  // namespace knotwork
