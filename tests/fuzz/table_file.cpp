// SPDX-License-Identifier: MIT
// Fuzzes table files and NumPy arrays, depending on the first bytes.
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "files/file_io.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <knotwork/stored_table.hpp>

using namespace knotwork;

namespace {

bool same(double a, double b) {
  return (a != a && b != b) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// An accepted table is valid, and its windows contain the same cells as the whole.
void check_table(const StoredTable& stored, const Table& table) {
  table.check();
  fuzz::require(table.rows() == stored.rows() && table.rows() > 0);
  const std::size_t first = table.rows() / 3;
  std::vector<double> cells(table.rows() - first);
  for (std::size_t c = 0; c < std::min<std::size_t>(table.columns.size(), 10); ++c) {
    stored.read(c, first, cells);
    fuzz::require(std::equal(cells.begin(), cells.end(),
                             table.columns[c].begin() + static_cast<std::ptrdiff_t>(first), same));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = ::memfd_create("table", MFD_CLOEXEC);
  fuzz::require(file >= 0 && ::write(file, data, size) == static_cast<ssize_t>(size));
  fuzz::takes([&] {
    const StoredTable stored(fmt::format("/proc/self/fd/{}", file));
    // Almost every change would fail at the hashes of columns, so windows are read first.
    std::vector<double> cells(stored.rows());
    for (std::size_t c = 0; c < std::min<std::size_t>(stored.columns(), 10); ++c) {
      stored.read(c, 0, cells);
    }
    check_table(stored, stored.load());
  });
  ::close(file);
  return 0;
}
