// SPDX-License-Identifier: MIT
// The safetensors container: 8 bytes of little-endian header length, a JSON header, raw tensors one
// behind the other. Here is the header, whatever the tensors are of; models and tables are files of
// this kind and have a record under the key "knotwork" of its metadata, a JSON text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/error.hpp>

namespace knotwork::files {

// Of the JSON header; what the first implementation of the format reads.
inline constexpr std::size_t kMaxHeaderBytes = 100'000'000;
inline constexpr std::size_t kHeaderLengthBytes = 8;

// Bytes of a number of a type ("F64", "U8", ...), or 0 for a type that is none of Knotwork's.
std::size_t item_bytes(std::string_view type);

struct TensorPlace {
  std::string name, type;
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0, end = 0;  // in the data behind the header
};

struct SafetensorsHeader {
  std::vector<TensorPlace> tensors;  // in the order of the data, which they fill without a gap
  std::string record;
  std::size_t data_begin = 0;  // in the file
};

// What a file is supposed to be, for refusals.
struct FileRole {
  ErrorKind kind;
  std::string_view name;  // "model file"
};

// Whether bytes begin as those of such a file do: a length of which the highest bytes are zero, and
// a JSON object.
bool starts_like_safetensors(std::string_view bytes);
// Likewise, of one whose record says first that it is a table; no model's does. The first
// kTableStartBytes are enough.
inline constexpr std::size_t kTableStartBytes = 64;
bool starts_like_table_file(std::string_view bytes);

// Throws unless a file may begin like this, however few bytes these are. The rest of one that may
// not, such as that of a device without end, need not be read.
void check_safetensors_start(std::span<const std::uint8_t> bytes, const std::string& source,
                             FileRole role);
// How many bytes the length and the header take, as the first 8 say. Throws if a file of this size
// cannot have as many.
std::size_t header_extent(std::span<const std::uint8_t> start, std::uint64_t file_size,
                          const std::string& source, FileRole role);
// From the length and the header. Strict: throws unless the sizes add up to the last byte of the
// file, tensors neither overlap nor leave gaps, and every type is one that item_bytes() knows.
SafetensorsHeader read_safetensors_header(std::span<const std::uint8_t> start,
                                          std::uint64_t file_size, const std::string& source,
                                          FileRole role);

// The length and the header, filled up with blanks so that the data begins at a multiple of
// `alignment`. Nothing if it would have more than kMaxHeaderBytes.
std::vector<std::uint8_t> write_safetensors_header(const std::vector<TensorPlace>& tensors,
                                                   const std::string& record,
                                                   std::size_t alignment);

}  // namespace knotwork::files
