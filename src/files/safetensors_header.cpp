// SPDX-License-Identifier: MIT
#include "files/safetensors_header.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/fail.hpp"
#include "base/quoting.hpp"
#include "files/strict_json.hpp"

namespace knotwork::files {
namespace {

// Sorted, so that a header of very many names is read in reasonable time.
using Json = nlohmann::json;

std::uint64_t read_length(std::span<const std::uint8_t> bytes) {
  std::uint64_t length = 0;
  for (std::size_t k = 0; k < kHeaderLengthBytes; ++k) {
    length |= std::uint64_t{bytes[k]} << (8 * k);
  }
  return length;
}

class HeaderReader {
 public:
  HeaderReader(const std::string& source, FileRole role) : source_(source), role_(role) {}

  [[noreturn]] void damaged(const std::string& what) const {
    fail(role_.kind, in_file(source_), "is not a complete {}: {}.", role_.name,
         shown(what, kShownSentence));
  }
  [[noreturn]] void refuse_unless_text() const {
    fail(role_.kind, in_file(source_),
         "is a safetensors file but not one of Knotwork's: it has no 'knotwork' record.");
  }

  void check_length(std::uint64_t length) const {
    if (length <= kMaxHeaderBytes) return;
    damaged(fmt::format("its header would have {} bytes, more than the limit of {}", length,
                        kMaxHeaderBytes));
  }

  SafetensorsHeader read(std::string_view text, std::uint64_t data_size) const {
    // A repeated name would silently lose one tensor.
    const std::optional<Json> json = parse_strictly<Json>(text);
    if (!json) damaged("its header is not JSON, has a name twice, or is nested too deeply");
    if (!json->is_object()) damaged("its header is not a list of tensors");
    SafetensorsHeader header;
    for (const auto& [name, entry] : json->items()) {
      if (name == "__metadata__") {
        header.record = read_record(entry);
      } else {
        header.tensors.push_back(read_entry(name, entry, data_size));
      }
    }
    if (header.record.empty()) refuse_unless_text();
    sort_and_check(header.tensors, data_size);
    return header;
  }

 private:
  std::string read_record(const Json& metadata) const {
    if (!metadata.is_object() || !metadata.contains("knotwork") ||
        !metadata["knotwork"].is_string()) {
      refuse_unless_text();
    }
    return metadata["knotwork"].get<std::string>();
  }

  TensorPlace read_entry(const std::string& name, const Json& entry,
                         std::uint64_t data_size) const {
    TensorPlace tensor{.name = name, .type = {}, .shape = {}};
    try {
      tensor.type = entry.at("dtype").get<std::string>();
      const Json& offsets = entry.at("data_offsets");
      const Json& shape = entry.at("shape");
      if (entry.size() != 3 || !shape.is_array() || !offsets.is_array() || offsets.size() != 2 ||
          !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
        damaged(fmt::format("the entry of tensor '{}' is invalid", name));
      }
      tensor.begin = offsets[0].get<std::uint64_t>();
      tensor.end = offsets[1].get<std::uint64_t>();
      read_shape(shape, data_size, tensor);
    } catch (const Json::exception&) {
      damaged(fmt::format("the entry of tensor '{}' is invalid", name));
    }
    return tensor;
  }

  void read_shape(const Json& shape, std::uint64_t data_size, TensorPlace& tensor) const {
    std::uint64_t size = item_bytes(tensor.type);
    if (size == 0) {
      damaged(fmt::format("tensor '{}' has the unsupported type {}", tensor.name, tensor.type));
    }
    for (const Json& extent : shape) {
      if (!extent.is_number_unsigned()) {
        damaged(fmt::format("the shape of tensor '{}' is invalid", tensor.name));
      }
      const auto n = extent.get<std::uint64_t>();
      if (n != 0 && size > data_size / n) {
        damaged(fmt::format("tensor '{}' is larger than the file", tensor.name));
      }
      if (n > std::numeric_limits<std::size_t>::max()) {
        damaged(fmt::format("the size of tensor '{}' overflows", tensor.name));
      }
      size *= n;
      tensor.shape.push_back(static_cast<std::size_t>(n));
    }
    if (tensor.begin > tensor.end || tensor.end > data_size || tensor.end - tensor.begin != size) {
      damaged(fmt::format("the size of tensor '{}' does not match its shape", tensor.name));
    }
  }

  void sort_and_check(std::vector<TensorPlace>& tensors, std::uint64_t data_size) const {
    std::sort(tensors.begin(), tensors.end(), [](const TensorPlace& a, const TensorPlace& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t at = 0;
    for (const TensorPlace& tensor : tensors) {
      if (tensor.begin != at) damaged("its tensors overlap or leave a gap");
      at = tensor.end;
    }
    if (at != data_size) damaged("it has bytes that belong to no tensor");
  }

  const std::string& source_;
  FileRole role_;
};

}  // namespace

std::size_t item_bytes(std::string_view type) {
  if (type == "F64") return 8;
  if (type == "F32" || type == "U32") return 4;
  if (type == "U16") return 2;
  return type == "U8" ? 1 : 0;
}

// No text has a byte 0 or 255. A length that is not forged has zeros.
bool starts_like_safetensors(std::string_view bytes) {
  constexpr std::string_view kNotText("\0\xFF", 2);
  return bytes.size() > kHeaderLengthBytes && bytes[kHeaderLengthBytes] == '{' &&
         bytes.substr(0, kHeaderLengthBytes).find_first_of(kNotText) != std::string_view::npos;
}

bool starts_like_table_file(std::string_view bytes) {
  constexpr std::string_view kStart = R"({"__metadata__":{"knotwork":"{\"kind\":\"table\",)";
  static_assert(kHeaderLengthBytes + kStart.size() <= kTableStartBytes);
  return starts_like_safetensors(bytes) && bytes.substr(kHeaderLengthBytes).starts_with(kStart);
}

void check_safetensors_start(std::span<const std::uint8_t> bytes, const std::string& source,
                             FileRole role) {
  if (bytes.size() <= kHeaderLengthBytes) return;
  const HeaderReader reader(source, role);
  reader.check_length(read_length(bytes));
  if (bytes[kHeaderLengthBytes] != '{') reader.damaged("its header is not a list of tensors");
}

std::size_t header_extent(std::span<const std::uint8_t> start, std::uint64_t file_size,
                          const std::string& source, FileRole role) {
  const HeaderReader reader(source, role);
  if (start.size() < kHeaderLengthBytes || file_size < kHeaderLengthBytes) {
    reader.damaged("it is shorter than 8 bytes");
  }
  const std::uint64_t length = read_length(start);
  if (length > file_size - kHeaderLengthBytes) {
    reader.damaged("its header is longer than the file");
  }
  reader.check_length(length);
  return kHeaderLengthBytes + static_cast<std::size_t>(length);
}

SafetensorsHeader read_safetensors_header(std::span<const std::uint8_t> start,
                                          std::uint64_t file_size, const std::string& source,
                                          FileRole role) {
  const std::size_t extent = header_extent(start, file_size, source, role);
  const HeaderReader reader(source, role);
  if (start.size() < extent) reader.damaged("its header is longer than the file");
  const auto text = start.subspan(kHeaderLengthBytes, extent - kHeaderLengthBytes);
  SafetensorsHeader header =
      reader.read({reinterpret_cast<const char*>(text.data()), text.size()}, file_size - extent);
  header.data_begin = extent;
  return header;
}

std::vector<std::uint8_t> write_safetensors_header(const std::vector<TensorPlace>& tensors,
                                                   const std::string& record,
                                                   std::size_t alignment) {
  // Built entry by entry, because an ordered object would search all earlier names for each name.
  std::string text = R"({"__metadata__":)" + json_text(Json{{"knotwork", record}});
  for (const TensorPlace& tensor : tensors) {
    text += fmt::format(R"(,{}:{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})",
                        json_text(Json(tensor.name)), tensor.type, json_text(Json(tensor.shape)),
                        tensor.begin, tensor.end);
  }
  text += '}';
  const std::size_t before = kHeaderLengthBytes + text.size();
  text.resize(text.size() + (alignment - before % alignment) % alignment, ' ');
  if (text.size() > kMaxHeaderBytes) return {};
  std::vector<std::uint8_t> bytes;
  bytes.reserve(kHeaderLengthBytes + text.size());
  for (std::size_t k = 0; k < kHeaderLengthBytes; ++k) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{text.size()} >> (8 * k)));
  }
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

}  // namespace knotwork::files
