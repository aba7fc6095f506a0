// SPDX-License-Identifier: MIT
#include <knotwork/model_file.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "model_file/file_io.hpp"
#include "model_file/record.hpp"
#include "model_file/safetensors.hpp"
#include "model_file/strict_json.hpp"

namespace knotwork {
namespace {

// The hash stands inside the file as the value of this key, escaped because the record is a text
// within JSON. It covers the whole file with its own digits taken as zeros.
constexpr std::string_view kHashKey = R"(\"sha256\":\")";
constexpr std::size_t kHashDigits = 64;

// Where the 64 digits of the hash stand, or npos. The record is written with its hash last, so the
// last occurrence in the header is the one, whatever columns are called.
std::size_t find_hash(std::span<const std::uint8_t> bytes) {
  std::uint64_t header = 0;
  for (std::size_t k = 0; k < 8; ++k) header |= std::uint64_t{bytes[k]} << (8 * k);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              8 + static_cast<std::size_t>(header));
  const std::size_t key = text.rfind(kHashKey);
  if (key == std::string_view::npos || key + kHashKey.size() + kHashDigits > text.size()) {
    return std::string_view::npos;
  }
  return key + kHashKey.size();
}

std::string hash_with_zeros(std::span<const std::uint8_t> bytes, std::size_t digits) {
  const std::vector<std::uint8_t> zeros(kHashDigits, '0');
  Sha256 sha;
  sha.update(bytes.first(digits));
  sha.update(zeros);
  sha.update(bytes.subspan(digits + kHashDigits));
  return sha.hex_digest();
}

// What deserialise() would refuse must not be written in the first place.
void check_savable(const Model& model) {
  model.check();
  for (const Network& network : model.members) {
    for (const TensorInfo& tensor : network.tensors()) {
      for (double value : network.values(tensor)) {
        const bool finite = model.precision == Precision::single_
                                ? std::abs(value) <= std::numeric_limits<float>::max()
                                : std::isfinite(value);
        if (!finite) {
          fail(ErrorKind::bad_model,
               "The model cannot be saved: tensor '{}' holds a number that is not finite.",
               tensor.name);
        }
      }
    }
  }
}

std::vector<double> take(SafetensorsContent& content, const std::string& name,
                         const std::vector<std::size_t>& shape, Precision precision) {
  const auto it = content.tensors.find(name);
  if (it == content.tensors.end()) fail(ErrorKind::bad_model, "it has no tensor '{}'", name);
  if (it->second.shape != shape || it->second.precision != precision) {
    fail(ErrorKind::bad_model, "tensor '{}' has another shape or type than its record says", name);
  }
  std::vector<double> values = from_bytes(it->second.bytes, precision);
  for (double value : values) {
    if (!std::isfinite(value)) {
      fail(ErrorKind::bad_model, "tensor '{}' holds a number that is not finite", name);
    }
  }
  content.tensors.erase(it);
  return values;
}

void fill_network(Model& model, std::size_t member, SafetensorsContent& content) {
  Network& network = model.members[member];
  for (const TensorInfo& tensor : network.tensors()) {
    const auto values = take(content, fmt::format("members.{}.{}", member, tensor.name),
                             tensor.shape, model.precision);
    std::copy(values.begin(), values.end(), network.values(tensor).begin());
  }
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
      network.layers()[l].activation->check_tensors(
          network.activation_tensors(l, neuron, network.parameters()));
    }
  }
}

void fill_quantiles(Model& model, SafetensorsContent& content) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    Scaling& scaling = model.inputs[i].scaling;
    if (scaling.kind != ScalingKind::quantile && scaling.kind != ScalingKind::uniform) continue;
    const std::string name = fmt::format("inputs.{}.quantiles", i);
    const auto it = content.tensors.find(name);
    const std::size_t size =
        it == content.tensors.end() || it->second.shape.empty() ? 0 : it->second.shape[0];
    scaling.quantiles = take(content, name, {size}, Precision::double_);
    if (size == 0 || !std::is_sorted(scaling.quantiles.begin(), scaling.quantiles.end())) {
      fail(ErrorKind::bad_model, "the quantiles of column '{}' are not sorted",
           model.inputs[i].column);
    }
  }
}

// The messages of what this calls go on a sentence that names the file.
Model build(const Json& record, SafetensorsContent& content, const ActivationTable& activations) {
  std::size_t numbers = 0;
  for (const auto& [name, tensor] : content.tensors) {
    numbers += tensor.bytes.size() / (tensor.precision == Precision::single_ ? 4 : 8);
  }
  Model model = from_record(record, activations, numbers);
  for (std::size_t m = 0; m < model.members.size(); ++m) fill_network(model, m, content);
  fill_quantiles(model, content);
  if (!content.tensors.empty()) {
    fail(ErrorKind::bad_model, "nothing in its record explains tensor '{}'",
         content.tensors.begin()->first);
  }
  return model;
}

void check_format(const Json& record, const std::string& source) {
  const auto it = record.find("format");
  if (it == record.end() || !it->is_number_unsigned()) return;  // said later
  const auto format = it->get<std::uint64_t>();
  if (format <= kModelFormat) return;
  fail(ErrorKind::bad_model,
       "{} has format {}, which is newer than the {} that this version of Knotwork reads; a newer "
       "version is needed.",
       source, format, kModelFormat);
}

void check_hash(std::span<const std::uint8_t> bytes, const std::string& source) {
  const std::size_t digits = find_hash(bytes);
  if (digits == std::string_view::npos) {
    fail(ErrorKind::bad_model, "{} cannot be used: it has no sha256 to check it by.", source);
  }
  const std::string stated(reinterpret_cast<const char*>(bytes.data()) + digits, kHashDigits);
  if (stated != hash_with_zeros(bytes, digits)) {
    fail(ErrorKind::bad_model,
         "{} has been changed or damaged: its contents do not match its sha256.", source);
  }
}

}  // namespace

std::vector<std::uint8_t> serialise(const Model& model) {
  check_savable(model);
  std::string record;
  try {
    record = to_record(model).dump();
  } catch (const Json::exception&) {
    fail(ErrorKind::bad_model, "The model cannot be saved: a name in it is not UTF-8.");
  }
  std::vector<std::uint8_t> bytes = write_safetensors(model_tensors(model), record);
  const std::size_t digits = find_hash(bytes);
  const std::string hash = hash_with_zeros(bytes, digits);
  std::copy(hash.begin(), hash.end(), bytes.begin() + static_cast<std::ptrdiff_t>(digits));
  return bytes;
}

Model deserialise(std::span<const std::uint8_t> bytes, const std::string& source,
                  const ActivationTable& activations) {
  SafetensorsContent content = read_safetensors(bytes, source);
  const std::optional<Json> record = parse_strictly<Json>(content.metadata);
  if (!record || !record->is_object()) {
    fail(ErrorKind::bad_model, "{} cannot be used: its record is not JSON, or has a name twice.",
         source);
  }
  // A newer format may be hashed in another way, so its own refusal comes first.
  check_format(*record, source);
  check_hash(bytes, source);
  try {
    return build(*record, content, activations);
  } catch (const Json::exception&) {
    fail(ErrorKind::bad_model, "{} cannot be used: its record is not complete.", source);
  } catch (const Error& error) {
    const std::string_view what = error.what();
    const bool ended = what.ends_with('.') || what.ends_with('?');
    fail(ErrorKind::bad_model, "{} cannot be used: {}{}", source, what, ended ? "" : ".");
  }
}

void save_model(const Model& model, const std::filesystem::path& path) {
  write_file_atomically(path, serialise(model));
}

Model load_model(const std::filesystem::path& path, const ActivationTable& activations) {
  return deserialise(read_file(path), path.string(), activations);
}

}  // namespace knotwork
