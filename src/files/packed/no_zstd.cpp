// SPDX-License-Identifier: MIT
#include "base/fail.hpp"
#include "files/packed/zstd_frames.hpp"

namespace knotwork::files {

bool knows_zstd() {
  return false;
}

std::unique_ptr<Unpacker> make_zstd_unpacker(Unpacker::Packed, std::string source, std::uint64_t) {
  fail(ErrorKind::bad_data, in_file(source),
       "is packed with zstd, which this build of Knotwork cannot unpack; unpack it, or pack it "
       "with gzip.");
}

}  // namespace knotwork::files
