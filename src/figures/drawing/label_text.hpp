// SPDX-License-Identifier: MIT
// Text of others (titles, names of columns) on its way into a document or a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>

namespace knotwork::figures {

// Valid UTF-8 without control characters: those would break an XML document or steer a terminal.
// Line breaks and tabs become blanks, anything else that has no place becomes U+FFFD.
// (Exported for Knotwork::tools.)
KNOTWORK_API std::string clean_text(std::string_view text);

// The functions below take clean text and count characters, not bytes.
bool is_continuation(char byte);  // of a character that began before
std::size_t count_characters(std::string_view text);
// At most `width` characters; what was cut is shown by "..." where there is room for it.
std::string shortened(std::string_view text, std::size_t width);
// Likewise, cut in the middle: names that begin alike can still be told apart by their ends.
std::string shortened_inside(std::string_view text, std::size_t width);
// Lines of at most `width` characters, broken at blanks where that is possible.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// Exactly `width` characters.
std::string left_aligned(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);
std::string centered(std::string_view text, std::size_t width);

}  // namespace knotwork::figures
