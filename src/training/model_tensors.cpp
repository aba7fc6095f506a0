// SPDX-License-Identifier: MIT
#include "training/model_tensors.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace knotwork {
namespace {

template <class T, class Bits>
std::vector<std::uint8_t> write(std::span<const double> values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(T));
  for (double value : values) {
    const auto bits = std::bit_cast<Bits>(static_cast<T>(value));
    for (std::size_t k = 0; k < sizeof(T); ++k) {
      bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
    }
  }
  return bytes;
}

template <class T, class Bits>
std::vector<double> read(std::span<const std::uint8_t> bytes) {
  std::vector<double> values;
  values.reserve(bytes.size() / sizeof(T));
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    Bits bits = 0;
    for (std::size_t k = 0; k < sizeof(T); ++k) bits |= Bits{bytes[at + k]} << (8 * k);
    values.push_back(static_cast<double>(std::bit_cast<T>(bits)));
  }
  return values;
}

}  // namespace

std::vector<std::uint8_t> to_bytes(std::span<const double> values, Precision precision) {
  return precision == Precision::single_ ? write<float, std::uint32_t>(values)
                                         : write<double, std::uint64_t>(values);
}

std::vector<double> from_bytes(std::span<const std::uint8_t> bytes, Precision precision) {
  return precision == Precision::single_ ? read<float, std::uint32_t>(bytes)
                                         : read<double, std::uint64_t>(bytes);
}

std::vector<ModelTensor> model_tensors(const Model& model) {
  std::vector<ModelTensor> all;
  // What is always in double comes first, so that it is aligned whatever follows.
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const std::vector<double>& quantiles = model.inputs[i].scaling.quantiles;
    if (quantiles.empty()) continue;
    all.push_back({fmt::format("inputs.{}.quantiles", i),
                   Precision::double_,
                   {quantiles.size()},
                   to_bytes(quantiles, Precision::double_)});
  }
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    for (const TensorInfo& tensor : network.tensors()) {
      all.push_back({fmt::format("members.{}.{}", m, tensor.name), model.precision, tensor.shape,
                     to_bytes(network.values(tensor), model.precision)});
    }
  }
  return all;
}

}  // namespace knotwork
