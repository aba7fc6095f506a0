// SPDX-License-Identifier: MIT
// Unpacks tables that are packed with gzip or zstd, with limits for what comes out.
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

// Decide by the first bytes; no table starts with them.
inline constexpr std::size_t kPackedStartBytes = 4;
bool is_gzip(std::string_view bytes);
bool is_zstd(std::string_view bytes);
inline bool is_packed(std::string_view bytes) {
  return is_gzip(bytes) || is_zstd(bytes);
}

// Unpacks piece by piece. Throws bad_data that begins with the name of the source.
class Unpacker {
 public:
  // Reads the next packed bytes, which must stay valid until the next call; empty at the end.
  using Packed = std::function<std::string_view()>;

  Unpacker(Packed packed, std::string source, std::uint64_t limit);
  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  // The next unpacked bytes, as many as there are at once; empty at the end.
  std::span<const char> read(std::span<char> buffer);

 protected:
  // Unpacks into the start of the buffer and returns the number of bytes; 0 at the end.
  virtual std::size_t unpack(std::span<char> buffer) = 0;

  const std::string& source() const { return source_; }
  // Whether there are packed bytes, in left().
  bool refill();
  std::string_view& left() { return left_; }

 private:
  void check_limits() const;
  void refuse_packed_inside(std::span<const char> bytes);

  Packed packed_;
  std::string source_;
  std::uint64_t limit_;
  std::string_view left_ = {};  // packed bytes that were not used yet
  std::uint64_t packed_bytes_ = 0, unpacked_bytes_ = 0;
  std::string start_ = {};  // the first unpacked bytes
};

// For gzip: all members, one after the other; zero bytes may follow the last one, as on tapes. For
// zstd: all frames. `start` is the start of the packed bytes, which are read from `packed` too.
std::unique_ptr<Unpacker> make_unpacker(std::string_view start, Unpacker::Packed packed,
                                        std::string source, std::uint64_t limit);

// Whether this build can unpack zstd.
bool knows_zstd();

// Unpacks all bytes. Memory grows with the bytes that were really unpacked, not with the size that
// the file claims. A stop requested by `monitor` ends the call.
std::string unpack(std::string_view packed, std::string_view source,
                   std::uint64_t limit = kMaxUnpackedBytes, const Monitor* monitor = nullptr);

}  // namespace knotwork::files
