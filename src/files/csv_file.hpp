// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <knotwork/monitor.hpp>

namespace knotwork::csv {

// The text of a CSV file, unpacked if it is packed. Throws bad_file when it cannot be opened,
// failed_run when reading fails half-way. A stop requested by `monitor` ends the call, also while a
// pipe is silent. `done` gets the share of the file that has been read.
std::string read_text(const std::filesystem::path& path, const Monitor* monitor = nullptr,
                      const std::function<void(double share)>& done = {});

}  // namespace knotwork::csv
