// SPDX-License-Identifier: MIT
// A StoredTable is a table that stays in its file and is read in windows of rows; it may be larger
// than memory.
//
// A table file is a safetensors file with one tensor for each column, named like the column. A
// column of numbers is F64, or F32 if every number is exactly a float; a missing cell is NaN. Dates
// are numbers, of seconds since 1970-01-01 UTC. A column of text is U8, U16 or U32, whichever is sufficient: each cell is the index of its text
// among the sorted texts of the column, or the number of these texts if the cell is missing. The
// record in the metadata contains names, types, texts, the cell format and a SHA-256 of each
// column; see docs/table_file.md.
//
// NumPy's .npy is read too: one or two dimensions, float32 or float64, C or Fortran order. Its
// columns are called x1, x2, ...
//
// Both formats are recognized by their first bytes, not by the file name. Files are never mapped
// into memory: if a file is truncated while it is read, that is an error and not a crash.
//
// A Monitor is only used during the call, also if the call is a constructor.
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
#include <knotwork/monitor.hpp>
#include <knotwork/row_source.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

// Tables without dates and formatted columns are written as format 1.
inline constexpr unsigned kTableFormat = 2;

// Decides by the first bytes of a file; a dozen are enough.
KNOTWORK_API bool is_stored_table(std::string_view start);
// Decides by the first bytes of this file; false if the path is not a file, such as a pipe, from
// which nothing is read.
KNOTWORK_API bool is_stored_table_file(const std::filesystem::path& path);

class KNOTWORK_API StoredTable {
 public:
  // Reads and checks the description of the table, not its cells. Throws bad_data when the file is
  // truncated, damaged, contradictory, from a newer version or not a table, and bad_file when it
  // cannot be opened.
  explicit StoredTable(const std::filesystem::path& path);

  // The table without rows: its source, names, labels and cell format.
  const Table& description() const;
  std::size_t rows() const;
  std::size_t columns() const { return description().names.size(); }
  // Whether every number of the column is exactly a float and stored as one.
  bool is_float(std::size_t column) const;

  // Reads rows of one column from `first_row` on; the table must have these rows. May be called by
  // several threads at once. Throws bad_data for a cell that no table can have (an infinite number,
  // a code without a text), and failed_run when the file cannot be read.
  void read(std::size_t column, std::size_t first_row, std::span<double> cells) const;
  void read(std::size_t column, std::size_t first_row, std::span<float> cells) const;
  // Reads several columns at once, which is much faster for .npy in C order. cells[k] belongs to
  // columns[k] and is resized to `rows`.
  void read(std::span<const std::size_t> columns, std::size_t first_row, std::size_t rows,
            std::vector<std::vector<double>>& cells) const;

  // cells[k] belongs to columns[k]; all have the same length.
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const;

  // The columns that the options request, as a table without rows: names, labels and positions.
  // columns[k] becomes the index in the file of the k-th requested column.
  Table describe(const CsvOptions& options, std::vector<std::size_t>& columns) const;
  // One SHA-256 for all cells of these columns. A table file stores a SHA-256 for each column; a
  // .npy file stores no SHA-256, so its cells are read.
  std::string cells_sha256(std::span<const std::size_t> columns, Monitor* monitor = nullptr) const;
  bool knows_its_sha256() const;
  // Throws bad_data unless the cells of the column match the SHA-256 in the file.
  void check_column(std::size_t column, Monitor* monitor = nullptr) const;
  // All rows in memory, checked against the SHA-256 of each column. Of the options only `only` is
  // used, and a column that is declared with the wrong type is refused.
  Table load(const CsvOptions& options = {}, Monitor* monitor = nullptr) const;
  // Passes the same rows to `take` in consecutive windows of moderate size; an exception from
  // `take` ends the call.
  void for_each_window(const CsvOptions& options,
                       const std::function<void(const Table& window)>& take) const;
  // Throws bad_data unless all columns match their SHA-256 (a .npy file has none).
  void check_columns(Monitor* monitor = nullptr) const;

  // Reads one kind of file. Opaque; copies of a StoredTable share it.
  class Storage;

 private:
  std::shared_ptr<const Storage> storage_;
};

// The rows of a table that stays in its file. Only the requested and declared columns of the
// options are used.
KNOTWORK_API std::shared_ptr<const RowSource> rows_of(StoredTable table,
                                                      const CsvOptions& columns = {});

// Writes a table file piece by piece, with memory that does not grow with the rows: beyond a few
// dozen megabytes, rows wait in a temporary file without a name in the same folder. The complete
// file appears at the end; until then an old file stays.
class KNOTWORK_API TableWriter {
 public:
  // `description` is a table without rows: its source, names, dates and cell format are used.
  TableWriter(const std::filesystem::path& path, const Table& description);
  ~TableWriter();
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  // Adds the same number of cells to every column. They are processed while the caller continues:
  // an error (an infinite number, a full disk) is thrown by all later calls.
  void append(std::span<const std::vector<double>> columns);
  // For callers that know only at the end how columns are read. Where which[k] is true, columns[k]
  // contains cells of column k, again from the first row on, and replaces the earlier cells; other
  // columns are ignored. In a text column each cell is the number of a text; finish() receives the
  // labels and the ranks of the texts.
  void append_again(const std::vector<bool>& which, std::span<const std::vector<double>> columns);
  // Replaces the cell format and the columns of dates of the description.
  void describe(const Table& description);

  // labels[c] are the labels of column c, empty for a column of numbers. If ranks are given,
  // ranks[c][n] is the label's index for the number n in the cells of a text column.
  void finish(const std::vector<std::vector<std::string>>& labels = {},
              const std::vector<std::vector<double>>& ranks = {}, Monitor* monitor = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

KNOTWORK_API void write_table_file(const Table& table, const std::filesystem::path& path,
                                   Monitor* monitor = nullptr);

// Converts a CSV file (also packed) to a table file, with memory that does not grow with the rows.
// Refuses what read_csv() refuses. Returns the number of rows.
KNOTWORK_API std::size_t convert_csv(const std::filesystem::path& csv,
                                     const std::filesystem::path& out,
                                     const CsvOptions& options = {}, Monitor* monitor = nullptr);

// A CSV text of any length, which is read in pieces and as often as necessary.
class KNOTWORK_API CsvSource {
 public:
  // A file, which is unpacked while it is read if it is packed.
  explicit CsvSource(const std::filesystem::path& path, Monitor* monitor = nullptr);
  // Bytes that can be read only once, from standard input or a socket: they are copied to a
  // temporary file without a name in the folder of `beside`. `read` returns the part of the buffer
  // that it filled, nothing at the end, and is only called by the constructor. Messages use `name`.
  using Read = std::function<std::span<const char>(std::span<char> buffer)>;
  CsvSource(const std::string& name, const std::filesystem::path& beside, const Read& read,
            Monitor* monitor = nullptr);
  ~CsvSource();
  CsvSource(CsvSource&&) noexcept;
  CsvSource& operator=(CsvSource&&) noexcept;

  const std::string& name() const;
  // The names of all columns, from the first lines; some may be equal.
  std::vector<std::string> names(const CsvOptions& options = {}, Monitor* monitor = nullptr);
  // convert_csv() for this text.
  std::size_t convert(const std::filesystem::path& out, const CsvOptions& options = {},
                      Monitor* monitor = nullptr);
  // What the last conversion decided, as in Table::remarks.
  const std::vector<Remark>& remarks() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Write a stored table, or its requested columns: as a table file; as CSV, like to_csv(); or as
// .npy, in C order, as float32 if all columns are float32 and otherwise as float64. A .npy file
// cannot contain text, so text columns are refused.
KNOTWORK_API void write_table_file(const StoredTable& table, const std::filesystem::path& out,
                                   const CsvOptions& columns = {}, Monitor* monitor = nullptr);
KNOTWORK_API void write_csv(const StoredTable& table, const std::filesystem::path& out,
                            const CsvOptions& columns = {}, Monitor* monitor = nullptr);
KNOTWORK_API void write_npy(const StoredTable& table, const std::filesystem::path& out,
                            const CsvOptions& columns = {}, Monitor* monitor = nullptr);

}  // namespace knotwork
