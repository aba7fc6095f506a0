// SPDX-License-Identifier: MIT
// Tables that stay in their file: larger than memory, read in windows of rows.
//
// A table file is a safetensors file with one tensor for each column, named like it: F64 for
// numbers, F32 if every one of them is a float exactly, NaN where a cell is missing; for texts U8,
// U16 or U32 (whatever holds them), the index of the text among the sorted ones of the column, or
// their number where the cell is missing. Names, types, texts, how cells were read and a SHA-256 of
// each column stand in the record of its metadata; docs/table_file.md has it all.
//
// NumPy's .npy is read too: one or two dimensions, float32 or float64, C or Fortran order. Its
// columns are called x1, x2, ...
//
// Both are known by their first bytes, whatever they are called. Files are never mapped: what is
// read comes into memory that the reader has, so a file that is cut off meanwhile is an error and
// not the end of the program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

inline constexpr unsigned kTableFormat = 1;

// By the first bytes of a file, of which a dozen are enough.
KNOTWORK_API bool is_stored_table(std::string_view start);
// The same of a file; false for what is none, such as a pipe, which is not touched.
KNOTWORK_API bool is_stored_table_file(const std::filesystem::path& path);

class KNOTWORK_API StoredTable {
 public:
  // Reads and checks what describes the table, not the cells. Throws bad_data when it is truncated,
  // damaged, contradictory, from a newer version or no table, bad_file when it cannot be opened.
  explicit StoredTable(const std::filesystem::path& path);

  // Its name, names, labels and how cells were read, without rows.
  const Table& description() const;
  std::size_t rows() const;
  std::size_t columns() const { return description().names.size(); }
  // Whether every number of the column is a float exactly and stored as one.
  bool is_float(std::size_t column) const;

  // Rows from `first_row` on of these columns, all of them in the table. May be called by several
  // threads at once. Throws bad_data for a cell that no table can have (an infinite number, a code
  // without a text), failed_run when the file cannot be read.
  void read(std::size_t column, std::size_t first_row, std::span<double> cells) const;
  void read(std::size_t column, std::size_t first_row, std::span<float> cells) const;
  // The same for several columns at once, which for .npy in C order is much quicker; cells[k] is of
  // columns[k] and becomes `rows` long.
  void read(std::span<const std::size_t> columns, std::size_t first_row, std::size_t rows,
            std::vector<std::vector<double>>& cells) const;

  // What the options ask for of the table, without rows: names, labels and places of the columns.
  // columns[k] becomes the column of the file that stands for number k of it.
  Table describe(const CsvOptions& options, std::vector<std::size_t>& columns) const;
  // A SHA-256 that stands for all cells of some columns: of those that the file has of each. A .npy
  // file has none, and is read for it.
  std::string cells_sha256(std::span<const std::size_t> columns) const;
  bool knows_its_sha256() const;
  // Throws bad_data unless the cells of the column match the SHA-256 that the file has of them.
  void check_column(std::size_t column) const;
  // All rows in memory, checked against the SHA-256 of each column. Of the options, `only` is
  // heeded, and a column that is declared to be what it is not is refused.
  Table load(const CsvOptions& options = {}) const;
  // The same rows in windows of moderate size, one after the other.
  void for_each_window(const CsvOptions& options,
                       const std::function<void(const Table& window)>& take) const;
  // Throws bad_data unless the columns are as they were written. (.npy has nothing to check.)
  void check_columns() const;

  // What reads one kind of file. Opaque; copies of a StoredTable share it.
  class Storage;

 private:
  std::shared_ptr<const Storage> storage_;
};

// Writes a table file piece by piece, with memory that does not grow with its rows: beyond some
// dozen megabytes rows wait in a nameless file in the same folder. The file is there whole or not
// at all, and an old one stays until then.
class KNOTWORK_API TableWriter {
 public:
  // `description` is a table without rows: its source, names and how cells were read count.
  TableWriter(const std::filesystem::path& path, const Table& description);
  ~TableWriter();
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  // Equally many further cells for every column. They are taken in while the caller goes on: what
  // is wrong with them (an infinite number, a full disk) is thrown by all later calls.
  void append(std::span<const std::vector<double>> columns);
  // For those who learn last which columns are text: columns[k] has further cells of column k again
  // from the first row on, where texts[k]; the others are not looked at. The cells are numbers of
  // texts, of which labels and ranks come with finish().
  void append_texts(const std::vector<bool>& texts, std::span<const std::vector<double>> columns);

  // labels[c] are those of column c, none if it has numbers. ranks, if given, say of the texts of
  // each column which label every number of append_texts() means. `progress`, if given, is told the
  // share that is written and ends the writing with failed_run when it returns false.
  using Progress = std::function<bool(double share)>;
  void finish(const std::vector<std::vector<std::string>>& labels = {},
              const std::vector<std::vector<double>>& ranks = {}, const Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

KNOTWORK_API void write_table_file(const Table& table, const std::filesystem::path& path);

// A CSV file (also gzip) as a table file, in memory that does not grow with its rows; what is
// refused is what read_csv() refuses. Returns how many rows there are. `progress` as above.
KNOTWORK_API std::size_t convert_csv(const std::filesystem::path& csv,
                                     const std::filesystem::path& out,
                                     const CsvOptions& options = {},
                                     const TableWriter::Progress& progress = {});

// A CSV text of any length, read a piece at a time and as often as need be.
class KNOTWORK_API CsvSource {
 public:
  // A file, unpacked on the way if it is gzip.
  explicit CsvSource(const std::filesystem::path& path);
  // Bytes that can be read but once, from standard input or a socket: they are kept in a nameless
  // file in the folder of `beside`. `read` returns the part of the buffer that it filled, nothing
  // at the end. `name` stands in messages.
  using Read = std::function<std::span<const char>(std::span<char> buffer)>;
  CsvSource(const std::string& name, const std::filesystem::path& beside, const Read& read);
  ~CsvSource();
  CsvSource(CsvSource&&) noexcept;
  CsvSource& operator=(CsvSource&&) noexcept;

  const std::string& name() const;
  // Of all columns, from the first lines; some may be the same.
  std::vector<std::string> names(const CsvOptions& options = {});
  // convert_csv() for this text.
  std::size_t convert(const std::filesystem::path& out, const CsvOptions& options = {},
                      const TableWriter::Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A stored table, or those of its columns that the options ask for, as a table file, as CSV, as
// to_csv() would write it, or as .npy: float64 in C order, float32 if all its columns are. Texts
// have no place there and are refused.
KNOTWORK_API void write_table_file(const StoredTable& table, const std::filesystem::path& out,
                                   const TableWriter::Progress& progress = {},
                                   const CsvOptions& columns = {});
KNOTWORK_API void write_csv(const StoredTable& table, const std::filesystem::path& out,
                            const TableWriter::Progress& progress = {},
                            const CsvOptions& columns = {});
KNOTWORK_API void write_npy(const StoredTable& table, const std::filesystem::path& out,
                            const TableWriter::Progress& progress = {},
                            const CsvOptions& columns = {});

}  // namespace knotwork
