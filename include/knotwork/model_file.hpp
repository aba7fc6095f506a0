// SPDX-License-Identifier: MIT
// save_model() and load_model() write and read model files: safetensors with a JSON record in
// __metadata__.knotwork; docs/model_file.md describes the layout. A file is written to a temporary
// name in the same folder, flushed and renamed, so that a partial model never exists. A symbolic
// link is kept and its target replaced; a device or a pipe is written to directly. Reading checks
// everything and refuses a bad file with one sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>

namespace knotwork {

// The newest format. A model that needs nothing of it is written in format 1.
inline constexpr int kModelFormat = 2;
// The format in which a model is written.
KNOTWORK_API int model_format(const Model& model);

// A Monitor is only used during the call. While bytes are written to their final place, a request
// to stop only ends a write that does not progress, as into a pipe that nobody reads: the file may
// contain hours of training.
KNOTWORK_API void save_model(const Model& model, const std::filesystem::path& path,
                             Monitor* monitor = nullptr);
// Activations are looked up in the given table: a copy of builtin_activations() with the program's
// own added.
KNOTWORK_API Model load_model(const std::filesystem::path& path,
                              const ActivationTable& activations = builtin_activations(),
                              Monitor* monitor = nullptr);

// Write and read the bytes of a model file in memory. `source` is the name of the bytes in
// messages.
KNOTWORK_API std::vector<std::uint8_t> serialize(const Model& model);
KNOTWORK_API Model deserialize(std::span<const std::uint8_t> bytes, const std::string& source,
                               const ActivationTable& activations = builtin_activations(),
                               Monitor* monitor = nullptr);
[[deprecated("is serialize() now")]] inline std::vector<std::uint8_t> serialise(
    const Model& model) {
  return serialize(model);
}
[[deprecated("is deserialize() now")]] inline Model deserialise(
    std::span<const std::uint8_t> bytes, const std::string& source,
    const ActivationTable& activations = builtin_activations()) {
  return deserialize(bytes, source, activations);
}

// Parts of the record as JSON, with the keys of docs/model_file.md: everything except the hash of
// the file, the events of training, and the scores. Numbers read back exactly; numbers that are not
// finite are null.
KNOTWORK_API std::string record_json(const Model& model);
KNOTWORK_API std::string summary_json(const Summary& summary);
KNOTWORK_API std::string scores_json(const Scores& scores);

}  // namespace knotwork
