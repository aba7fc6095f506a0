// SPDX-License-Identifier: MIT
#include "report/html.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "figures/drawing/svg.hpp"
#include "report/base64.hpp"

namespace knotwork::report {
namespace {

// A digest in the form of content security policies, made from the 64 hexadecimal digits of our
// files.
std::string source_of(const PageFile& file) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k + 1 < file.sha256.size(); k += 2) {
    const auto digit = [&](std::size_t at) {
      const char c = file.sha256[at];
      return c <= '9' ? c - '0' : c - 'a' + 10;
    };
    bytes.push_back(static_cast<std::uint8_t>(16 * digit(k) + digit(k + 1)));
  }
  return " 'sha256-" + base64(bytes) + "'";
}

std::string policy_of(const HtmlDocument& document) {
  std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src";
  for (const PageFile& style : document.styles) policy += source_of(style);
  if (document.script) policy += "; script-src" + source_of(*document.script);
  return policy;
}

std::string cell(const HtmlTable& table, std::size_t column, std::string_view text) {
  if (column == table.name_column) return fmt::format("<th scope=\"row\">{}</th>", escaped(text));
  const bool is_text =
      column > table.name_column && column <= table.name_column + table.text_columns;
  const std::string head = table.stacks && !is_text && column < table.heads.size()
                               ? fmt::format(" data-head=\"{}\"", escaped(table.heads[column]))
                               : "";
  return fmt::format("<td{}{}>{}</td>", is_text ? " class=\"name\"" : "", head, escaped(text));
}

// Whether a figure is so wide that its texts would be too small on a telephone.
bool is_large(std::string_view svg) {
  constexpr double kTelephone = 380;
  constexpr std::string_view kWidth = " width=\"";
  const std::size_t at = svg.find(kWidth);
  if (at == std::string_view::npos) return false;
  return std::strtod(std::string(svg.substr(at + kWidth.size(), 12)).c_str(), nullptr) > kTelephone;
}

}  // namespace

std::string escaped(std::string_view text) {
  return figures::svg_escaped(text);
}

std::string html_table(const HtmlTable& table) {
  std::string markup = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n<table{}>\n"
      "<caption>{}</caption>\n<thead><tr>",
      escaped(table.label), table.stacks ? " class=\"stacked\"" : "", escaped(table.caption));
  for (std::size_t c = 0; c < table.heads.size(); ++c) {
    const bool is_text = c >= table.name_column && c <= table.name_column + table.text_columns;
    markup += fmt::format("<th scope=\"col\"{}>{}</th>", is_text ? " class=\"name\"" : "",
                          escaped(table.heads[c]));
  }
  markup += "</tr></thead>\n<tbody>\n";
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    markup += table.reference == k ? "<tr class=\"reference\">" : "<tr>";
    for (std::size_t c = 0; c < table.rows[k].size(); ++c) {
      markup += cell(table, c, table.rows[k][c]);
    }
    markup += "</tr>\n";
  }
  return markup + "</tbody>\n</table>\n</div>\n";
}

std::string definition_list(const Facts& facts) {
  std::string markup = "<dl>\n";
  for (const auto& [name, value] : facts) {
    markup += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
  }
  return markup + "</dl>\n";
}

std::string paragraph(std::string_view text) {
  return fmt::format("<p>{}</p>\n", escaped(text));
}

std::string bullet_list(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string markup = "<ul>\n";
  for (const std::string& text : texts) markup += fmt::format("<li>{}</li>\n", escaped(text));
  return markup + "</ul>\n";
}

std::string section(std::string_view id, std::string_view heading, std::string_view markup) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n"
      "{2}</section>\n",
      id, escaped(heading), markup);
}

std::string details(std::string_view summary, std::string_view markup) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escaped(summary), markup);
}

std::string figure_with_caption(std::string_view svg, std::string_view caption) {
  const std::string text =
      caption.empty() ? "" : fmt::format("<figcaption>{}</figcaption>\n", escaped(caption));
  return fmt::format("<figure>\n<div class=\"plot{}\">\n{}</div>\n{}</figure>\n",
                     is_large(svg) ? " large" : "", svg, text);
}

std::string html_document(const HtmlDocument& document) {
  std::string markup = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n",
      policy_of(document), escaped(document.title));
  for (const PageFile& style : document.styles) {
    markup += fmt::format("<style>{}</style>\n", style.text);
  }
  markup += "</head>\n<body>\n" + document.body;
  if (document.script) markup += fmt::format("<script>{}</script>\n", document.script->text);
  return markup + "</body>\n</html>\n";
}

}  // namespace knotwork::report
