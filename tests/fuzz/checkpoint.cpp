// SPDX-License-Identifier: MIT
// Fuzzes checkpoints, unchanged and with a corrected hash.
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/hashed.hpp"

#include <knotwork/checkpoint.hpp>

using namespace knotwork;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, data + size);
  if (fuzz::takes([&] { deserialize_checkpoint(bytes, "a file"); })) return 0;
  fuzz::put_hash_right(bytes);
  // An accepted checkpoint is the same after it is saved and read again.
  fuzz::takes([&] {
    const fuzz::Bytes saved = serialize(deserialize_checkpoint(bytes, "a file"));
    fuzz::require(serialize(deserialize_checkpoint(saved, "a saved file")) == saved);
  });
  return 0;
}
