// SPDX-License-Identifier: MIT
#include <knotwork/file_kind.hpp>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "files/packed/unpacking.hpp"
#include "files/safetensors_header.hpp"
#include "table/stored/npy_header.hpp"

namespace knotwork {
namespace {

constexpr std::string_view kStudyStart = "SQLite format 3";
constexpr std::size_t kLengthBytes = 8;
// The text after the length of the header; records begin with the version of their format.
constexpr std::string_view kCheckpointStart = R"({"__metadata__":{"knotwork":"{\"checkpoint\")";
constexpr std::size_t kStart =
    std::max(files::kTableStartBytes, kLengthBytes + kCheckpointStart.size());

std::string start_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kStart, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

// A text has no zero bytes.
bool starts_like_text(std::string_view start) {
  return files::is_packed(start) ||
         (start.size() > 1 && std::all_of(start.begin(), start.end(), [](char c) {
            return static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n' || c == '\r';
          }));
}

}  // namespace

FileKind kind_of_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return FileKind::nothing;
  if (::access(path.c_str(), R_OK) != 0) return FileKind::unreadable;
  const std::string start = start_of(path);
  if (start.empty()) return FileKind::nothing;
  if (start.starts_with(table::kNpyMagic)) return FileKind::npy;
  if (files::starts_like_table_file(start)) return FileKind::table_file;
  if (files::starts_like_safetensors(start)) {
    const bool is_checkpoint = start.substr(kLengthBytes).starts_with(kCheckpointStart);
    return is_checkpoint ? FileKind::checkpoint : FileKind::model;
  }
  if (start.starts_with(kStudyStart)) return FileKind::study;
  return starts_like_text(std::string_view(start).substr(0, kStudyStart.size())) ? FileKind::text
                                                                                 : FileKind::other;
}

}  // namespace knotwork
