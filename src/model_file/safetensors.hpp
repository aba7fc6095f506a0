// SPDX-License-Identifier: MIT
// The tensors of a model and its record as a safetensors file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/safetensors_header.hpp"
#include "model/model_tensors.hpp"

namespace knotwork::model_file {

// What the file is supposed to be, for refusals.
inline constexpr files::FileRole kModelFile{ErrorKind::bad_model, "model file"};
inline constexpr files::FileRole kCheckpointFile{ErrorKind::bad_model, "checkpoint"};

// Throws bad_model unless a file of tensors may begin like this, however few bytes these are, and
// is no table.
void check_safetensors(std::span<const std::uint8_t> start, const std::string& source,
                       files::FileRole role);

// Tensors one after the other, and one metadata text under the key "knotwork". Throws bad_model,
// beginning with `refusal` ("The model cannot be saved"), if that is more than is read.
std::vector<std::uint8_t> write_safetensors(const std::vector<ModelTensor>& tensors,
                                            const std::string& metadata, std::string_view refusal);

struct SafetensorsContent {
  std::map<std::string, ModelTensor> tensors;
  std::string metadata;
};
// Strict: throws bad_model unless the sizes add up to the last byte, tensors neither overlap nor
// leave gaps, and every type is F32 or F64.
SafetensorsContent read_safetensors(std::span<const std::uint8_t> bytes, const std::string& source,
                                    files::FileRole role = kModelFile);

}  // namespace knotwork::model_file
