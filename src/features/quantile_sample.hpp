// SPDX-License-Identifier: MIT
// Quantiles of a column of any length, in memory that does not grow with it.
//
// Up to kExactQuantileValues values all are kept. Of more, a random sample of that many: every row
// has a key, a random number that depends on the row alone, and those with the smallest keys are
// kept. So the sample is the same whatever the order, the pieces and the processes in which the
// rows were seen.
//
// The share of values below a quantile of the sample is then off by more than 1.2 % of all rows
// with a probability below 2e-8: by the bound of Dvoretzky, Kiefer, Wolfowitz and Massart, of
// 2 exp(-2 n e^2) with n = 2^16 and e = 0.012, which is 1.3e-8. (Usually it is off by 0.2 %.) More
// would cost more than it gives: there is a sample of every column in memory, of 1.5 MB each.
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

  // The value of a row, each row once.
  void see(double value, std::size_t row);
  void merge(const QuantileSample& other);

  bool is_all() const { return seen_ <= most_; }
  std::size_t seen() const { return seen_; }
  // Values that are kept, ascending.
  std::vector<double> sorted() const;
  // Of those that are kept, at least one; between the two in the middle if their number is even.
  double median() const;

  void put(parallel::MergeState& state) const;
  void merge(parallel::StateReader& state);

 private:
  struct Entry {
    std::uint64_t key;
    double value;
    // Equal keys of different rows are as good as impossible, but must not depend on the order.
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
  std::vector<Entry> entries_;  // up to half as many again, until the largest keys are dropped
  std::optional<Entry> bound_;  // the largest that was left then
};

}  // namespace knotwork::features
