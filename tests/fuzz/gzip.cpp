// SPDX-License-Identifier: MIT
// Fuzzes gzip and zstd: packed bytes are unpacked; other bytes are packed and unpacked again.
#include <zlib.h>
#include <zstd.h>

#include <string>

#include "files/packed/unpacking.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace knotwork;

namespace {

std::string packed(std::string_view text) {
  z_stream stream{};
  constexpr int kGzip = 16;
  fuzz::require(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, 8,
                             Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  fuzz::require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string packed_by_zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (files::is_packed(bytes)) {
    fuzz::takes([&] { fuzz::require(files::unpack(bytes, "a file", kLimit).size() <= kLimit); });
  } else {
    fuzz::require(files::unpack(packed(bytes), "a file", kLimit) == bytes);
    fuzz::require(files::unpack(packed_by_zstd(bytes), "a file", kLimit) == bytes);
  }
  return 0;
}
