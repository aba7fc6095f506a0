// SPDX-License-Identifier: MIT
// QuantileSample finds quantiles of a column of any length in a fixed amount of memory.
//
// If there are at most kExactQuantileValues values, all of them are kept. Otherwise a random sample
// of this size is kept: every row has a key, a random number that depends on the row alone, and the
// rows with the smallest keys stay. The sample therefore does not depend on the order, the pieces
// and the processes in which rows were seen.
//
// The probability that the share of values below a quantile of the sample is off by more than 1.2 %
// of all rows is below 2e-8: the bound of Dvoretzky, Kiefer, Wolfowitz and Massart, 2 exp(-2 n e^2)
// with n = 2^16 and e = 0.012, is 1.3e-8. (Usually it is off by 0.2 %.) A larger sample is not
// worth its memory: every column already needs 1.5 MB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "parallel/message.hpp"

#include <knotwork/random.hpp>
#include <knotwork/scaling.hpp>

namespace knotwork::features {

class QuantileSample {
 public:
  explicit QuantileSample(std::size_t most = kExactQuantileValues) : most_(most) {}

  // Adds the value of a row; each row must be added once.
  void see(double value, std::size_t row);
  void merge(const QuantileSample& other);

  bool is_all() const { return seen_ <= most_; }
  std::size_t seen() const { return seen_; }
  // The kept values, ascending.
  std::vector<double> sorted() const;
  // Median of the kept values, of which there must be at least one; the mean of the two middle
  // values if their number is even.
  double median() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

 private:
  struct Entry {
    std::uint64_t key;
    double value;
    // Different rows practically never have equal keys, but if they do the order must be defined.
    bool operator<(const Entry& other) const {
      return key != other.key ? key < other.key : value < other.value;
    }
  };
  void keep(const Entry& entry);
  static void trim(std::vector<Entry>& entries, std::size_t most);
  std::vector<Entry> kept() const;
  std::vector<double> values() const;

  std::size_t most_;
  std::size_t seen_ = 0;
  Random random_{0, Purpose::quantile_sample};
  std::vector<Entry> entries_;  // grows to 1.5 times the limit, then the largest keys are dropped
  std::optional<Entry> bound_;  // the largest entry that was kept then
};

}  // namespace knotwork::features
