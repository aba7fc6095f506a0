// SPDX-License-Identifier: MIT
// Model files: safetensors with a JSON record in __metadata__.knotwork; docs/model_file.md has the
// layout. A file is written to a temporary name beside its place, flushed and renamed, so there is
// never half a model. A symbolic link stays and what it leads to is replaced; a device or a pipe is
// written to as it is. Reading checks everything and refuses with one sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/api.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

inline constexpr int kModelFormat = 1;

KNOTWORK_API void save_model(const Model& model, const std::filesystem::path& path);
// Activations are looked up in the given table: a copy of builtin_activations() with the program's
// own added.
KNOTWORK_API Model load_model(const std::filesystem::path& path,
                              const ActivationTable& activations = builtin_activations());

// The same in memory. `source` names the bytes in messages.
KNOTWORK_API std::vector<std::uint8_t> serialize(const Model& model);
KNOTWORK_API Model deserialize(std::span<const std::uint8_t> bytes, const std::string& source,
                               const ActivationTable& activations = builtin_activations());
[[deprecated("is serialize() now")]] inline std::vector<std::uint8_t> serialise(
    const Model& model) {
  return serialize(model);
}
[[deprecated("is deserialize() now")]] inline Model deserialise(
    std::span<const std::uint8_t> bytes, const std::string& source,
    const ActivationTable& activations = builtin_activations()) {
  return deserialize(bytes, source, activations);
}

// Parts of the record as JSON, with the keys of docs/model_file.md: all of it but the hash of the
// file, what happened in training, and scores. Numbers read back exactly; those that are not finite
// are null.
KNOTWORK_API std::string record_json(const Model& model);
KNOTWORK_API std::string summary_json(const Summary& summary);
KNOTWORK_API std::string scores_json(const Scores& scores);

}  // namespace knotwork
