// SPDX-License-Identifier: MIT
// Texts that people take for numbers: $12, 12 %, 1 234, 2024-01-31.
#pragma once

#include <string_view>

namespace knotwork::csv {

// What keeps the text from being a number and what to do about it, as the rest of a sentence that
// begins with the text; empty if it does not look like a number at all.
std::string_view why_not_a_number(std::string_view text);

}  // namespace knotwork::csv
