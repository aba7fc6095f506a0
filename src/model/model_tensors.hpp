// SPDX-License-Identifier: MIT
// The tensors of networks and snapshots, in the order of model files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <knotwork/model.hpp>

namespace knotwork::model {

// Adds the tensors of the training's snapshots, which come after those of the networks.
void add_snapshot_tensors(const std::vector<Snapshot>& snapshots, const std::string& prefix,
                          Precision precision, std::vector<ModelTensor>& tensors);
// Weights and biases of snapshots are not stored.
enum class Kept { all, activations };
// Adds the tensors of one network, with a prefix before their names.
void add_network_tensors(const Network& network, const std::string& prefix, Precision precision,
                         Kept kept, std::vector<ModelTensor>& tensors);

// The prefix of the names of a network's tensors.
std::string member_prefix(std::size_t member);
std::string snapshot_prefix(std::size_t snapshot);

// Converts numbers to little-endian bytes and back.
std::vector<std::uint8_t> to_bytes(std::span<const double> values, Precision precision);
std::vector<double> from_bytes(std::span<const std::uint8_t> bytes, Precision precision);

}  // namespace knotwork::model
