// SPDX-License-Identifier: MIT
// Tensors of networks and snapshots in the order of model files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork::model {

// Those of the snapshots of its training, which stand behind them.
void add_snapshot_tensors(const std::vector<Snapshot>& snapshots, const std::string& prefix,
                          Precision precision, std::vector<ModelTensor>& tensors);
// Weights and biases of snapshots are not kept.
enum class Kept { all, activations };
// Those of one network, with a prefix before their names.
void add_network_tensors(const Network& network, const std::string& prefix, Precision precision,
                         Kept kept, std::vector<ModelTensor>& tensors);

// What the names of the tensors of a network begin with.
std::string member_prefix(std::size_t member);
std::string snapshot_prefix(std::size_t snapshot);

// Little-endian bytes of numbers, and back.
std::vector<std::uint8_t> to_bytes(std::span<const double> values, Precision precision);
std::vector<double> from_bytes(std::span<const std::uint8_t> bytes, Precision precision);

}  // namespace knotwork::model
