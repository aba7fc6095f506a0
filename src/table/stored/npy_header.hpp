// SPDX-License-Identifier: MIT
// These functions read and write the header of NumPy's .npy: 6 bytes of magic, 2 of version, 2 or
// (from version 2 on) 4 of little-endian length, and the text of a Python dictionary such as
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), }
//
// padded with blanks up to a line end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knotwork::table {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
// The limit of NumPy itself for files that it does not trust.
inline constexpr std::size_t kMaxNpyHeaderBytes = 10'000;

// The numbers of an array: '<f8', '<f4', integers such as '<i8', '|u1', or '|b1' (False and True).
enum class NpyType { f64, f32, i64, i32, i16, i8, u64, u32, u16, u8, boolean };
std::size_t item_bytes(NpyType type);

struct NpyHeader {
  NpyType type = NpyType::f64;
  bool fortran_order = false;
  std::vector<std::size_t> shape;  // one or two extents, none is 0
  std::size_t data_begin = 0;      // in the file
};

// The number of bytes before the data, from the first 12 bytes. Throws bad_data if a file of this
// size cannot have that many.
std::size_t npy_extent(std::span<const std::uint8_t> start, std::uint64_t file_size,
                       const std::string& source);
// Reads all bytes before the data. Throws bad_data unless the array can be a table and its size
// matches the file size exactly.
NpyHeader read_npy_header(std::span<const std::uint8_t> start, std::uint64_t file_size,
                          const std::string& source);

// The header of a two-dimensional array in C order; its size is a multiple of 64 bytes, as in
// NumPy.
std::vector<std::uint8_t> write_npy_header(std::size_t rows, std::size_t columns,
                                           std::size_t item_bytes);

}  // namespace knotwork::table
