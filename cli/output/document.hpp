// SPDX-License-Identifier: MIT
// Results as JSON documents. Reading and writing them is compiled once, in document.cpp; who makes
// one includes <nlohmann/json.hpp> for it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace knotwork::cli {

using Json = nlohmann::ordered_json;

// What the library wrote.
Json parse_document(std::string_view text);
// What may come from a stranger: nothing if it is no JSON, or not as the library would write it.
std::optional<Json> parse_strange_document(std::string_view text);

// As it is printed; bytes that are no text, as in the names of files, are replaced.
std::string document_text(const Json& document);
// The same on one line without an end, as it is kept in a study.
std::string document_line(const Json& document);

}  // namespace knotwork::cli
