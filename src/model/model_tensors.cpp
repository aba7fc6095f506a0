// SPDX-License-Identifier: MIT
#include "model/model_tensors.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace knotwork {

using namespace model;

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

std::vector<std::uint8_t> model::to_bytes(std::span<const double> values, Precision precision) {
  return precision == Precision::float32 ? write<float, std::uint32_t>(values)
                                         : write<double, std::uint64_t>(values);
}

std::vector<double> model::from_bytes(std::span<const std::uint8_t> bytes, Precision precision) {
  return precision == Precision::float32 ? read<float, std::uint32_t>(bytes)
                                         : read<double, std::uint64_t>(bytes);
}

std::vector<double> ModelTensor::values() const {
  return from_bytes(bytes, precision);
}

std::vector<ModelTensor> model_tensors(const Model& model) {
  std::vector<ModelTensor> all;
  // Tensors that are always in double come first, so that they are aligned whatever follows.
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const auto add = [&](std::string_view name, const std::vector<double>& numbers) {
      if (numbers.empty()) return;
      all.push_back({fmt::format("inputs.{}.{}", i, name),
                     Precision::float64,
                     {numbers.size()},
                     to_bytes(numbers, Precision::float64)});
    };
    add("quantiles", model.inputs[i].scaling.quantiles);
    add("values", model.inputs[i].values);
  }
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    add_network_tensors(model.members[m], member_prefix(m), model.precision, Kept::all, all);
  }
  return all;
}

void model::add_snapshot_tensors(const std::vector<Snapshot>& snapshots, const std::string& prefix,
                                 Precision precision, std::vector<ModelTensor>& tensors) {
  for (std::size_t k = 0; k < snapshots.size(); ++k) {
    add_network_tensors(snapshots[k].network, prefix + snapshot_prefix(k), precision,
                        Kept::activations, tensors);
  }
}

void model::add_network_tensors(const Network& network, const std::string& prefix,
                                Precision precision, Kept kept, std::vector<ModelTensor>& tensors) {
  for (const TensorInfo& tensor : network.tensors()) {
    if (kept == Kept::activations && tensor.group != ParameterGroup::activation) continue;
    tensors.push_back({prefix + tensor.name, precision, tensor.shape,
                       to_bytes(network.values(tensor), precision)});
  }
}

std::string model::member_prefix(std::size_t member) {
  return fmt::format("members.{}.", member);
}

std::string model::snapshot_prefix(std::size_t snapshot) {
  return fmt::format("snapshots.{}.", snapshot);
}

}  // namespace knotwork
