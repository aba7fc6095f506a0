// SPDX-License-Identifier: MIT
// The tensors of a model in the order of its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork {

struct ModelTensor {
  std::string name;
  Precision precision;
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> bytes;  // little-endian
};

std::vector<ModelTensor> model_tensors(const Model& model);

// Little-endian bytes of numbers, and back.
std::vector<std::uint8_t> to_bytes(std::span<const double> values, Precision precision);
std::vector<double> from_bytes(std::span<const std::uint8_t> bytes, Precision precision);

}  // namespace knotwork
