// SPDX-License-Identifier: MIT
// Unpacks zstd. There are two sources: zstd_frames.cpp, and no_zstd.cpp for a build without
// libzstd.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "files/packed/unpacking.hpp"

namespace knotwork::files {

inline constexpr std::string_view kZstdStart = "\x28\xB5\x2F\xFD";

// Throws bad_data if this build cannot unpack zstd.
std::unique_ptr<Unpacker> make_zstd_unpacker(Unpacker::Packed packed, std::string source,
                                             std::uint64_t limit);

}  // namespace knotwork::files
