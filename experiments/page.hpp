// SPDX-License-Identifier: MIT
// The page of results has parts that the command writes, and text between them that is written by
// hand.
//
// The part of a scenario is between <!-- scenario1 --> and <!-- end of scenario1 -->.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/report.hpp"

namespace knotwork::experiments {

// The page with the part replaced, or added at the end if there was none; everything else is
// unchanged. Throws bad_file when only one of the marks exists or they are in the wrong order.
std::string replace_part(const std::string& page, const std::string& scenario,
                         const std::string& part);

// How the numbers were computed.
struct Origin {
  std::string command;
  std::string machine;
};
// "Intel(R) Xeon(R) CPU, 2 cores"
std::string this_machine();

// A scenario's part: tables, protocol, command, machine and figures. `figures` is the folder of the
// figures relative to the page (empty: figures are left out).
std::string page_part(const Report& report, const Origin& origin,
                      const std::filesystem::path& figures);

}  // namespace knotwork::experiments
