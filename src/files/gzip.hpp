// SPDX-License-Identifier: MIT
// GzipReader unpacks gzip through zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <knotwork/monitor.hpp>

namespace knotwork::files {

// A small file can unpack to a thousand times its size. This limit is enough for a few hundred
// million numbers; a larger table can be unpacked before it is read.
inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{4} << 30;
// Tables unpack to about ten times their size. Beyond kUnpackedFreely bytes, data that unpacks to
// more than this many times its size is not a table.
inline constexpr std::uint64_t kMaxUnpackedRatio = 200;
inline constexpr std::uint64_t kUnpackedFreely = std::uint64_t{64} << 20;

// Decides by the first bytes; no table starts with them.
bool is_gzip(std::string_view bytes);

// Unpacks piece by piece: all members, one after the other; zero bytes may follow the last one, as
// on tapes. Throws bad_data that begins with `source`.
class GzipReader {
 public:
  // Reads the next packed bytes, which must stay valid until the next call; empty at the end.
  using Packed = std::function<std::string_view()>;

  GzipReader(Packed packed, std::string source, std::uint64_t limit);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // The next unpacked bytes, as many as there are at once; empty at the end.
  std::span<const char> read(std::span<char> buffer);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Unpacks all bytes. Memory grows with the bytes that were really unpacked, not with the size that
// the file claims. A stop requested by `monitor` ends the call.
std::string gunzip(std::string_view packed, std::string_view source,
                   std::uint64_t limit = kMaxUnpackedBytes, const Monitor* monitor = nullptr);

}  // namespace knotwork::files
