// SPDX-License-Identifier: MIT
#include "table/stored/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/header.hpp"

namespace knotwork::table {
namespace {

constexpr std::size_t kLengthAt = 8;  // after magic and version

struct NamedType {
  std::string_view name;
  NpyType type;
  std::size_t bytes;
};
// An item of one byte has no byte order, but some programs write one.
constexpr std::array kNpyTypes{
    NamedType{"<f8", NpyType::f64, 8},     NamedType{"<f4", NpyType::f32, 4},
    NamedType{"<i8", NpyType::i64, 8},     NamedType{"<i4", NpyType::i32, 4},
    NamedType{"<i2", NpyType::i16, 2},     NamedType{"|i1", NpyType::i8, 1},
    NamedType{"<i1", NpyType::i8, 1},      NamedType{"<u8", NpyType::u64, 8},
    NamedType{"<u4", NpyType::u32, 4},     NamedType{"<u2", NpyType::u16, 2},
    NamedType{"|u1", NpyType::u8, 1},      NamedType{"<u1", NpyType::u8, 1},
    NamedType{"|b1", NpyType::boolean, 1},
};

// Parses the dictionary, with everything that Python allows: blanks anywhere, either quote, a comma
// at the end.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& source)
      : text_(text), source_(source) {}

  struct Entries {
    std::optional<std::string> type;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::size_t>> shape;
  };

  Entries read() {
    Entries entries;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !entries.type) {
        entries.type = type();
      } else if (key == "fortran_order" && !entries.fortran_order) {
        entries.fortran_order = boolean();
      } else if (key == "shape" && !entries.shape) {
        entries.shape = tuple();
      } else {
        refuse();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (text_.find_first_not_of(" \n") != std::string_view::npos) refuse();
    if (!entries.type || !entries.fortran_order || !entries.shape) refuse();
    return entries;
  }

 private:
  [[noreturn]] void refuse() const {
    fail(ErrorKind::bad_data, in_file(source_),
         "is not a complete .npy file: its header is invalid.");
  }
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(' '), text_.size())); }
  bool take(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse();
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string string() {
    skip_blanks();
    const char quote = text_.empty() ? '\0' : text_.front();
    if (quote != '\'' && quote != '"') refuse();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) refuse();
    std::string value(text_.substr(1, end - 1));
    if (value.find('\\') != std::string::npos) refuse();
    text_.remove_prefix(end + 1);
    return value;
  }

  std::string type() {
    skip_blanks();
    if (text_.starts_with('[')) {
      fail(ErrorKind::bad_data, in_file(source_),
           "has an array of records; write its fields into the columns of one array of numbers.");
    }
    return string();
  }

  bool boolean() {
    if (take_word("True")) return true;
    if (!take_word("False")) refuse();
    return false;
  }

  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> extents;
    expect('(');
    bool comma = true;
    while (!take(')')) {
      if (!comma) refuse();
      std::size_t extent = 0;
      skip_blanks();
      const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc()) refuse();
      text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
      extents.push_back(extent);
      comma = take(',');
    }
    if (extents.size() == 1 && !comma) refuse();  // (3) is a number
    return extents;
  }

  std::string_view text_;
  const std::string& source_;
};

void check_shape(const NpyHeader& header, std::uint64_t data_size, const std::string& source) {
  if (header.shape.empty() || header.shape.size() > 2) {
    fail(ErrorKind::bad_data, in_file(source),
         "has an array of {} dimensions; a table has two, rows and columns, or one for a single "
         "column.",
         header.shape.size());
  }
  if (std::find(header.shape.begin(), header.shape.end(), 0u) != header.shape.end()) {
    fail(ErrorKind::bad_data, in_file(source),
         "is empty, but a table needs at least one row and one column.");
  }
  std::uint64_t size = item_bytes(header.type);
  for (const std::size_t extent : header.shape) {
    if (size > data_size / extent) {
      fail(ErrorKind::bad_data, in_file(source),
           "is not a complete .npy file: its array is larger than the file.");
    }
    size *= extent;
  }
  if (size != data_size) {
    fail(ErrorKind::bad_data, in_file(source),
         "is not a complete .npy file: it has extra bytes after its numbers.");
  }
  if (header.shape.size() == 2 && header.shape[1] > csv::kMaxColumns) {
    fail(ErrorKind::bad_data, in_file(source),
         "has {} columns, more than the {} that a table may have.", header.shape[1],
         csv::kMaxColumns);
  }
}

}  // namespace

std::size_t item_bytes(NpyType type) {
  return std::find_if(kNpyTypes.begin(), kNpyTypes.end(),
                      [=](const NamedType& candidate) { return candidate.type == type; })
      ->bytes;
}

std::size_t npy_extent(std::span<const std::uint8_t> start, std::uint64_t file_size,
                       const std::string& source) {
  const auto too_short = [&] {
    fail(ErrorKind::bad_data, in_file(source),
         "is not a complete .npy file: it ends inside its header.");
  };
  if (start.size() < kLengthAt) too_short();
  const std::uint8_t version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    fail(ErrorKind::bad_data, in_file(source),
         "has version {}.{} of NumPy's format; 1.0, 2.0 and 3.0 can be read.", version, start[7]);
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (start.size() < kLengthAt + length_bytes) too_short();
  std::size_t length = 0;
  for (std::size_t k = 0; k < length_bytes; ++k) {
    length |= std::size_t{start[kLengthAt + k]} << (8 * k);
  }
  if (length > kMaxNpyHeaderBytes) {
    fail(ErrorKind::bad_data, in_file(source),
         "is not a complete .npy file: its header would have {} bytes, more than the limit of {}.",
         length, kMaxNpyHeaderBytes);
  }
  const std::size_t extent = kLengthAt + length_bytes + length;
  if (extent > file_size) too_short();
  return extent;
}

NpyHeader read_npy_header(std::span<const std::uint8_t> start, std::uint64_t file_size,
                          const std::string& source) {
  NpyHeader header;
  header.data_begin = npy_extent(start, file_size, source);
  const std::size_t text_at = kLengthAt + (start[6] == 1 ? 2 : 4);
  const std::string_view text(reinterpret_cast<const char*>(start.data()) + text_at,
                              header.data_begin - text_at);
  const auto entries = DictionaryReader(text, source).read();
  const auto known =
      std::find_if(kNpyTypes.begin(), kNpyTypes.end(),
                   [&](const NamedType& candidate) { return candidate.name == *entries.type; });
  if (known == kNpyTypes.end()) {
    fail(ErrorKind::bad_data, in_file(source),
         "has values of type '{}'; only float64, float32, integers and bool in little-endian order "
         "can be read: use astype.",
         csv::shown(*entries.type));
  }
  header.type = known->type;
  header.fortran_order = *entries.fortran_order;
  header.shape = *entries.shape;
  check_shape(header, file_size - header.data_begin, source);
  return header;
}

std::vector<std::uint8_t> write_npy_header(std::size_t rows, std::size_t columns,
                                           std::size_t item_bytes) {
  constexpr std::size_t kAlignment = 64;
  std::string text = fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                 item_bytes, rows, columns);
  const std::size_t before = kLengthAt + 2;
  text.resize((before + text.size() + kAlignment) / kAlignment * kAlignment - before - 1, ' ');
  text += '\n';
  std::string bytes(kNpyMagic);
  bytes += {1, 0, static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  bytes += text;
  return {bytes.begin(), bytes.end()};
}

}  // namespace knotwork::table
