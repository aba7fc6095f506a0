// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "job.hpp"

#include <knotwork/training.hpp>

namespace bench {
namespace {

using namespace knotwork;

std::size_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stoull(line.substr(6));
  }
  throw std::runtime_error("/proc/self/status does not tell the peak of memory");
}

}  // namespace

// Arguments: ROWS standard|none THREADS. 8 inputs and a target, two iterations of the default
// optimizer with that scaling of all columns.
int peak_memory(Words words) {
  if (words.size() != 3) throw std::runtime_error("peak-memory needs ROWS SCALING THREADS");
  const std::size_t rows = number(words[0]), width = 8;
  std::vector<float> inputs(rows * width), targets(rows);
  // Random enough, and fast, because there are many.
  std::uint32_t state = 1;
  const auto draw = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(state >> 8) / 8388608.0F - 1.0F;
  };
  for (float& x : inputs) x = draw();
  for (std::size_t r = 0; r < rows; ++r) targets[r] = inputs[r] * inputs[rows + r];

  TrainingData data;
  data.inputs = column_major(std::span<const float>(inputs), rows, width);
  data.targets = column_major(std::span<const float>(targets), rows, 1);
  TrainOptions options;
  options.hidden = {5};
  options.iterations = 2;
  options.precision = Precision::float32;
  options.threads = number(words[2]);
  options.scale_inputs = options.scale_target = from_string<ScalingKind>(words[1]);
  train(data, options);
  std::printf("%zu %zu\n", peak_bytes(), (inputs.size() + targets.size()) * sizeof(float));
  return 0;
}

}  // namespace bench
