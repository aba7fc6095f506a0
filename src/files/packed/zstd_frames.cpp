// SPDX-License-Identifier: MIT
#include "files/packed/zstd_frames.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <cstddef>
#include <new>
#include <utility>

#include "base/fail.hpp"

namespace knotwork::files {
namespace {

// The memory for unpacking is 2 to this power. Files that need more are packed with `zstd --long`
// and 28 or more.
constexpr int kMaxWindowLog = 27;

class ZstdReader final : public Unpacker {
 public:
  ZstdReader(Packed packed, std::string source, std::uint64_t limit)
      : Unpacker(std::move(packed), std::move(source), limit), context_(ZSTD_createDCtx()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::size_t unpack(std::span<char> buffer) override {
    ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
    while (out.pos == 0) {
      const bool more = refill();
      if (!more && !in_frame_) return 0;
      ZSTD_inBuffer in = {left().data(), left().size(), 0};
      const std::size_t wanted = ZSTD_decompressStream(context_.get(), &out, &in);
      left().remove_prefix(in.pos);
      if (ZSTD_isError(wanted)) refuse(wanted);
      in_frame_ = wanted != 0;
      if (!more && in_frame_ && out.pos == 0) {
        fail(ErrorKind::bad_data, in_file(source()),
             "ends in the middle of its zstd data; copy or pack the table again.");
      }
    }
    return out.pos;
  }

  [[noreturn]] void refuse(std::size_t code) const {
    const ZSTD_ErrorCode error = ZSTD_getErrorCode(code);
    if (error == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (error == ZSTD_error_frameParameter_windowTooLarge) {
      fail(ErrorKind::bad_data, in_file(source()),
           "needs more than {} MiB of memory to be unpacked, because it was packed by zstd with a "
           "long window; unpack it first.",
           std::size_t{1} << (kMaxWindowLog - 20));
    }
    fail(ErrorKind::bad_data, in_file(source()),
         "contains damaged zstd data ({}); copy or pack the table again.",
         ZSTD_getErrorString(error));
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_;
  bool in_frame_ = false;
};

}  // namespace

bool knows_zstd() {
  return true;
}

std::unique_ptr<Unpacker> make_zstd_unpacker(Unpacker::Packed packed, std::string source,
                                             std::uint64_t limit) {
  return std::make_unique<ZstdReader>(std::move(packed), std::move(source), limit);
}

}  // namespace knotwork::files
