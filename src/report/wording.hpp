// SPDX-License-Identifier: MIT
// Numbers and small pieces of sentences as the pages have them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/network.hpp>
#include <knotwork/optimizer.hpp>

namespace knotwork::report {

// Four digits that say something, never fewer before the decimal point: "0.1235", "123457",
// "1.235·10⁻⁷". Not finite: "–".
std::string short_number(double value);
std::string percent(double share);                             // "1.2 %", "0 %", "< 0.1 %"
std::string count(std::size_t number, std::string_view noun);  // "1 row", "2000 rows"
// A layer of "8 splines", "8 tanh" or just "1" where nothing is done to the sums.
std::string layer_in_words(const Layer& layer);
// At most `most` of the words with commas between them, "and 3 more" after them.
std::string listed(const std::vector<std::string>& words, std::size_t most);
std::string duration(double seconds);  // "0.12 s", "42 s", "1:02:03 h"
// Why training stopped, as the end of a sentence: "stopped " + ...
std::string_view in_words(StopReason reason);

}  // namespace knotwork::report
