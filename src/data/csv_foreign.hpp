// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace knotwork::csv {

// Throws bad_data when the first bytes are those of a model file, a spreadsheet, UTF-16 or another
// file that is no table of text, for which a complaint about line 1 would help nobody.
void refuse_foreign(std::string_view bytes, std::string_view source);

}  // namespace knotwork::csv
