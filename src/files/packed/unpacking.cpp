// SPDX-License-Identifier: MIT
#include "files/packed/unpacking.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/fail.hpp"
#include "files/packed/gzip.hpp"
#include "files/packed/zstd_frames.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork::files {

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kGzipStart);
}

bool is_zstd(std::string_view bytes) {
  return bytes.starts_with(kZstdStart);
}

Unpacker::Unpacker(Packed packed, std::string source, std::uint64_t limit)
    : packed_(std::move(packed)), source_(std::move(source)), limit_(limit) {}

std::span<const char> Unpacker::read(std::span<char> buffer) {
  const std::span<const char> got = buffer.first(unpack(buffer));
  unpacked_bytes_ += got.size();
  check_limits();
  refuse_packed_inside(got);
  return got;
}

bool Unpacker::refill() {
  if (!left_.empty()) return true;
  left_ = packed_();
  packed_bytes_ += left_.size();
  return !left_.empty();
}

void Unpacker::check_limits() const {
  if (unpacked_bytes_ > limit_) {
    fail(ErrorKind::bad_data, in_file(source_),
         "unpacks to more than {:.3g} GiB, the most a packed table may hold; unpack it first.",
         static_cast<double>(limit_) / (std::uint64_t{1} << 30));
  }
  if (unpacked_bytes_ > kUnpackedFreely && unpacked_bytes_ / kMaxUnpackedRatio > packed_bytes_) {
    fail(ErrorKind::bad_data, in_file(source_),
         "unpacks to more than {} times its size, which is unusual for a table; unpack it first.",
         kMaxUnpackedRatio);
  }
}

// The limits hold for what comes out here, and nothing unpacks it a second time.
void Unpacker::refuse_packed_inside(std::span<const char> bytes) {
  if (start_.size() == kPackedStartBytes) return;
  start_.append(bytes.data(), std::min(bytes.size(), kPackedStartBytes - start_.size()));
  if (!is_packed(start_)) return;
  fail(ErrorKind::bad_data, in_file(source_), "is packed more than once; unpack it first.");
}

std::unique_ptr<Unpacker> make_unpacker(std::string_view start, Unpacker::Packed packed,
                                        std::string source, std::uint64_t limit) {
  if (is_zstd(start)) return make_zstd_unpacker(std::move(packed), std::move(source), limit);
  return std::make_unique<GzipReader>(std::move(packed), std::move(source), limit);
}

std::string unpack(std::string_view packed, std::string_view source, std::uint64_t limit,
                   const Monitor* monitor) {
  const auto all_at_once = [rest = packed]() mutable { return std::exchange(rest, {}); };
  const auto unpacker = make_unpacker(packed, all_at_once, std::string(source), limit);
  std::string out;
  std::array<char, std::size_t{1} << 16> buffer;
  for (auto got = unpacker->read(buffer); !got.empty(); got = unpacker->read(buffer)) {
    parallel::check_stop(monitor);
    out.append(got.data(), got.size());
  }
  return out;
}

}  // namespace knotwork::files
