// SPDX-License-Identifier: MIT
// These functions prepare external texts (titles, names of columns) for a document or a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>

namespace knotwork::figures {

// Valid UTF-8 without control characters, which could break an XML document or control a terminal.
// Line breaks and tabs become blanks, every other invalid character becomes U+FFFD. (Exported for
// Knotwork::tools.)
KNOTWORK_API std::string clean_text(std::string_view text);

// The functions below expect clean text and count characters, not bytes.
bool is_continuation(char byte);  // true if the byte continues a character
std::size_t count_characters(std::string_view text);
// At most `width` characters; "..." marks a cut where there is room for it.
std::string shortened(std::string_view text, std::size_t width);
// Like shortened(), but cut in the middle, so that names with the same beginning can be told apart
// by their ends.
std::string shortened_inside(std::string_view text, std::size_t width);
// Lines of at most `width` characters, broken at blanks if possible.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// Exactly `width` characters.
std::string left_aligned(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);
std::string centered(std::string_view text, std::size_t width);

}  // namespace knotwork::figures
