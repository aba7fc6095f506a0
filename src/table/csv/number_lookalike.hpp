// SPDX-License-Identifier: MIT
// why_not_a_number() explains texts that users take for numbers: $12, 12 %, 1 234, 2024-01-31.
#pragma once

#include <string_view>

namespace knotwork::csv {

// Why the text is not a number and what to do about it, as the rest of a sentence that begins with
// the text; empty if the text does not resemble a number.
std::string_view why_not_a_number(std::string_view text);

}  // namespace knotwork::csv
