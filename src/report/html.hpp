// SPDX-License-Identifier: MIT
// The pieces that our pages of HTML are made of. What they make is well-formed XML after the first
// line, scripts aside. Texts are escaped here; what is called markup is taken as it is. (What the
// page of a comparison needs is exported for Knotwork::tools.)
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
  std::string label;  // what a screen reader calls the region, which scrolls if it is too wide
  std::string caption;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::size_t name_column = 0;                // whose cells are the heads of their rows
  std::optional<std::size_t> reference = {};  // a row that stands out
  std::size_t text_columns = 0;               // so many after the name are aligned as texts
  bool stacks = false;                        // rows become blocks where there is little room
};
KNOTWORK_API std::string html_table(const HtmlTable& table);

using Facts = std::vector<std::pair<std::string, std::string>>;
KNOTWORK_API std::string definition_list(const Facts& facts);

KNOTWORK_API std::string paragraph(std::string_view text);
// A list of sentences; nothing if there are none.
std::string bullet_list(const std::vector<std::string>& texts);
// An h2 that the page can be sent to, and what is below it.
std::string section(std::string_view id, std::string_view heading, std::string_view markup);
// Folded together until it is asked for.
std::string details(std::string_view summary, std::string_view markup);
KNOTWORK_API std::string figure_with_caption(std::string_view svg, std::string_view caption);

struct HtmlDocument {
  std::string title;
  std::vector<PageFile> styles;
  std::optional<PageFile> script = {};
  std::string body;  // markup
};
// Nothing but its own styles and script may be loaded or run.
KNOTWORK_API std::string html_document(const HtmlDocument& document);

}  // namespace knotwork::report
