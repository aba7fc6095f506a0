// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "files/safetensors_header.hpp"
#include "files/system_calls.hpp"
#include "files/watched_calls.hpp"
#include "parallel/threads.hpp"
#include "parallel/watched_work.hpp"
#include "table/csv/cell_value.hpp"
#include "table/stored/column_buffer.hpp"
#include "table/stored/table_file_record.hpp"

#include <knotwork/stored_table.hpp>

namespace knotwork {

using namespace table;

namespace {

static_assert(std::endian::native == std::endian::little);

// A program that maps the file finds every column aligned for its numbers; the largest types come
// first.
constexpr std::size_t kAlignment = 64;

enum class Kind { f64, f32, u32, u16, u8 };

const char* type_of(Kind kind) {
  constexpr const char* kNames[] = {"F64", "F32", "U32", "U16", "U8"};
  return kNames[static_cast<std::size_t>(kind)];
}

// There is one code for every text and one for a missing cell.
Kind kind_of_texts(std::size_t texts) {
  return texts <= 0xFF ? Kind::u8 : texts <= 0xFFFF ? Kind::u16 : Kind::u32;
}

bool all_floats(std::span<const double> cells) {
  bool floats = true;
  for (const double cell : cells) {
    floats &= std::isnan(cell) || static_cast<double>(static_cast<float>(cell)) == cell;
  }
  return floats;
}

template <class Item>
void append_items(std::span<const double> cells, const auto& encode,
                  std::vector<std::uint8_t>& bytes) {
  bytes.resize(cells.size() * sizeof(Item));
  std::uint8_t* out = bytes.data();
  for (const double cell : cells) {
    const Item item = encode(cell);
    std::memcpy(out, &item, sizeof(Item));
    out += sizeof(Item);
  }
}

template <class Number>
Number number_of(double cell) {
  // One NaN for all missing cells, so that equal tables give equal files.
  return std::isnan(cell) ? std::numeric_limits<Number>::quiet_NaN() : static_cast<Number>(cell);
}

}  // namespace

struct TableWriter::State {
  State(const std::filesystem::path& out, const Table& table)
      : path(out),
        file(out),
        columns(table.names.size()),
        cells(out, columns),
        is_float(columns, true),
        hashes(columns) {
    record.source = table.source;
    for (const std::string& name : table.names) {
      record.columns.push_back({.name = name, .categories = {}, .sha256 = std::string(64, '0')});
    }
    describe(table);
  }

  void describe(const Table& table) {
    record.cells = table.cells;
    for (std::size_t c = 0; c < columns; ++c) record.columns[c].is_date = table.is_date(c);
  }

  void check_shape(std::span<const std::vector<double>> pieces) const {
    const bool fits = pieces.size() == columns &&
                      std::all_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
                        return piece.size() == pieces.front().size();
                      });
    if (!fits) {
      fail(ErrorKind::bad_data, about_file(record.source),
           "The table '{}' cannot be written: all of its {} columns must get the same number of "
           "cells.",
           record.source, columns);
    }
  }

  void check_finite(std::size_t c, std::span<const double> cells_of_column) const {
    bool infinite = false;
    for (const double cell : cells_of_column) infinite |= std::isinf(cell);
    if (infinite) {
      fail(ErrorKind::bad_data, about_file(record.source),
           "The table '{}' cannot be written: column '{}' has an infinite number.", record.source,
           csv::shown(record.columns[c].name));
    }
  }

  // Checks the cells of `latest`, keeps them, and hashes them in the form in which they will be
  // stored if the rest of the column has the same type.
  void take_in() {
    std::vector<std::uint8_t> bytes;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::span<const double> cells_of_column(latest[c]);
      check_finite(c, cells_of_column);
      ColumnHash& hash = hashes[c];
      if (is_float[c] && !all_floats(cells_of_column)) {
        is_float[c] = false;
        hash.holds = !hash.begun;
      }
      if (!hash.holds) continue;
      hash.begun = true;
      encode(c, cells_of_column, {}, bytes);
      hash.sha256.update(bytes);
    }
    cells.append(latest);
  }

  // Waits until the appended cells are processed. Throws if that failed, now and in all later
  // calls.
  void settle() { taking_in.finish(); }

  bool is_text(std::size_t c) const { return !record.columns[c].categories.empty(); }

  Kind kind(std::size_t c) const {
    if (is_text(c)) return kind_of_texts(record.columns[c].categories.size());
    return is_float[c] ? Kind::f32 : Kind::f64;
  }

  // Columns in the order of the file: the largest items first, so that all are aligned.
  std::vector<files::TensorPlace> place_columns() {
    order.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) order[c] = c;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return files::item_bytes(type_of(kind(a))) > files::item_bytes(type_of(kind(b)));
    });
    std::vector<files::TensorPlace> places;
    std::uint64_t at = 0;
    for (const std::size_t c : order) {
      const char* const type = type_of(kind(c));
      const std::uint64_t end = at + std::uint64_t{record.rows} * files::item_bytes(type);
      places.push_back({record.columns[c].name, type, {record.rows}, at, end});
      at = end;
    }
    return places;
  }

  std::vector<std::uint8_t> header(const std::vector<files::TensorPlace>& places) const {
    std::vector<std::uint8_t> bytes =
        files::write_safetensors_header(places, to_text(record), kAlignment);
    if (bytes.empty()) {
      fail(ErrorKind::bad_data, in_file(path.string()),
           "cannot be written: the names and texts of its columns have more than {} bytes; leave "
           "out columns with very many different texts.",
           files::kMaxHeaderBytes);
    }
    return bytes;
  }

  // A number is an index into ranks, or the label's index itself.
  void encode(std::size_t c, std::span<const double> numbers, const std::vector<double>& ranks,
              std::vector<std::uint8_t>& bytes) const {
    const std::size_t missing = record.columns[c].categories.size();
    const auto code = [&]<class Code>(Code) {
      return [&](double cell) {
        if (std::isnan(cell)) return static_cast<Code>(missing);
        const auto number = static_cast<std::size_t>(cell);
        return static_cast<Code>(ranks.empty() ? cell : ranks[number]);
      };
    };
    switch (kind(c)) {
      case Kind::f64:
        return append_items<double>(numbers, number_of<double>, bytes);
      case Kind::f32:
        return append_items<float>(numbers, number_of<float>, bytes);
      case Kind::u32:
        return append_items<std::uint32_t>(numbers, code(std::uint32_t{}), bytes);
      case Kind::u16:
        return append_items<std::uint16_t>(numbers, code(std::uint16_t{}), bytes);
      case Kind::u8:
        return append_items<std::uint8_t>(numbers, code(std::uint8_t{}), bytes);
    }
  }

  // Calls take(bytes) for pieces of a column in its stored form.
  template <class Take>
  void for_each_piece(std::size_t c, const std::vector<std::vector<double>>& ranks,
                      const Take& take) const {
    const std::vector<double> none;
    std::vector<std::uint8_t> bytes;
    const bool is_replaced = again && place_again[c] != columns;
    const ColumnBuffer& spill = is_replaced ? *again : cells;
    spill.read(is_replaced ? place_again[c] : c, [&](std::span<const double> numbers) {
      encode(c, numbers, c < ranks.size() ? ranks[c] : none, bytes);
      take(bytes);
    });
  }

  // Hashes all columns that have no hash yet, one after the other; several threads may call it at
  // once.
  void hash_columns(const std::vector<std::vector<double>>& ranks, std::atomic<std::size_t>& next,
                    const Monitor* monitor) {
    for (std::size_t c; (c = next++) < columns;) {
      if (hashes[c].holds && !is_text(c)) continue;
      Sha256 hash;
      for_each_piece(c, ranks, [&](std::span<const std::uint8_t> bytes) {
        parallel::check_stop(monitor);
        // If the file is abandoned, the hash is not needed.
        if (next < kAbandoned) hash.update(bytes);
      });
      hashes[c].sha256 = std::move(hash);
    }
  }
  // Tells hash_columns() to stop, even in the middle of a column.
  static constexpr std::size_t kAbandoned = std::numeric_limits<std::size_t>::max() / 2;

  // Hash of a column in its stored form.
  struct ColumnHash {
    Sha256 sha256;
    bool begun = false;
    bool holds = true;  // false: it was begun with numbers of another type
  };

  std::filesystem::path path;
  files::AtomicFile file;
  std::size_t columns;
  TableRecord record;
  ColumnBuffer cells;
  std::vector<bool> is_float;
  std::vector<ColumnHash> hashes;
  std::optional<ColumnBuffer> again;     // columns that were appended a second time
  std::vector<std::size_t> place_again;  // index of a column in `again`; else `columns`
  std::vector<std::size_t> order;
  std::vector<std::vector<double>> latest;  // the latest rows
  parallel::WorkAside taking_in;            // processes the latest rows
};

TableWriter::TableWriter(const std::filesystem::path& path, const Table& description) {
  const Table names{.source = description.source,
                    .names = description.names,
                    .columns = std::vector<std::vector<double>>(description.names.size()),
                    .dates = description.dates,
                    .cells = description.cells};
  names.check();
  if (names.names.empty()) {
    fail(ErrorKind::bad_data, about_file(description.source),
         "The table '{}' cannot be written: it has no columns.", description.source);
  }
  // In a safetensors file this is the key of the metadata.
  constexpr std::string_view kReserved = "__metadata__";
  if (std::find(names.names.begin(), names.names.end(), kReserved) != names.names.end()) {
    fail(ErrorKind::bad_data, in_file(path.string()),
         "cannot be written: the column name '{}' is reserved by safetensors; rename the column.",
         kReserved);
  }
  // The start is rewritten at the end, which is impossible in a pipe.
  std::error_code ignored;
  const auto place = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(place) && !std::filesystem::is_regular_file(place)) {
    fail(ErrorKind::bad_file, in_file(path.string()),
         "is not a file; a table file cannot be written there.");
  }
  state_ = std::make_unique<State>(path, names);
}

TableWriter::~TableWriter() = default;

void TableWriter::append(std::span<const std::vector<double>> columns) {
  State& state = *state_;
  state.check_shape(columns);
  state.settle();
  state.latest.resize(columns.size());
  std::copy(columns.begin(), columns.end(), state.latest.begin());
  // Another thread, if there is one, does this while the caller prepares the next rows.
  state.taking_in = parallel::WorkAside([&state, &calls = files::system_calls()] {
    const files::ReplacedSystemCalls same(calls);
    state.take_in();
  });
}

void TableWriter::append_again(const std::vector<bool>& which,
                               std::span<const std::vector<double>> columns) {
  State& state = *state_;
  state.settle();
  std::vector<std::vector<double>> chosen;
  std::vector<std::size_t> place(state.columns, state.columns);
  for (std::size_t c = 0; c < state.columns; ++c) {
    if (!which[c]) continue;
    state.check_finite(c, columns[c]);
    // The first cells do not count for the type of the column.
    if (!state.again) {
      state.is_float[c] = true;
      state.hashes[c].holds = false;
    }
    state.is_float[c] = state.is_float[c] && all_floats(columns[c]);
    place[c] = chosen.size();
    chosen.push_back(columns[c]);
  }
  if (chosen.empty()) return;
  if (!state.again) state.again.emplace(state.path, chosen.size());
  state.place_again = std::move(place);
  state.again->append(chosen);
}

void TableWriter::describe(const Table& description) {
  state_->settle();
  state_->describe(description);
}

void TableWriter::finish(const std::vector<std::vector<std::string>>& labels,
                         const std::vector<std::vector<double>>& ranks, Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  State& state = *state_;
  state.settle();
  state.record.rows = state.cells.rows();
  if (state.record.rows == 0) {
    fail(ErrorKind::bad_data, in_file(state.path.string()),
         "cannot be written: a table needs at least one row.");
  }
  if (state.again && state.again->rows() != state.record.rows) {
    fail(ErrorKind::failed_run, "{} was changed while it was being read.", state.record.source);
  }
  for (std::size_t c = 0; c < std::min(labels.size(), state.columns); ++c) {
    state.record.columns[c].categories = labels[c];
  }
  const std::vector<files::TensorPlace> places = state.place_columns();
  state.file.write(state.header(places));
  // Hashing the remaining columns may take longer than writing them, so another thread starts with
  // it.
  std::atomic<std::size_t> next_to_hash = 0;
  parallel::WorkAside hashing([&] { state.hash_columns(ranks, next_to_hash, monitor); });
  try {
    parallel::WatchedWork work(monitor, Phase::writing, static_cast<double>(state.columns));
    for (std::size_t k = 0; k < state.columns; ++k) {
      state.for_each_piece(state.order[k], ranks,
                           [&](std::span<const std::uint8_t> bytes) { state.file.write(bytes); });
      work.advance();
    }
    state.hash_columns(ranks, next_to_hash, monitor);
  } catch (...) {
    next_to_hash = TableWriter::State::kAbandoned;
    throw;
  }
  hashing.finish();
  for (std::size_t c = 0; c < state.columns; ++c) {
    state.record.columns[c].sha256 = state.hashes[c].sha256.hex_digest();
  }
  state.file.rewrite_start(state.header(places));
  state.file.commit();
}

void write_table_file(const Table& table, const std::filesystem::path& path, Monitor* monitor) {
  table.check();
  const files::WatchedFiles watched(monitor);
  TableWriter writer(path, table);
  writer.append(table.columns);
  writer.finish(table.labels, {}, monitor);
}

}  // namespace knotwork
