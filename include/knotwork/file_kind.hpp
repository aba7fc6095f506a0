// SPDX-License-Identifier: MIT
// kind_of_file() tells the kind of a file by its first bytes, whatever its name.
//
//   if (kind_of_file("rows.bin") == FileKind::npy) table.emplace("rows.bin");  // a StoredTable
#pragma once

#include <filesystem>
#include <string_view>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

enum class FileKind {
  nothing,     // does not exist, is empty, or is no file (a folder, or a pipe, which is not read)
  unreadable,  // exists, but this process may not read it
  model,       // safetensors, written by save_model()
  checkpoint,  // written by save_checkpoint()
  study,       // an SQLite database
  table_file,  // written by write_table_file()
  npy,         // a NumPy array
  text,        // CSV or other text; also anything packed by gzip or zstd
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

// Reads only the first bytes; the rest of the file may still be damaged.
KNOTWORK_API FileKind kind_of_file(const std::filesystem::path& path);

}  // namespace knotwork
