// SPDX-License-Identifier: MIT
// The header of NumPy's .npy: 6 bytes of magic, 2 of version, 2 or (from version 2 on) 4 of
// little-endian length, and the text of a Python dictionary such as
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), }
//
// filled up with blanks to a line end.
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
// What NumPy itself reads from files that it does not trust.
inline constexpr std::size_t kMaxNpyHeaderBytes = 10'000;

struct NpyHeader {
  std::size_t item_bytes = 8;  // 4 of '<f4'
  bool fortran_order = false;
  std::vector<std::size_t> shape;  // one or two extents, none of them 0
  std::size_t data_begin = 0;      // in the file
};

// How many bytes everything before the data takes, as the first 12 say. Throws bad_data if a file
// of this size cannot have as many.
std::size_t npy_extent(std::span<const std::uint8_t> start, std::uint64_t file_size,
                       const std::string& source);
// From all of these. Throws bad_data unless it is an array that can be a table, and its size adds
// up to the last byte of the file.
NpyHeader read_npy_header(std::span<const std::uint8_t> start, std::uint64_t file_size,
                          const std::string& source);

// Of an array of two dimensions in C order; always a multiple of 64 bytes, as NumPy has it.
std::vector<std::uint8_t> write_npy_header(std::size_t rows, std::size_t columns,
                                           std::size_t item_bytes);

}  // namespace knotwork::table
