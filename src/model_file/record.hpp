// SPDX-License-Identifier: MIT
// The JSON record of a model: everything but the tensors' numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include <knotwork/model.hpp>

namespace knotwork::model_file {

using Json = nlohmann::ordered_json;

// The structure of a network. Back from it all tensors are zero. A network of more than `numbers`
// numbers is refused before it is made: no record can ask for more memory than its file has tensors
// for.
Json layers_record(const Network& network);
Network network_from(const Json& layers, const ActivationTable& activations, std::size_t numbers);

// Without the hash of the file.
Json to_record(const Model& model);

// The model that a record describes, its tensors all zero. Throws Error, or a JSON exception when
// something is missing.
Model from_record(const Json& record, const ActivationTable& activations, std::size_t numbers);

// The snapshots of a training stand in the record one by one, each with its own layers, since knots
// may change on the way. They must be of these networks. Both calls throw as from_record() does.
void add_snapshots(const std::vector<Snapshot>& snapshots, Json& record);
std::size_t count_snapshots(const Json& record, std::size_t members);
Snapshot snapshot_from(const Json& record, std::size_t number, const std::vector<Network>& members,
                       const ActivationTable& activations, std::size_t numbers);

}  // namespace knotwork::model_file
