// SPDX-License-Identifier: MIT
#include "cli/place.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/fail.hpp"
#include "data/npy_header.hpp"
#include "files/safetensors_header.hpp"

namespace knotwork::cli {
namespace {

constexpr std::string_view kStudyStart = "SQLite format 3";
constexpr std::size_t kLengthBytes = 8;
// What follows the length of the header; records begin with the number of their format.
constexpr std::string_view kCheckpointStart = R"({"__metadata__":{"knotwork":"{\"checkpoint\")";
constexpr std::size_t kStart = std::max(kTableStartBytes, kLengthBytes + kCheckpointStart.size());

std::string start_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kStart, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

// A text has no zero bytes.
bool starts_like_a_table(std::string_view start) {
  const bool packed = start.starts_with("\x1F\x8B");
  return packed || (start.size() > 1 && std::all_of(start.begin(), start.end(), [](char c) {
                      return static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n' ||
                             c == '\r';
                    }));
}

// What may be replaced must be known.
FileKind known_kind(const std::string& option, const std::string& out) {
  const FileKind kind = kind_of_file(out);
  if (kind == FileKind::unreadable) {
    fail(
        ErrorKind::bad_file,
        "{} {} is there but cannot be read, so that it may be something that must not be replaced; "
        "name another file.",
        option, out);
  }
  return kind;
}

[[noreturn]] void refuse(const std::string& option, const std::string& out, const char* what) {
  fail(ErrorKind::bad_option, "{} {} is {}, which would be replaced; name another file.", option,
       out, what);
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return FileKind::nothing;
  if (::access(path.c_str(), R_OK) != 0) return FileKind::unreadable;
  const std::string start = start_of(path);
  if (start.empty()) return FileKind::nothing;
  if (starts_like_table_file(start) || start.starts_with(kNpyMagic)) return FileKind::stored_table;
  if (starts_like_safetensors(start)) {
    const bool is_checkpoint = start.substr(kLengthBytes).starts_with(kCheckpointStart);
    return is_checkpoint ? FileKind::checkpoint : FileKind::model;
  }
  if (start.starts_with(kStudyStart)) return FileKind::study;
  const std::string few = start.substr(0, kStudyStart.size());
  return starts_like_a_table(few) ? FileKind::table : FileKind::other;
}

void check_place_of_model(const std::string& option, const std::string& out) {
  const FileKind kind = known_kind(option, out);
  if (kind == FileKind::study) refuse(option, out, "a study");
  if (kind == FileKind::checkpoint) refuse(option, out, "a checkpoint of a training");
  if (kind != FileKind::nothing && kind != FileKind::model) refuse(option, out, "not a model");
}

void check_place_of_checkpoint(const std::string& option, const std::string& out) {
  const FileKind kind = known_kind(option, out);
  if (kind == FileKind::model) refuse(option, out, "a model");
  if (kind != FileKind::nothing && kind != FileKind::checkpoint) {
    refuse(option, out, "not a checkpoint");
  }
}

void check_place_of_text(const std::string& option, const std::string& out) {
  const FileKind kind = known_kind(option, out);
  if (kind == FileKind::model) refuse(option, out, "a model");
  if (kind == FileKind::checkpoint) refuse(option, out, "a checkpoint of a training");
  if (kind == FileKind::study) refuse(option, out, "a study");
  if (kind == FileKind::stored_table) refuse(option, out, "a table");
}

void check_place_of_table(const std::string& option, const std::string& out) {
  if (known_kind(option, out) != FileKind::stored_table) check_place_of_text(option, out);
}

}  // namespace knotwork::cli
