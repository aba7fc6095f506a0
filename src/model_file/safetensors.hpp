// SPDX-License-Identifier: MIT
// These functions write and read the tensors and the record of a model as a safetensors file.
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

// The name of the file's kind in error messages.
inline constexpr files::FileRole kModelFile{ErrorKind::bad_model, "model file"};
inline constexpr files::FileRole kCheckpointFile{ErrorKind::bad_model, "checkpoint"};

// Throws bad_model unless these bytes, however few, can be the beginning of a safetensors file;
// says so if they are a table.
void check_safetensors(std::span<const std::uint8_t> start, const std::string& source,
                       files::FileRole role);

// Writes the tensors one after the other, and one metadata text under the key "knotwork". Throws
// bad_model, beginning with `refusal` ("The model cannot be saved"), if the header would be
// larger than readers accept.
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
