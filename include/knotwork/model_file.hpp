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
#include <knotwork/export.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

inline constexpr int kModelFormat = 1;

KNOTWORK_API void save_model(const Model& model, const std::filesystem::path& path);
// Activations are looked up in the given table: a copy of builtin_activations() with the program's
// own added.
KNOTWORK_API Model load_model(const std::filesystem::path& path,
                              const ActivationTable& activations = builtin_activations());

// The same in memory. `source` names the bytes in messages.
KNOTWORK_API std::vector<std::uint8_t> serialise(const Model& model);
KNOTWORK_API Model deserialise(std::span<const std::uint8_t> bytes, const std::string& source,
                               const ActivationTable& activations = builtin_activations());

}  // namespace knotwork
