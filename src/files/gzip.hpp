// SPDX-License-Identifier: MIT
// Unpacking gzip through zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace knotwork::files {

// A small file can unpack to a thousand times its size. This holds some hundred million numbers; a
// larger table can be unpacked before it is read.
inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{4} << 30;
// Tables unpack to some ten times their size; beyond kUnpackedFreely, what unpacks to more than
// this many times is none.
inline constexpr std::uint64_t kMaxUnpackedRatio = 200;
inline constexpr std::uint64_t kUnpackedFreely = std::uint64_t{64} << 20;

// By the first bytes; a table never starts so.
bool is_gzip(std::string_view bytes);

// Unpacks piece by piece: all members one after the other; zero bytes may follow the last one, as
// on tapes. Throws bad_data that starts with `source`.
class GzipReader {
 public:
  // The next packed bytes, which stay until it is asked again; none at the end.
  using Packed = std::function<std::string_view()>;

  GzipReader(Packed packed, std::string source, std::uint64_t limit);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // As many bytes as there are at once; none at the end.
  std::span<const char> read(std::span<char> buffer);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole of it. Memory grows with what is really unpacked, not with what the file says of
// itself.
std::string gunzip(std::string_view packed, std::string_view source,
                   std::uint64_t limit = kMaxUnpackedBytes);

}  // namespace knotwork::files
