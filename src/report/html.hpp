// SPDX-License-Identifier: MIT
// The building blocks of our HTML pages. Their output is well-formed XML after the first line,
// except in scripts. Texts are escaped here; arguments called markup are inserted unchanged. (What
// the page of a comparison needs is exported for Knotwork::tools.)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>

#include "report/page_files.hpp"

namespace knotwork::report {

KNOTWORK_API std::string escaped(std::string_view text);

struct HtmlTable {
  std::string label;  // name of the region for screen readers; the region scrolls if it is too wide
  std::string caption;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::size_t name_column = 0;                // the column whose cells are row headers
  std::optional<std::size_t> reference = {};  // a highlighted row
  std::size_t text_columns = 0;               // this many columns after the name are texts
  bool stacks = false;                        // rows become blocks on narrow screens
};
KNOTWORK_API std::string html_table(const HtmlTable& table);

using Facts = std::vector<std::pair<std::string, std::string>>;
KNOTWORK_API std::string definition_list(const Facts& facts);

KNOTWORK_API std::string paragraph(std::string_view text);
// A list of sentences; empty if there are none.
std::string bullet_list(const std::vector<std::string>& texts);
// An h2 with an id for links, and the content below it.
std::string section(std::string_view id, std::string_view heading, std::string_view markup);
// Collapsed until the reader opens it.
std::string details(std::string_view summary, std::string_view markup);
KNOTWORK_API std::string figure_with_caption(std::string_view svg, std::string_view caption);

struct HtmlDocument {
  std::string title;
  std::vector<PageFile> styles;
  std::optional<PageFile> script = {};
  std::string body;  // markup
};
// The document may load or run only its own styles and script.
KNOTWORK_API std::string html_document(const HtmlDocument& document);

}  // namespace knotwork::report
