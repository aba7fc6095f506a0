// SPDX-License-Identifier: MIT
// Checkpoints as files: safetensors with a JSON record, like model files (docs/checkpoints.md), and
// like them written so that there is the old one or the new one, whole, and checked when read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/export.hpp>

namespace knotwork {

inline constexpr int kCheckpointFormat = 1;

KNOTWORK_API void save_checkpoint(const TrainingState& state, const std::filesystem::path& path);
// Activations are looked up in the given table, as load_model() does.
KNOTWORK_API TrainingState load_checkpoint(
    const std::filesystem::path& path, const ActivationTable& activations = builtin_activations());

// The same in memory. `source` names the bytes in messages.
KNOTWORK_API std::vector<std::uint8_t> serialise(const TrainingState& state);
KNOTWORK_API TrainingState
deserialise_checkpoint(std::span<const std::uint8_t> bytes, const std::string& source,
                       const ActivationTable& activations = builtin_activations());

}  // namespace knotwork
