// SPDX-License-Identifier: MIT
// HashedFile is what model files and checkpoints have in common: tensors, and a JSON record that
// includes a SHA-256 of all bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "model/model_tensors.hpp"
#include "model_file/record.hpp"
#include "model_file/safetensors.hpp"

#include <knotwork/monitor.hpp>

namespace knotwork::model_file {

// Adds the hash to the end of the record. Throws bad_model, beginning with `refusal` ("The model
// cannot be saved"), when a text in the record is not UTF-8.
std::vector<std::uint8_t> write_hashed(const std::vector<ModelTensor>& tensors, Json record,
                                       std::string_view refusal);

// The record's key for the version of the format; it distinguishes the kinds of files.
inline constexpr const char* kModelKey = "format";
inline constexpr const char* kCheckpointKey = "checkpoint";

// Throws like read_file(), and bad_model as soon as the bytes cannot be the beginning of such a
// file.
std::vector<std::uint8_t> read_hashed_bytes(const std::filesystem::path& path,
                                            files::FileRole role);

// The expected kind of file.
struct RecordKind {
  files::FileRole role;
  const char* key;
  int newest;                 // the newest format that this version reads
  const char* other_key;      // key of another kind, which users may confuse with this one;
  const char* other_remark;   // the error then says this after the name of the file,
  const char* other_purpose;  // and gives a hint: its purpose,
  const char* other_option;   // its option,
  const char* other_value;    // and its value; empty: the name of the file
};

// Whether a tensor may contain numbers that are not finite.
enum class Finite { yes, maybe };

class HashedFile {
 public:
  // Throws bad_model unless the bytes are complete, of this kind and not of a newer format.
  // `monitor` may be null and must outlive this object.
  HashedFile(std::span<const std::uint8_t> bytes, std::string source, const RecordKind& kind,
             Monitor* monitor = nullptr);

  const Json& record() const { return record_; }
  std::size_t numbers() const { return numbers_; }  // in all tensors together

  // Each tensor is taken once. These functions throw bad_model with the rest of a sentence that
  // read() begins with the name of the file.
  std::vector<double> take(const std::string& name, const std::vector<std::size_t>& shape,
                           Precision precision);
  // A one-dimensional tensor of any length, in double.
  std::vector<double> take_list(const std::string& name, Finite finite = Finite::yes);
  void fill(Network& network, const std::string& prefix, Precision precision, model::Kept kept);
  // Reads the snapshots that `record` names; their networks must match `networks`.
  void fill_snapshots(Summary& summary, const Json& record, const std::vector<Network>& members,
                      const std::string& prefix, Precision precision,
                      const ActivationTable& activations);

  // Returns what `build` makes from the file; `build` must use all tensors.
  template <class Build>
  auto read(const Build& build) {
    try {
      auto result = build(*this);
      check_all_taken();
      return result;
    } catch (const Json::exception&) {
      fail(ErrorKind::bad_model, in_file(source_), "cannot be used: its record is not complete.");
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::stopped) throw;
      refuse(error);
    }
  }

 private:
  using Place = std::map<std::string, ModelTensor>::iterator;
  Place find(const std::string& name);
  std::vector<double> take(Place place, Finite finite);
  [[noreturn]] void refuse(const Error& error) const;
  void check_all_taken() const;

  std::string source_;
  Monitor* monitor_;
  SafetensorsContent content_;
  Json record_;
  std::size_t numbers_ = 0;
};

}  // namespace knotwork::model_file
