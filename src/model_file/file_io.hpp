// SPDX-License-Identifier: MIT
// Whole files: read at once, written so that there is the old one or the new one, never half.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <vector>

namespace knotwork {

// At most the first `most` bytes.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path,
                                    std::size_t most = std::numeric_limits<std::size_t>::max());

// Through a temporary file in the same folder that is flushed to the disk and renamed. The new
// file's permissions follow the umask, or the file that it replaces. A symbolic link stays: the
// file that it leads to is replaced or made. What is no file, such as /dev/null or a pipe, is
// written to as it is. Throws bad_file when the place is wrong, failed_run when writing fails
// half-way (a full disk).
void write_file_atomically(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
// Throws bad_file when that could not begin: to be asked before long work, not after it.
void check_writable(const std::filesystem::path& path);

}  // namespace knotwork
