// SPDX-License-Identifier: MIT
// Small pieces of the sentences that the program says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/wording.hpp"

namespace knotwork::cli {

// As the pages have them.
using report::count;
using report::in_words;
using report::listed;
std::string duration(double seconds);  // "0.12 s", "42 s", "1:02:03"
// All of the words with commas between them, in lines of at most `width` characters where no single
// word is longer.
std::vector<std::string> flow(const std::vector<std::string>& words, std::size_t width);

}  // namespace knotwork::cli
