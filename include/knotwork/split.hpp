// SPDX-License-Identifier: MIT
// Seeded splits and folds, as a function of the seed and the row's number alone.
//
// Every row gets a key from (seed, purpose, row). The rows with the smallest keys form the held-out
// part; folds go round-robin over the rows in the order of their keys. Row lists are ascending, so
// training rows keep their order in the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/random.hpp>

namespace knotwork {

struct SplitRows {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> held_out;
};

// Holds out round(fraction * rows) of them; fraction in [0, 1). Throws bad_option otherwise.
KNOTWORK_API SplitRows split_rows(std::size_t rows, double fraction, std::uint64_t seed,
                                  Purpose purpose = Purpose::test_split);
// The same among given rows only; keys belong to the row's own number.
KNOTWORK_API SplitRows split_rows(std::span<const std::size_t> rows, double fraction,
                                  std::uint64_t seed, Purpose purpose);
// folds[i] is the fold (0 .. k-1) of row i; sizes differ by at most one. 2 <= k <= rows.
KNOTWORK_API std::vector<std::size_t> assign_folds(std::size_t rows, std::size_t k,
                                                   std::uint64_t seed);

}  // namespace knotwork
