// SPDX-License-Identifier: MIT
// Results as JSON documents. Only document.cpp compiles their reading and writing; code that builds
// a document includes <nlohmann/json.hpp> itself.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace knotwork::cli {

using Json = nlohmann::ordered_json;

// Parses a text that the library wrote.
Json parse_document(std::string_view text);
// Parses a text from an untrusted source; nothing if it is not JSON, or not in the form that the
// library writes.
std::optional<Json> parse_strange_document(std::string_view text);

// The document as it is printed; bytes that are not valid text, for example in file names, are
// replaced.
std::string document_text(const Json& document);
// The document on one line without a line end, as a study stores it.
std::string document_line(const Json& document);

}  // namespace knotwork::cli
