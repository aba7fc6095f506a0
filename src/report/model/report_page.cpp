// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <knotwork/version.hpp>

#include "parallel/watched_work.hpp"
#include "report/html.hpp"
#include "report/model/sections.hpp"

namespace knotwork {
namespace report {
namespace {

struct Part {
  std::string id, name, markup;
};

std::string navigation(const std::vector<Part>& parts) {
  std::string markup = "<nav aria-label=\"Parts of this page\">\n<ul>\n";
  for (const Part& part : parts) {
    markup += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", part.id, escaped(part.name));
  }
  return markup + "</ul>\n</nav>\n";
}

std::vector<Part> parts_of(const ModelReport& report, Monitor* monitor) {
  std::vector<Part> parts;
  const auto add = [&](const char* id, const char* name, const auto& section) {
    parallel::check_stop(monitor);
    std::string markup = section(report);
    if (!markup.empty()) parts.push_back({id, name, std::move(markup)});
  };
  add("scores", "Scores", scores_section);
  add("predictions", "Predictions", predictions_section);
  add("columns", "Columns", columns_section);
  add("course", "Training", course_section);
  add("network", "Network", network_section);
  add("neurons", "Neurons", [&](const ModelReport& all) { return neurons_section(all, monitor); });
  add("making", "How it was made", making_section);
  return parts;
}

}  // namespace
}  // namespace report

std::string report_page(const ModelReport& report, Monitor* monitor) {
  const std::vector<report::Part> parts = report::parts_of(report, monitor);
  std::string body = fmt::format(
      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n<h1>{}</h1>\n{}"
      "</header>\n",
      report::escaped(report.title), report::overview(report));
  body += report::navigation(parts) + "<main id=\"main\" tabindex=\"-1\">\n";
  for (const report::Part& part : parts) body += part.markup;
  body += fmt::format("</main>\n<footer>Knotwork {}</footer>\n", KNOTWORK_VERSION_STRING);
  return report::html_document({.title = report.title,
                                .styles = {report::page_style(), report::report_style()},
                                .script = report::report_script(),
                                .body = std::move(body)});
}

}  // namespace knotwork
