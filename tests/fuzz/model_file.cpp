// SPDX-License-Identifier: MIT
// Fuzzes model files, unchanged and with a corrected hash: almost every change would fail at the
// hash.
#include <vector>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/hashed.hpp"

#include <knotwork/model_file.hpp>

using namespace knotwork;

namespace {

using fuzz::Bytes;

// An accepted model is usable, and is the same after it is saved and read again.
void check_use(const Model& model) {
  const std::vector<double> row(model.inputs.size(), 0.5);
  std::vector<double> predictions(model.predictions());
  fuzz::takes([&] {
    model.predict(row_major(std::span<const double>(row), 1, row.size()),
                  row_major(std::span<double>(predictions), 1, predictions.size()));
  });
  Bytes saved;
  if (!fuzz::takes([&] { saved = serialize(model); })) return;
  fuzz::require(serialize(deserialize(saved, "a saved file")) == saved);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, data + size);
  if (fuzz::takes([&] { deserialize(bytes, "a file"); })) return 0;
  fuzz::put_hash_right(bytes);
  fuzz::takes([&] { check_use(deserialize(bytes, "a file")); });
  return 0;
}
