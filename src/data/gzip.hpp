// SPDX-License-Identifier: MIT
// Unpacking gzip through zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace knotwork {

// A small file can unpack to a thousand times its size. This holds some hundred million numbers; a
// larger table can be unpacked before it is read.
inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{4} << 30;

// By the first bytes; a table never starts so.
bool is_gzip(std::string_view bytes);

// All members one after the other; zero bytes may follow the last one, as on tapes. Memory grows
// with what is really unpacked, not with what the file says of itself. Throws bad_data that starts
// with `source`.
std::string gunzip(std::string_view packed, std::string_view source,
                   std::uint64_t limit = kMaxUnpackedBytes);

}  // namespace knotwork
