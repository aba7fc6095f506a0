// SPDX-License-Identifier: MIT
#include "data/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>

#include "base/fail.hpp"

namespace knotwork {
namespace {

constexpr std::string_view kMagic = "\x1F\x8B";

class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16;  // added to the window size: no zlib or raw streams
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Unpacks the member at the start of `packed` and moves that behind it.
  void append_member(std::string_view& packed, std::string& out, std::string_view source,
                     std::uint64_t limit) {
    inflateReset(&stream_);
    std::array<char, std::size_t{1} << 16> buffer;
    int status = Z_OK;
    while (status != Z_STREAM_END) {
      // zlib counts in 32 bits.
      const std::size_t offered = std::min(packed.size(), std::size_t{1} << 30);
      // zlib does not write to its input; the interface is older than const.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream_.avail_in = static_cast<uInt>(offered);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(buffer.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      packed.remove_prefix(offered - stream_.avail_in);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      // No progress is possible only where the input has ended.
      if (status == Z_BUF_ERROR) {
        fail(ErrorKind::bad_data,
             "{} ends in the middle of its gzip data; copy or pack the table again.", source);
      }
      if (status != Z_OK && status != Z_STREAM_END) {
        fail(ErrorKind::bad_data, "{} holds damaged gzip data ({}); copy or pack the table again.",
             source, stream_.msg != nullptr ? stream_.msg : "it needs a dictionary");
      }
      const std::size_t got = buffer.size() - stream_.avail_out;
      if (got > limit - out.size()) {
        fail(ErrorKind::bad_data,
             "{} unpacks to more than {:.3g} GiB, the most a packed table may hold; unpack it first.",
             source, static_cast<double>(limit) / (std::uint64_t{1} << 30));
      }
      out.append(buffer.data(), got);
    }
  }

 private:
  z_stream stream_{};
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

std::string gunzip(std::string_view packed, std::string_view source, std::uint64_t limit) {
  Inflater inflater;
  std::string out;
  do {
    inflater.append_member(packed, out, source, limit);
  } while (is_gzip(packed));
  if (packed.find_first_not_of('\0') != std::string_view::npos) {
    fail(ErrorKind::bad_data,
         "{} goes on behind its gzip data with something else; pack the table again.", source);
  }
  return out;
}

}  // namespace knotwork
