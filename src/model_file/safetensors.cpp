// SPDX-License-Identifier: MIT
#include "model_file/safetensors.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.hpp"
#include "model_file/strict_json.hpp"

namespace knotwork {
namespace {

// In the order of the file for writing; for reading sorted, so that a header of very many names
// is read in reasonable time.
using OrderedJson = nlohmann::ordered_json;
using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;

std::uint64_t read_length(std::span<const std::uint8_t> bytes) {
  std::uint64_t length = 0;
  for (std::size_t k = 0; k < kLengthBytes; ++k) length |= std::uint64_t{bytes[k]} << (8 * k);
  return length;
}

[[noreturn]] void damaged(const std::string& source, const std::string& what) {
  fail(ErrorKind::bad_model, "{} is not a whole model file: {}.", source, what);
}

// Reads one entry of the header; `begin` and `end` are its place in the data.
ModelTensor read_entry(const std::string& name, const Json& entry, const std::string& source,
                       std::size_t data_size, std::size_t& begin, std::size_t& end) {
  ModelTensor tensor{name, Precision::double_, {}, {}};
  try {
    const std::string type = entry.at("dtype").get<std::string>();
    if (type != "F32" && type != "F64") {
      damaged(source, fmt::format("tensor '{}' has type {}, not F32 or F64", name, type));
    }
    if (type == "F32") tensor.precision = Precision::single_;
    const Json& offsets = entry.at("data_offsets");
    const Json& shape = entry.at("shape");
    if (entry.size() != 3 || !shape.is_array() || !offsets.is_array() || offsets.size() != 2 ||
        !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
      damaged(source, fmt::format("the entry of tensor '{}' is not understood", name));
    }
    begin = offsets[0].get<std::size_t>();
    end = offsets[1].get<std::size_t>();
    std::size_t size = type == "F32" ? 4 : 8;
    for (const Json& extent : shape) {
      if (!extent.is_number_unsigned()) {
        damaged(source, fmt::format("the shape of tensor '{}' is not understood", name));
      }
      const auto n = extent.get<std::size_t>();
      if (n != 0 && size > data_size / n) {
        damaged(source, fmt::format("tensor '{}' is larger than the file", name));
      }
      size *= n;
      tensor.shape.push_back(n);
    }
    if (begin > end || end > data_size || end - begin != size) {
      damaged(source, fmt::format("the size of tensor '{}' does not add up", name));
    }
  } catch (const Json::exception&) {
    damaged(source, fmt::format("the entry of tensor '{}' is not understood", name));
  }
  return tensor;
}

}  // namespace

std::vector<std::uint8_t> write_safetensors(const std::vector<ModelTensor>& tensors,
                                            const std::string& metadata) {
  OrderedJson header;
  header["__metadata__"] = {{"knotwork", metadata}};
  std::size_t offset = 0;
  for (const ModelTensor& tensor : tensors) {
    header[tensor.name] = {{"dtype", tensor.precision == Precision::single_ ? "F32" : "F64"},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that tensors are aligned
  std::vector<std::uint8_t> bytes;
  bytes.reserve(kLengthBytes + text.size() + offset);
  for (std::size_t k = 0; k < kLengthBytes; ++k) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{text.size()} >> (8 * k)));
  }
  bytes.insert(bytes.end(), text.begin(), text.end());
  for (const ModelTensor& tensor : tensors) {
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  return bytes;
}

SafetensorsContent read_safetensors(std::span<const std::uint8_t> bytes,
                                    const std::string& source) {
  if (bytes.size() < kLengthBytes) damaged(source, "it is shorter than 8 bytes");
  const std::uint64_t length = read_length(bytes);
  if (length > bytes.size() - kLengthBytes) damaged(source, "its header is longer than the file");
  const auto header_bytes = bytes.subspan(kLengthBytes, static_cast<std::size_t>(length));
  const auto data = bytes.subspan(kLengthBytes + static_cast<std::size_t>(length));
  const std::string_view text(reinterpret_cast<const char*>(header_bytes.data()),
                              header_bytes.size());
  // A name that stands twice would silently lose one tensor.
  const std::optional<Json> header = parse_strictly<Json>(text);
  if (!header) damaged(source, "its header is not JSON, or has a name twice");
  if (!header->is_object()) damaged(source, "its header is not a list of tensors");

  SafetensorsContent content;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const auto& [name, entry] : header->items()) {
    if (name == "__metadata__") {
      if (!entry.is_object() || !entry.contains("knotwork") || !entry["knotwork"].is_string()) {
        fail(ErrorKind::bad_model,
             "{} is a safetensors file but not one of Knotwork's: it has no 'knotwork' record.",
             source);
      }
      content.metadata = entry["knotwork"].get<std::string>();
      continue;
    }
    std::size_t begin = 0, end = 0;
    ModelTensor tensor = read_entry(name, entry, source, data.size(), begin, end);
    const auto place = data.subspan(begin, end - begin);
    tensor.bytes.assign(place.begin(), place.end());
    places.emplace_back(begin, end);
    content.tensors.emplace(name, std::move(tensor));
  }
  if (content.metadata.empty()) {
    fail(ErrorKind::bad_model,
         "{} is a safetensors file but not one of Knotwork's: it has no 'knotwork' record.",
         source);
  }
  std::sort(places.begin(), places.end());
  std::size_t at = 0;
  for (const auto& [begin, end] : places) {
    if (begin != at) damaged(source, "its tensors overlap or leave a gap");
    at = end;
  }
  if (at != data.size()) damaged(source, "it has bytes that belong to no tensor");
  return content;
}

}  // namespace knotwork
