// SPDX-License-Identifier: MIT
#include "model_file/hashed_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/quoting.hpp"
#include "base/sha256.hpp"
#include "files/file_io.hpp"
#include "files/strict_json.hpp"

namespace knotwork::model_file {
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

void check_kind(const Json& record, const RecordKind& kind, const std::string& source) {
  if (!record.contains(kind.key) && record.contains(kind.other_key)) {
    fail(ErrorKind::bad_model, "{} {}", source, kind.other_remark);
  }
  const auto it = record.find(kind.key);
  if (it == record.end() || !it->is_number_unsigned()) return;  // said later
  const auto format = it->get<std::uint64_t>();
  if (format <= static_cast<std::uint64_t>(kind.newest)) return;
  fail(ErrorKind::bad_model,
       "{} has format {}, which is newer than the {} that this version of Knotwork reads; a newer "
       "version is needed.",
       source, format, kind.newest);
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

std::vector<std::uint8_t> write_hashed(const std::vector<ModelTensor>& tensors, Json record,
                                       std::string_view refusal) {
  record["sha256"] = std::string(kHashDigits, '0');
  std::string text;
  try {
    text = files::json_text(record);
  } catch (const Json::exception&) {
    fail(ErrorKind::bad_model, "{}: a name in it is not UTF-8.", refusal);
  }
  std::vector<std::uint8_t> bytes = write_safetensors(tensors, text, refusal);
  const std::size_t digits = find_hash(bytes);
  const std::string hash = hash_with_zeros(bytes, digits);
  std::copy(hash.begin(), hash.end(), bytes.begin() + static_cast<std::ptrdiff_t>(digits));
  return bytes;
}

std::vector<std::uint8_t> read_hashed_bytes(const std::filesystem::path& path,
                                            files::FileRole role) {
  const std::string source = path.string();
  return files::read_file(
      path, std::numeric_limits<std::size_t>::max(),
      [&](std::span<const std::uint8_t> bytes) { check_safetensors(bytes, source, role); });
}

HashedFile::HashedFile(std::span<const std::uint8_t> bytes, std::string source,
                       const RecordKind& kind)
    : source_(std::move(source)), content_(read_safetensors(bytes, source_, kind.role)) {
  std::optional<Json> record = files::parse_strictly<Json>(content_.metadata);
  if (!record || !record->is_object()) {
    fail(ErrorKind::bad_model,
         "{} cannot be used: its record is not JSON, has a name twice, or is too deep.", source_);
  }
  // A newer format may be hashed in another way, so its own refusal comes first.
  check_kind(*record, kind, source_);
  check_hash(bytes, source_);
  record_ = std::move(*record);
  for (const auto& [name, tensor] : content_.tensors) {
    numbers_ += tensor.bytes.size() / (tensor.precision == Precision::float32 ? 4 : 8);
  }
}

HashedFile::Place HashedFile::find(const std::string& name) {
  const auto it = content_.tensors.find(name);
  if (it == content_.tensors.end()) fail(ErrorKind::bad_model, "it has no tensor '{}'", name);
  return it;
}

std::vector<double> HashedFile::take(Place place, Finite finite) {
  std::vector<double> values = model::from_bytes(place->second.bytes, place->second.precision);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (finite == Finite::yes && !std::all_of(values.begin(), values.end(), is_finite)) {
    fail(ErrorKind::bad_model, "tensor '{}' holds a number that is not finite", place->first);
  }
  content_.tensors.erase(place);
  return values;
}

std::vector<double> HashedFile::take(const std::string& name, const std::vector<std::size_t>& shape,
                                     Precision precision) {
  const Place place = find(name);
  if (place->second.shape != shape || place->second.precision != precision) {
    fail(ErrorKind::bad_model, "tensor '{}' has another shape or type than its record says", name);
  }
  return take(place, Finite::yes);
}

std::vector<double> HashedFile::take_list(const std::string& name, Finite finite) {
  const Place place = find(name);
  if (place->second.shape.size() != 1 || place->second.precision != Precision::float64) {
    fail(ErrorKind::bad_model, "tensor '{}' has another shape or type than its record says", name);
  }
  return take(place, finite);
}

void HashedFile::fill(Network& network, const std::string& prefix, Precision precision,
                      model::Kept kept) {
  for (const TensorInfo& tensor : network.tensors()) {
    if (kept == model::Kept::activations && tensor.group != ParameterGroup::activation) continue;
    const auto values = take(prefix + tensor.name, tensor.shape, precision);
    std::copy(values.begin(), values.end(), network.values(tensor).begin());
  }
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    for (std::size_t neuron = 0; neuron < network.own_activations(l); ++neuron) {
      network.layers()[l].activation->check_tensors(
          network.activation_tensors(l, neuron, network.parameters()));
    }
  }
}

void HashedFile::fill_snapshots(Summary& summary, const Json& record,
                                const std::vector<Network>& members, const std::string& prefix,
                                Precision precision, const ActivationTable& activations) {
  // One after the other: only one that the file has tensors for can take memory.
  for (std::size_t k = 0, count = count_snapshots(record, members.size()); k < count; ++k) {
    Snapshot snapshot = snapshot_from(record, k, members, activations, numbers_);
    fill(snapshot.network, prefix + model::snapshot_prefix(k), precision, model::Kept::activations);
    summary.snapshots.push_back(std::move(snapshot));
  }
}

void HashedFile::refuse(const Error& error) const {
  // Names from the file may stand in it.
  const std::string what = shown(error.what(), kShownSentence);
  const bool ended = what.ends_with('.') || what.ends_with('?');
  fail(ErrorKind::bad_model, "{} cannot be used: {}{}", source_, what, ended ? "" : ".");
}

void HashedFile::check_all_taken() const {
  if (content_.tensors.empty()) return;
  fail(ErrorKind::bad_model, "nothing in its record explains tensor '{}'",
       content_.tensors.begin()->first);
}

}  // namespace knotwork::model_file
