// SPDX-License-Identifier: MIT
#include "cli/tables/output_place.hpp"

#include "base/fail.hpp"
#include "cli/output/error_text.hpp"

#include <knotwork/file_kind.hpp>

namespace knotwork::cli {
namespace {

// An existing file may be replaced only if its kind is known.
FileKind known_kind(const std::string& option, const std::string& out) {
  const FileKind kind = kind_of_file(out);
  if (kind == FileKind::unreadable) {
    fail(ErrorKind::bad_file,
         "{} {} exists but cannot be read, so it is not certain that it may be replaced; name "
         "another file.",
         option, out);
  }
  return kind;
}

bool is_stored_table(FileKind kind) {
  return kind == FileKind::table_file || kind == FileKind::npy;
}

[[noreturn]] void refuse(const std::string& option, const std::string& out, const char* what) {
  fail(ErrorKind::bad_option, of_typed(option),
       "{} {} is {}, which would be replaced; name another file.", option, out, what);
}

}  // namespace

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
  if (is_stored_table(kind)) refuse(option, out, "a table");
}

void check_place_of_table(const std::string& option, const std::string& out) {
  if (!is_stored_table(known_kind(option, out))) check_place_of_text(option, out);
}

}  // namespace knotwork::cli
