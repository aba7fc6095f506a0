// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <knotwork/comparison.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/version.hpp>

#include "report/compact_svg.hpp"
#include "report/comparison_order.hpp"
#include "report/html.hpp"

namespace knotwork {
namespace {

using namespace report;

std::string table_of(const ComparisonResult& result) {
  HtmlTable table{.label = "Table of scores",
                  .caption =
                      "Mean ± standard deviation over the folds, lowest score first. Seconds are "
                      "processor seconds of one training.",
                  .heads = {},
                  .rows = comparison_cells(result),
                  .name_column = 1};
  table.heads = table.rows.front();
  table.rows.erase(table.rows.begin());
  const std::vector<std::size_t> order = best_first(result);
  table.reference =
      static_cast<std::size_t>(std::find(order.begin(), order.end(), 0U) - order.begin());
  return html_table(table);
}

std::string figure_of(const ComparisonResult& result) {
  ScoreFigure figure;
  figure.title = fmt::format("{} of every fold", result.score_name);
  figure.label = "lower is better; dashed: the reference";
  for (const std::size_t v : best_first(result)) {
    const VariantResult& variant = result.variants[v];
    if (v == 0) figure.reference = figure.rows.size();
    ScoreRow& row = figure.rows.emplace_back();
    row.name = variant.variant.name;
    for (const RoundResult& round : variant.rounds) row.scores.push_back(round.score);
    row.mean = variant.score.mean;
    row.deviation = variant.score.deviation;
  }
  return figure_with_caption(compact_svg(score_figure(figure)), "");
}

// The penalties that were chosen for each variant, and the failures.
std::string choices_of(const ComparisonResult& result) {
  Facts facts;
  for (const VariantResult& variant : result.variants) {
    const auto& tuned = variant.variant.tuned;
    std::string text =
        tuned.empty() ? "as given" : fmt::format("chosen: {}", fmt::join(tuned, ", "));
    for (const RoundResult& round : variant.rounds) {
      if (round.failure.empty()) continue;
      text += ". A fold failed: " + round.failure;
      break;
    }
    facts.emplace_back(variant.variant.name, text);
  }
  return definition_list(facts);
}

}  // namespace

std::string comparison_page(const ComparisonResult& result, const ComparisonPage& page) {
  std::string body = fmt::format("<main>\n<h1>{}</h1>\n", escaped(page.title));
  body += table_of(result) + paragraph(explain_test(result));
  body += "<h2>Scores</h2>\n" + figure_of(result);
  body += "<h2>Penalties</h2>\n" + choices_of(result);
  body += "<h2>What was run</h2>\n" + definition_list(page.facts);
  body += fmt::format("<pre>{}</pre>\n</main>\n<footer>Knotwork {}</footer>\n",
                      escaped(page.command), KNOTWORK_VERSION_STRING);
  return html_document({.title = page.title, .styles = {page_style()}, .body = std::move(body)});
}

}  // namespace knotwork
