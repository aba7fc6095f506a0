// SPDX-License-Identifier: MIT
// The safetensors container: 8 bytes of little-endian header length, a JSON header, raw tensors.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "training/model_tensors.hpp"

namespace knotwork {

// Tensors one after the other, and one metadata text under the key "knotwork".
std::vector<std::uint8_t> write_safetensors(const std::vector<ModelTensor>& tensors,
                                            const std::string& metadata);

struct SafetensorsContent {
  std::map<std::string, ModelTensor> tensors;
  std::string metadata;
};
// Strict: throws bad_model unless the sizes add up to the last byte, tensors neither overlap nor
// leave gaps, and every type is F32 or F64.
SafetensorsContent read_safetensors(std::span<const std::uint8_t> bytes, const std::string& source);

}  // namespace knotwork
