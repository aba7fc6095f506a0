// SPDX-License-Identifier: MIT
// These functions convert a model to its JSON record, which has everything but the tensors'
// numbers, and back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include <knotwork/model.hpp>

namespace knotwork::model_file {

using Json = nlohmann::ordered_json;

// The structure of a network. When it is read back, all tensors are zero. A network of more than
// `numbers` numbers is refused before it is allocated, so that no record can request more memory
// than its file has tensors for.
Json layers_record(const Network& network);
Network network_from(const Json& layers, const ActivationTable& activations, std::size_t numbers);

// The record without the hash of the file.
Json to_record(const Model& model);

// The model that a record describes, with all tensors zero. Throws Error, or a JSON exception when
// an entry is missing.
Model from_record(const Json& record, const ActivationTable& activations, std::size_t numbers);

// The record contains the snapshots of a training one by one, each with its own layers, because
// knots may change in training. They must match these networks. Both functions throw like
// from_record().
void add_snapshots(const std::vector<Snapshot>& snapshots, Json& record);
std::size_t count_snapshots(const Json& record, std::size_t members);
Snapshot snapshot_from(const Json& record, std::size_t number, const std::vector<Network>& members,
                       const ActivationTable& activations, std::size_t numbers);

}  // namespace knotwork::model_file
