// SPDX-License-Identifier: MIT
// What model files and checkpoints have in common: tensors, a JSON record, and inside the record a
// SHA-256 of all bytes.
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

namespace knotwork::model_file {

// The record gets its hash at the end. Throws bad_model, beginning with `refusal` ("The model
// cannot be saved"), when a text in it is not UTF-8.
std::vector<std::uint8_t> write_hashed(const std::vector<ModelTensor>& tensors, Json record,
                                       std::string_view refusal);

// Where the number of the format stands in the record; it tells the kinds of files apart.
inline constexpr const char* kModelKey = "format";
inline constexpr const char* kCheckpointKey = "checkpoint";

// Throws as read_file() does, and bad_model as soon as the bytes cannot begin such a file.
std::vector<std::uint8_t> read_hashed_bytes(const std::filesystem::path& path,
                                            files::FileRole role);

// Which kind of file is wanted.
struct RecordKind {
  files::FileRole role;
  const char* key;
  int newest;                // that this version reads
  const char* other_key;     // of the kind that it may be taken for,
  const char* other_remark;  // and what to say then, after the name of the file
};

// May a tensor hold numbers that are not finite?
enum class Finite { yes, maybe };

class HashedFile {
 public:
  // Throws bad_model unless the bytes are whole, of that kind and not from the future.
  HashedFile(std::span<const std::uint8_t> bytes, std::string source, const RecordKind& kind);

  const Json& record() const { return record_; }
  std::size_t numbers() const { return numbers_; }  // of all tensors together

  // Every tensor is taken once. These throw bad_model with the rest of a sentence that read()
  // begins with the name of the file.
  std::vector<double> take(const std::string& name, const std::vector<std::size_t>& shape,
                           Precision precision);
  // A row of numbers in double, of any length.
  std::vector<double> take_list(const std::string& name, Finite finite = Finite::yes);
  void fill(Network& network, const std::string& prefix, Precision precision, model::Kept kept);
  // Those that `record` names, of networks like these.
  void fill_snapshots(Summary& summary, const Json& record, const std::vector<Network>& members,
                      const std::string& prefix, Precision precision,
                      const ActivationTable& activations);

  // What `build` makes of the file, which must use all its tensors.
  template <class Build>
  auto read(const Build& build) {
    try {
      auto result = build(*this);
      check_all_taken();
      return result;
    } catch (const Json::exception&) {
      fail(ErrorKind::bad_model, "{} cannot be used: its record is not complete.", source_);
    } catch (const Error& error) {
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
  SafetensorsContent content_;
  Json record_;
  std::size_t numbers_ = 0;
};

}  // namespace knotwork::model_file
