// SPDX-License-Identifier: MIT
// These functions read and write the header of safetensors files: 8 bytes of little-endian header
// length, a JSON header, and raw tensors one after the other. Models and tables are such files; the
// JSON text of their record is under the key "knotwork" of the metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/error.hpp>

namespace knotwork::files {

// The limit for the JSON header; the first implementation of the format has the same.
inline constexpr std::size_t kMaxHeaderBytes = 100'000'000;
inline constexpr std::size_t kHeaderLengthBytes = 8;

// Bytes of a number of this type ("F64", "U8", ...), or 0 for a type that Knotwork does not use.
std::size_t item_bytes(std::string_view type);

struct TensorPlace {
  std::string name, type;
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0, end = 0;  // relative to the end of the header
};

struct SafetensorsHeader {
  std::vector<TensorPlace> tensors;  // in the order of the data, which they fill without gaps
  std::string record;
  std::size_t data_begin = 0;  // in the file
};

// What a file should be, for error messages.
struct FileRole {
  ErrorKind kind;
  std::string_view name;  // "model file"
};

// Whether the bytes begin like such a file: a length whose highest bytes are zero, and a JSON
// object.
bool starts_like_safetensors(std::string_view bytes);
// Whether it is also a table: then the record says so first, which no record of a model does. The
// first kTableStartBytes bytes are enough.
inline constexpr std::size_t kTableStartBytes = 64;
bool starts_like_table_file(std::string_view bytes);

// Throws if no file can begin with these bytes, however few they are. Then the rest, which is
// endless for some devices, need not be read.
void check_safetensors_start(std::span<const std::uint8_t> bytes, const std::string& source,
                             FileRole role);
// The number of bytes of length and header, from the first 8 bytes. Throws if a file of this size
// cannot have that many.
std::size_t header_extent(std::span<const std::uint8_t> start, std::uint64_t file_size,
                          const std::string& source, FileRole role);
// Reads length and header. Strict: throws unless the sizes add up to the last byte of the file,
// tensors neither overlap nor leave gaps, and item_bytes() knows every type.
SafetensorsHeader read_safetensors_header(std::span<const std::uint8_t> start,
                                          std::uint64_t file_size, const std::string& source,
                                          FileRole role);

// Length and header, padded with blanks so that the data begins at a multiple of `alignment`. Empty
// if the header would exceed kMaxHeaderBytes.
std::vector<std::uint8_t> write_safetensors_header(const std::vector<TensorPlace>& tensors,
                                                   const std::string& record,
                                                   std::size_t alignment);

}  // namespace knotwork::files
