// SPDX-License-Identifier: MIT
// What kind of file stands at a path, told by its first bytes, whatever its name.
//
//   if (kind_of_file("rows.bin") == FileKind::npy) table.emplace("rows.bin");  // a StoredTable
#pragma once

#include <filesystem>
#include <string_view>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

enum class FileKind {
  nothing,     // not there, empty, or no file (a folder, a pipe, which is not touched)
  unreadable,  // there, but this process may not read it
  model,       // safetensors, as save_model() writes it
  checkpoint,  // of a training, as save_checkpoint() writes it
  study,       // a database of SQLite
  table_file,  // as write_table_file() writes it
  npy,         // an array of NumPy
  text,        // CSV or another text; also what is packed by gzip
  other,
};
template <>
struct EnumNames<FileKind> {
  static constexpr EnumFamily family{"kind of file"};
  static constexpr EnumName<FileKind> all[] = {
      {FileKind::nothing, "nothing"}, {FileKind::unreadable, "unreadable"},
      {FileKind::model, "model"},     {FileKind::checkpoint, "checkpoint"},
      {FileKind::study, "study"},     {FileKind::table_file, "table file"},
      {FileKind::npy, "npy"},         {FileKind::text, "text"},
      {FileKind::other, "other"},
  };
};

// Only the first bytes are looked at: the rest may still be damaged.
KNOTWORK_API FileKind kind_of_file(const std::filesystem::path& path);

}  // namespace knotwork
