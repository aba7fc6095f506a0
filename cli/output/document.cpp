// SPDX-License-Identifier: MIT
#include "cli/output/document.hpp"

#include <nlohmann/json.hpp>

#include "files/strict_json.hpp"

namespace knotwork::cli {

Json parse_document(std::string_view text) {
  return Json::parse(text);
}

std::optional<Json> parse_strange_document(std::string_view text) {
  return files::parse_strictly<Json>(text);
}

std::string document_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string document_line(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace knotwork::cli
