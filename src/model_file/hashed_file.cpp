// SPDX-License-Identifier: MIT
#include "model_file/hashed_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/quoting.hpp"
#include "base/sha256.hpp"
#include "files/file_io.hpp"
#include "files/strict_json.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork::model_file {
namespace {

// The hash is in the file as the value of this key, escaped because the record is a text within
// JSON. It covers the whole file with its own digits taken as zeros.
constexpr std::string_view kHashKey = R"(\"sha256\":\")";
constexpr std::size_t kHashDigits = 64;

// The position of the 64 digits of the hash, or npos. The hash is at the end of the record, so the
// last occurrence in the header is the right one, whatever the names of columns are.
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

std::string hash_with_zeros(std::span<const std::uint8_t> bytes, std::size_t digits,
                            Monitor* monitor) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 22;
  const std::vector<std::uint8_t> zeros(kHashDigits, '0');
  parallel::WatchedWork work(monitor, Phase::reading, static_cast<double>(bytes.size()));
  Sha256 sha;
  const auto update = [&](std::span<const std::uint8_t> part) {
    for (; !part.empty(); part = part.subspan(std::min(kPieceBytes, part.size()))) {
      const auto piece = part.first(std::min(kPieceBytes, part.size()));
      sha.update(piece);
      work.advance(static_cast<double>(piece.size()));
    }
  };
  update(bytes.first(digits));
  update(zeros);
  update(bytes.subspan(digits + kHashDigits));
  return sha.hex_digest();
}

void check_kind(const Json& record, const RecordKind& kind, const std::string& source) {
  if (!record.contains(kind.key) && record.contains(kind.other_key)) {
    const std::string value = *kind.other_value == 0 ? source : kind.other_value;
    fail(ErrorKind::bad_model, in_file(source),
         Hint{.purpose = kind.other_purpose, .settings = {{kind.other_option, value}}}, "{}",
         kind.other_remark);
  }
  const auto it = record.find(kind.key);
  if (it == record.end() || !it->is_number_unsigned()) return;  // reported later
  const auto format = it->get<std::uint64_t>();
  if (format <= static_cast<std::uint64_t>(kind.newest)) return;
  fail(ErrorKind::bad_model, in_file(source),
       "has format {}, but this version of Knotwork reads formats up to {}; use a newer version.",
       format, kind.newest);
}

void check_hash(std::span<const std::uint8_t> bytes, const std::string& source, Monitor* monitor) {
  const std::size_t digits = find_hash(bytes);
  if (digits == std::string_view::npos) {
    fail(ErrorKind::bad_model, in_file(source), "cannot be used: it has no sha256.");
  }
  const std::string stated(reinterpret_cast<const char*>(bytes.data()) + digits, kHashDigits);
  if (stated != hash_with_zeros(bytes, digits, monitor)) {
    fail(ErrorKind::bad_model, in_file(source),
         "has been changed or damaged: its contents do not match its sha256.");
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
  const std::string hash = hash_with_zeros(bytes, digits, nullptr);
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
                       const RecordKind& kind, Monitor* monitor)
    : source_(std::move(source)),
      monitor_(monitor),
      content_(read_safetensors(bytes, source_, kind.role)) {
  std::optional<Json> record = files::parse_strictly<Json>(content_.metadata);
  if (!record || !record->is_object()) {
    fail(ErrorKind::bad_model, in_file(source_),
         "cannot be used: its record is not JSON, has a name twice, or is nested too deeply.");
  }
  // A newer format may be hashed in another way, so its own refusal comes first.
  check_kind(*record, kind, source_);
  check_hash(bytes, source_, monitor_);
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
  parallel::check_stop(monitor_);
  std::vector<double> values = model::from_bytes(place->second.bytes, place->second.precision);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (finite == Finite::yes && !std::all_of(values.begin(), values.end(), is_finite)) {
    fail(ErrorKind::bad_model, "tensor '{}' contains a number that is not finite", place->first);
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
  // One after the other, so that only snapshots with tensors in the file can take memory.
  for (std::size_t k = 0, count = count_snapshots(record, members.size()); k < count; ++k) {
    Snapshot snapshot = snapshot_from(record, k, members, activations, numbers_);
    fill(snapshot.network, prefix + model::snapshot_prefix(k), precision, model::Kept::activations);
    summary.snapshots.push_back(std::move(snapshot));
  }
}

void HashedFile::refuse(const Error& error) const {
  // The text may contain names from the file.
  const std::string what = shown(error.what(), kShownSentence);
  const bool ended = what.ends_with('.') || what.ends_with('?');
  fail(ErrorKind::bad_model, in_file(source_), "cannot be used: {}{}", what, ended ? "" : ".");
}

void HashedFile::check_all_taken() const {
  if (content_.tensors.empty()) return;
  fail(ErrorKind::bad_model, "its record does not mention tensor '{}'",
       content_.tensors.begin()->first);
}

}  // namespace knotwork::model_file
