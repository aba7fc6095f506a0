// SPDX-License-Identifier: MIT
// Parts of the program's sentences, such as counts, durations and lists.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/wording.hpp"

namespace knotwork::cli {

// The wording of report pages.
using report::count;
using report::in_words;
using report::listed;
std::string duration(double seconds);  // "0.12 s", "42 s", "1:02:03"
// All words, separated by commas, in lines of at most `width` characters unless a single word is
// longer.
std::vector<std::string> flow(const std::vector<std::string>& words, std::size_t width);
// The lines of a table whose columns are as wide as their widest cell. The column `left` is aligned
// left, all others right. Cells may be the text of others.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows,
                                 std::optional<std::size_t> left);

}  // namespace knotwork::cli
