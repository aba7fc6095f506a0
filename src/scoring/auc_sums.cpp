// SPDX-License-Identifier: MIT
#include "scoring/auc_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "scoring/units.hpp"

#include <knotwork/metrics.hpp>

namespace knotwork::scoring {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Bins of p or 1 - p from 2^-53 to 1/2: the leading nine digits after the first.
constexpr int kDropped = 52 - 9;
constexpr double kLeast = 0x1p-53;
constexpr std::size_t kHalfBins = (std::bit_cast<std::uint64_t>(0.5) >> kDropped) -
                                  (std::bit_cast<std::uint64_t>(kLeast) >> kDropped) + 1;

std::size_t bin_of(double p) {
  const double distance = std::max(p <= 0.5 ? p : 1 - p, kLeast);
  const std::size_t bin = (std::bit_cast<std::uint64_t>(distance) >> kDropped) -
                          (std::bit_cast<std::uint64_t>(kLeast) >> kDropped);
  return p <= 0.5 ? bin : 2 * kHalfBins - 1 - bin;
}

// Rows in the order of their probability; every pair of a row of the class and a row of another
// class counts by its weights, pairs of equal probability half.
class Pairs {
 public:
  // Adds rows of equal probability.
  void add(double own, double others) {
    pairs_ += own * (others_ + others / 2);
    own_ += own;
    others_ += others;
  }
  double area() const { return own_ > 0 && others_ > 0 ? pairs_ / (own_ * others_) : kNone; }

 private:
  double own_ = 0, others_ = 0, pairs_ = 0;
};

}  // namespace

AreaSums::AreaSums(std::size_t classes, std::size_t rows)
    : classes_(classes), exact_(rows <= kExactAucRows), columns_(classes == 2 ? 1 : classes) {
  if (exact_) return;
  for (Column& column : columns_) column.bins.resize(2 * kHalfBins);
}

void AreaSums::see(const MatrixView<const double>& probabilities, std::size_t row,
                   std::size_t own_class, double weight) {
  const auto count =
      exact_ ? 0 : static_cast<std::uint64_t>(std::ldexp(weight, 62 - std::ilogb(heaviest_)));
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& column = columns_[k];
    const double p = probabilities(row, class_of(k));
    column.nan |= std::isnan(p);
    if (exact_) {
      column.probabilities.push_back(p);
    } else if (!std::isnan(p)) {
      Bin& bin = column.bins[bin_of(p)];
      (own_class == class_of(k) ? bin.own : bin.others) += {0, count};
    }
  }
  if (!exact_) return;
  own_.push_back(static_cast<std::uint32_t>(own_class));
  weights_.push_back(weight);
}

double AreaSums::exact_area(std::size_t column) const {
  struct Row {
    double p;
    bool is_own;
    double weight;
    // Rows that are equal in all members are interchangeable: their order does not matter.
    bool operator<(const Row& other) const {
      return std::tie(p, is_own, weight) < std::tie(other.p, other.is_own, other.weight);
    }
  };
  const double unit = unit_of_size(heaviest_);
  std::vector<Row> rows(own_.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r] = {columns_[column].probabilities[r], own_[r] == class_of(column), weights_[r] / unit};
  }
  std::sort(rows.begin(), rows.end());
  Pairs pairs;
  for (std::size_t r = 0; r < rows.size();) {
    double own = 0, others = 0;
    const double p = rows[r].p;
    for (; r < rows.size() && rows[r].p == p; ++r) {
      (rows[r].is_own ? own : others) += rows[r].weight;
    }
    pairs.add(own, others);
  }
  return pairs.area();
}

double AreaSums::binned_area(std::size_t column) const {
  Pairs pairs;
  for (const Bin& bin : columns_[column].bins) {
    pairs.add(bin.own.value(), bin.others.value());
  }
  return pairs.area();
}

double AreaSums::mean_area() const {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    // NaN has no position in an order.
    if (columns_[k].nan) continue;
    const double own = exact_ ? exact_area(k) : binned_area(k);
    if (std::isnan(own)) continue;
    sum += own;
    ++count;
  }
  return sum / count;
}

void AreaSums::put(parallel::MergeState& state) const {
  parallel::put(state, own_.size());
  for (std::size_t r = 0; r < own_.size(); ++r) {
    state.push_back(own_[r]);
    parallel::put(state, weights_[r]);
  }
  for (const Column& column : columns_) {
    state.push_back(column.nan);
    for (const double p : column.probabilities) parallel::put(state, p);
    const auto used = [](const Bin& bin) { return bin != Bin(); };
    parallel::put(state, static_cast<std::size_t>(
                             std::count_if(column.bins.begin(), column.bins.end(), used)));
    for (std::size_t k = 0; k < column.bins.size(); ++k) {
      if (!used(column.bins[k])) continue;
      parallel::put(state, k);
      for (const WideCount& count : {column.bins[k].own, column.bins[k].others}) {
        state.push_back(static_cast<std::int64_t>(count.high));
        state.push_back(static_cast<std::int64_t>(count.low));
      }
    }
  }
}

void AreaSums::merge(parallel::StateReader& state) {
  const std::size_t rows = state.size();
  for (std::size_t r = 0; r < rows; ++r) {
    own_.push_back(static_cast<std::uint32_t>(state.next()));
    weights_.push_back(state.number());
  }
  const auto read_count = [&] {
    const auto high = static_cast<std::uint64_t>(state.next());
    return WideCount{high, static_cast<std::uint64_t>(state.next())};
  };
  for (Column& column : columns_) {
    column.nan |= state.next() != 0;
    for (std::size_t r = 0; r < rows; ++r) column.probabilities.push_back(state.number());
    for (std::size_t left = state.size(); left > 0; --left) {
      Bin& bin = column.bins[state.below(column.bins.size())];
      bin.own += read_count();
      bin.others += read_count();
    }
  }
}

}  // namespace knotwork::scoring
