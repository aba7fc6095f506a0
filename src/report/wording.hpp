// SPDX-License-Identifier: MIT
// Numbers and parts of sentences in the wording of the pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/network.hpp>
#include <knotwork/optimizer.hpp>

namespace knotwork::report {

// Four significant digits, but all digits before the decimal point: "0.1235", "123457",
// "1.235·10⁻⁷". Not finite: "–".
std::string short_number(double value);
std::string percent(double share);                             // "1.2 %", "0 %", "< 0.1 %"
std::string count(std::size_t number, std::string_view noun);  // "1 row", "2000 rows"
// A layer of "8 splines", "8 tanh", or just "1" if its activation is the identity.
std::string layer_in_words(const Layer& layer);
// At most `most` of the words, separated by commas, then "and 3 more".
std::string listed(const std::vector<std::string>& words, std::size_t most);
std::string duration(double seconds);  // "0.12 s", "42 s", "1:02:03 h"
// The reason why training stopped, as the end of a sentence: "stopped " + ...
std::string_view in_words(StopReason reason);

}  // namespace knotwork::report
