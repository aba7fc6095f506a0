// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <knotwork/comparison_page.hpp>
#include <knotwork/figures.hpp>
#include <knotwork/version.hpp>

#include "report/comparison_order.hpp"
#include "report/svg.hpp"

namespace knotwork {
namespace {

using report::svg_escaped;

// The figure is drawn for white paper; in the dark its colours are turned round.
constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #ffffff; --line: #c8c8c8;
  --shade: #f2f4f7; --link: #12355b; }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; padding: 1rem; max-width: 60rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; padding-bottom: 0.5rem; }
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th[scope="row"], .name { text-align: left; }
thead th { border-bottom: 2px solid var(--line); }
tr.reference { background: var(--shade); }
figure { margin: 1rem 0; }
figure svg { display: block; width: 100%; max-width: 34rem; height: auto; }
dl { display: grid; grid-template-columns: minmax(6rem, auto) 1fr; gap: 0.2rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
pre { background: var(--shade); padding: 0.7rem; white-space: pre-wrap; }
footer { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 0.5rem; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #000000; --line: #4a4a4a; --shade: #1b1f26; }
  figure svg { filter: invert(1) hue-rotate(180deg); }
}
@media print {
  :root { --ink: #000000; --paper: #ffffff; --line: #999999; --shade: #f2f4f7; }
  figure svg { filter: none; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; }
  tr, figure { break-inside: avoid; }
}
)css";

std::string table_of(const ComparisonResult& result) {
  const auto cells = comparison_cells(result);
  constexpr std::size_t kName = 1;
  std::string text =
      "<div class=\"scroll\" role=\"region\" aria-label=\"Table of scores\" "
      "tabindex=\"0\">\n<table>\n"
      "<caption>Mean ± deviation over the folds, the lowest score first; seconds are those of a "
      "processor for one training.</caption>\n<thead><tr>";
  for (std::size_t c = 0; c < cells[0].size(); ++c) {
    text += fmt::format("<th scope=\"col\"{}>{}</th>", c == kName ? " class=\"name\"" : "",
                        svg_escaped(cells[0][c]));
  }
  text += "</tr></thead>\n<tbody>\n";
  const std::vector<std::size_t> order = report::best_first(result);
  for (std::size_t k = 1; k < cells.size(); ++k) {
    text += order[k - 1] == 0 ? "<tr class=\"reference\">" : "<tr>";
    for (std::size_t c = 0; c < cells[k].size(); ++c) {
      text += c == kName ? fmt::format("<th scope=\"row\">{}</th>", svg_escaped(cells[k][c]))
                         : fmt::format("<td>{}</td>", svg_escaped(cells[k][c]));
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</div>\n";
}

std::string figure_of(const ComparisonResult& result) {
  ScoreFigure figure;
  figure.title = fmt::format("{} of every fold", result.score_name);
  figure.label = "lower is better; dashed: the reference";
  for (const std::size_t v : report::best_first(result)) {
    const VariantResult& variant = result.variants[v];
    if (v == 0) figure.reference = figure.rows.size();
    ScoreRow& row = figure.rows.emplace_back();
    row.name = variant.variant.name;
    for (const RoundResult& round : variant.rounds) row.scores.push_back(round.score);
    row.mean = variant.score.mean;
    row.deviation = variant.score.deviation;
  }
  return "<figure>\n" + score_figure(figure) + "</figure>\n";
}

// Names of the penalties that were chosen, variant by variant, and what failed.
std::string choices_of(const ComparisonResult& result) {
  std::string text = "<dl>\n";
  for (const VariantResult& variant : result.variants) {
    const auto& tuned = variant.variant.tuned;
    text +=
        fmt::format("<dt>{}</dt><dd>{}", svg_escaped(variant.variant.name),
                    tuned.empty() ? "as given" : fmt::format("chose {}", fmt::join(tuned, ", ")));
    for (const RoundResult& round : variant.rounds) {
      if (round.failure.empty()) continue;
      text += ". A fold failed: " + svg_escaped(round.failure);
      break;
    }
    text += "</dd>\n";
  }
  return text + "</dl>\n";
}

}  // namespace

std::string comparison_page(const ComparisonResult& result, const ComparisonPage& page) {
  const std::string title = svg_escaped(page.title);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n",
      title, kStyle);
  text += table_of(result);
  text += fmt::format("<p>{}</p>\n", svg_escaped(explain_test(result)));
  text += "<h2>Scores</h2>\n" + figure_of(result);
  text += "<h2>Penalties</h2>\n" + choices_of(result);
  text += "<h2>What was run</h2>\n<dl>\n";
  for (const auto& [fact, value] : page.facts) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", svg_escaped(fact), svg_escaped(value));
  }
  text += fmt::format("</dl>\n<pre>{}</pre>\n</main>\n<footer>Knotwork {}</footer>\n",
                      svg_escaped(page.command), KNOTWORK_VERSION_STRING);
  return text + "</body>\n</html>\n";
}

}  // namespace knotwork
