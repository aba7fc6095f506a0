// SPDX-License-Identifier: MIT
// The page of results: parts written by the command, and text around them written by hand.
//
// The part of a scenario stands between <!-- scenario1 --> and <!-- end of scenario1 -->.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/report.hpp"

namespace knotwork::experiments {

// The page with the part replaced, or added at the end if there was none; all else stays. Throws
// bad_file when only one of the marks is there or they are in the wrong order.
std::string replace_part(const std::string& page, const std::string& scenario,
                         const std::string& part);

// How the numbers came about.
struct Origin {
  std::string command;
  std::string machine;
};
// "Intel(R) Xeon(R) CPU, 2 cores"
std::string this_machine();

// A scenario's part: tables, protocol, command, machine, figures, which lie in `figures` as seen
// from the page (no folder: they are left out).
std::string page_part(const Report& report, const Origin& origin,
                      const std::filesystem::path& figures);

}  // namespace knotwork::experiments
