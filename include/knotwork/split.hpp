// SPDX-License-Identifier: MIT
// The functions of this header split rows and assign folds, depending only on the seed and the row
// numbers.
//
// Every row gets a key from (seed, purpose, row). The rows with the smallest keys form the held-out
// part; folds are assigned round-robin over the rows in the order of their keys. Row lists are
// ascending, so training rows keep their order in the table.
//
//   groups      a group has the key of its first row; its rows always stay together
//   stratified  each class is held out, or spread over the folds, in the same proportion
//   last        no keys: the last rows are held out, for tables in time order
//
// Groups and classes are numbers, one for each row of the table, equal for rows that belong
// together: a column of a Table, numeric or text. Throws bad_data where a number is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/random.hpp>

namespace knotwork {

struct SplitRows {
  std::vector<std::size_t> kept;
  std::vector<std::size_t> held_out;
};

// Holds out round(fraction * rows) rows; fraction in [0, 1). Throws bad_option otherwise.
KNOTWORK_API SplitRows split_rows(std::size_t rows, double fraction, std::uint64_t seed,
                                  Purpose purpose = Purpose::test_split);
// Splits a selection of rows in the same way; keys belong to the row numbers in the table.
KNOTWORK_API SplitRows split_rows(std::span<const std::size_t> rows, double fraction,
                                  std::uint64_t seed, Purpose purpose);
// Holds out whole groups until they contain at least round(fraction * rows) rows, but never all
// groups. Throws bad_data when there are fewer than two groups and the fraction is not 0.
KNOTWORK_API SplitRows split_groups(std::span<const double> groups, double fraction,
                                    std::uint64_t seed, Purpose purpose = Purpose::test_split);
KNOTWORK_API SplitRows split_groups(std::span<const std::size_t> rows,
                                    std::span<const double> groups, double fraction,
                                    std::uint64_t seed, Purpose purpose);

// Holds out round(fraction * rows) rows, and of each class fraction * count, rounded down or up.
// Classes with the largest remainders are rounded up; among equal remainders, classes whose first
// row has the smallest key.
KNOTWORK_API SplitRows split_stratified(std::span<const double> classes, double fraction,
                                        std::uint64_t seed, Purpose purpose = Purpose::test_split);
KNOTWORK_API SplitRows split_stratified(std::span<const std::size_t> rows,
                                        std::span<const double> classes, double fraction,
                                        std::uint64_t seed, Purpose purpose);

// Holds out the last round(fraction * rows) rows.
KNOTWORK_API SplitRows split_last(std::size_t rows, double fraction);
KNOTWORK_API SplitRows split_last(std::span<const std::size_t> rows, double fraction);

// folds[i] is the fold (0 .. k-1) of row i; sizes differ by at most one. 2 <= k <= rows.
KNOTWORK_API std::vector<std::size_t> assign_folds(std::size_t rows, std::size_t k,
                                                   std::uint64_t seed);
// Keeps groups whole: the largest first, each in the fold with the fewest rows. 2 <= k <= groups.
KNOTWORK_API std::vector<std::size_t> assign_group_folds(std::span<const double> groups,
                                                         std::size_t k, std::uint64_t seed);
// Round-robin class by class: the sizes of the folds differ by at most one, and so do the numbers
// of rows of each class in them. 2 <= k <= rows.
KNOTWORK_API std::vector<std::size_t> assign_stratified_folds(std::span<const double> classes,
                                                              std::size_t k, std::uint64_t seed);

}  // namespace knotwork
