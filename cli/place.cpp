// SPDX-License-Identifier: MIT
#include "cli/place.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/fail.hpp"

namespace knotwork::cli {
namespace {

constexpr std::string_view kStudyStart = "SQLite format 3";
constexpr std::size_t kModelStart = 9;

std::string start_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kStudyStart.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

// The length of its header, of which the highest bytes are zero, and that header.
bool starts_like_a_model(std::string_view start) {
  return start.size() >= kModelStart && start[8] == '{' && start[7] == 0 && start[6] == 0;
}

// A text has no zero bytes.
bool starts_like_a_table(std::string_view start) {
  const bool packed = start.starts_with("\x1F\x8B");
  return packed || (start.size() > 1 && std::all_of(start.begin(), start.end(), [](char c) {
                      return static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n' ||
                             c == '\r';
                    }));
}

[[noreturn]] void refuse(const std::string& option, const std::string& out, const char* what) {
  fail(ErrorKind::bad_option, "{} {} is {}, which would be replaced; name another file.", option,
       out, what);
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return FileKind::nothing;
  const std::string start = start_of(path);
  if (start.empty()) return FileKind::nothing;
  if (starts_like_a_model(start)) return FileKind::model;
  if (start == kStudyStart) return FileKind::study;
  return starts_like_a_table(start) ? FileKind::table : FileKind::other;
}

void check_place_of_model(const std::string& option, const std::string& out) {
  const FileKind kind = kind_of_file(out);
  if (kind == FileKind::study) refuse(option, out, "a study");
  if (kind != FileKind::nothing && kind != FileKind::model) refuse(option, out, "not a model");
}

void check_place_of_text(const std::string& option, const std::string& out) {
  const FileKind kind = kind_of_file(out);
  if (kind == FileKind::model) refuse(option, out, "a model");
  if (kind == FileKind::study) refuse(option, out, "a study");
}

}  // namespace knotwork::cli
