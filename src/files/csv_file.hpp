// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace knotwork::csv {

// The text of a CSV file, unpacked if it is gzip. Throws bad_file when it cannot be
// opened, failed_run when reading it ends half-way.
std::string read_text(const std::filesystem::path& path);

}  // namespace knotwork::csv
