// SPDX-License-Identifier: MIT
// Small pieces of the sentences that the program says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/optimizer.hpp>

namespace knotwork::cli {

std::string count(std::size_t number, std::string_view noun);  // "1 row", "2 rows"
// Why training stopped, as the end of a sentence: "stopped " + ...
std::string_view in_words(StopReason reason);
std::string duration(double seconds);  // "0.12 s", "42 s", "1:02:03"
// At most `most` of the words with commas between them, "and 3 more" after them.
std::string listed(const std::vector<std::string>& words, std::size_t most);
// All of the words with commas between them, in lines of at most `width` characters where no single
// word is longer.
std::vector<std::string> flow(const std::vector<std::string>& words, std::size_t width);

}  // namespace knotwork::cli
