// SPDX-License-Identifier: MIT
// The JSON record of a model: everything but the tensors' numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include <knotwork/model.hpp>

namespace knotwork {

using Json = nlohmann::ordered_json;

// `sha256` is left as 64 zeros.
Json to_record(const Model& model);

// The model that a record describes, its tensors all zero. Throws Error, or a JSON exception when
// something is missing. A network of more than `numbers` numbers is refused before it is made: no
// record can ask for more memory than its file has tensors for.
Model from_record(const Json& record, const ActivationTable& activations, std::size_t numbers);

}  // namespace knotwork
