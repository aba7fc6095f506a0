// SPDX-License-Identifier: MIT
#include "files/packed/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "base/fail.hpp"

namespace knotwork::files {

class GzipReader::Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16;  // added to the window size: no zlib or raw streams
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void begin_member() { inflateReset(&stream_); }

  // Moves both ranges past the bytes that were used. Returns whether the member has ended.
  bool inflate_some(std::string_view& packed, std::span<char>& out, const std::string& source) {
    // zlib counts in 32 bits.
    const std::size_t offered = std::min(packed.size(), std::size_t{1} << 30);
    const std::size_t room = std::min(out.size(), std::size_t{1} << 30);
    // zlib does not change its input, but its interface is older than const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(offered);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(offered - stream_.avail_in);
    out = out.subspan(room - stream_.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      fail(ErrorKind::bad_data, in_file(source),
           "contains damaged gzip data ({}); copy or pack the table again.",
           stream_.msg != nullptr ? stream_.msg : "it needs a dictionary");
    }
    return status == Z_STREAM_END;
  }

 private:
  z_stream stream_{};
};

GzipReader::GzipReader(Packed packed, std::string source, std::uint64_t limit)
    : Unpacker(std::move(packed), std::move(source), limit),
      inflater_(std::make_unique<Inflater>()) {}

GzipReader::~GzipReader() = default;

void GzipReader::pass_boundary() {
  const auto refuse = [&] {
    fail(ErrorKind::bad_data, in_file(source()),
         "has other bytes after its gzip data; pack the table again.");
  };
  at_ = At::end;
  if (!refill()) return;
  if (left().front() == kGzipStart.front()) {
    // The first byte of the next member may be the last available byte.
    std::string_view first = left().substr(0, 1);
    inflater_->begin_member();
    char unused = 0;  // the first byte of a header gives no output
    std::span<char> nothing(&unused, 1);
    inflater_->inflate_some(first, nothing, source());
    left().remove_prefix(1);
    if (!refill() || left().front() != kGzipStart.back()) refuse();
    at_ = At::member;
    return;
  }
  for (; refill(); left() = {}) {
    if (left().find_first_not_of('\0') != std::string_view::npos) refuse();
  }
}

std::size_t GzipReader::unpack(std::span<char> buffer) {
  std::span<char> out = buffer;
  while (out.size() == buffer.size() && at_ != At::end) {
    if (at_ == At::boundary) {
      pass_boundary();
      continue;
    }
    // zlib may still hold unpacked bytes. The data is incomplete only if zlib returns no bytes
    // after the end of the packed bytes.
    const bool more = refill();
    if (inflater_->inflate_some(left(), out, source())) {
      at_ = At::boundary;
    } else if (!more && out.size() == buffer.size()) {
      fail(ErrorKind::bad_data, in_file(source()),
           "ends in the middle of its gzip data; copy or pack the table again.");
    }
  }
  return buffer.size() - out.size();
}

}  // namespace knotwork::files
