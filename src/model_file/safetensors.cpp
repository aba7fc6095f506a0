// SPDX-License-Identifier: MIT
#include "model_file/safetensors.hpp"

#include <utility>

#include "base/fail.hpp"

namespace knotwork::model_file {
namespace {

constexpr std::size_t kAlignment = 8;

void refuse_table(std::span<const std::uint8_t> bytes, const std::string& source,
                  files::FileRole role) {
  if (files::starts_like_table_file({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) {
    fail(ErrorKind::bad_model, in_file(source),
         "is a table, not a {}; name a file that train wrote.", role.name);
  }
}

}  // namespace

void check_safetensors(std::span<const std::uint8_t> start, const std::string& source,
                       files::FileRole role) {
  files::check_safetensors_start(start, source, role);
  refuse_table(start, source, role);
}

std::vector<std::uint8_t> write_safetensors(const std::vector<ModelTensor>& tensors,
                                            const std::string& metadata, std::string_view refusal) {
  std::vector<files::TensorPlace> places;
  std::size_t offset = 0;
  for (const ModelTensor& tensor : tensors) {
    const std::size_t end = offset + tensor.bytes.size();
    places.push_back({tensor.name, tensor.precision == Precision::float32 ? "F32" : "F64",
                      tensor.shape, offset, end});
    offset = end;
  }
  std::vector<std::uint8_t> bytes = files::write_safetensors_header(places, metadata, kAlignment);
  if (bytes.empty()) {
    fail(ErrorKind::bad_model,
         "{}: its header would have more than {} bytes, the limit for readers.", refusal,
         files::kMaxHeaderBytes);
  }
  bytes.reserve(bytes.size() + offset);
  for (const ModelTensor& tensor : tensors) {
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  return bytes;
}

SafetensorsContent read_safetensors(std::span<const std::uint8_t> bytes, const std::string& source,
                                    files::FileRole role) {
  refuse_table(bytes, source, role);
  files::SafetensorsHeader header =
      files::read_safetensors_header(bytes, bytes.size(), source, role);
  const auto data = bytes.subspan(header.data_begin);
  SafetensorsContent content{.tensors = {}, .metadata = std::move(header.record)};
  for (files::TensorPlace& place : header.tensors) {
    if (place.type != "F32" && place.type != "F64") {
      fail(ErrorKind::bad_model, in_file(source),
           "is not a complete {}: tensor '{}' has type {}, not F32 or F64.", role.name, place.name,
           place.type);
    }
    const auto place_bytes = data.subspan(place.begin, place.end - place.begin);
    ModelTensor tensor{place.name,
                       place.type == "F32" ? Precision::float32 : Precision::float64,
                       std::move(place.shape),
                       {place_bytes.begin(), place_bytes.end()}};
    content.tensors.emplace(std::move(place.name), std::move(tensor));
  }
  return content;
}

}  // namespace knotwork::model_file
