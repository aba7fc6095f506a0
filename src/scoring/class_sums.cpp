// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "scoring/score_sums.hpp"

namespace knotwork::scoring {
namespace {

constexpr double kLeastProbability = 1e-15;

}  // namespace

ClassSums::ClassSums(std::size_t classes, std::size_t rows)
    : classes_(classes), confusion_(classes * classes), area_(classes, rows) {}

void ClassSums::see_truth(std::span<const double> truth, std::span<const double> weights) {
  for (std::size_t r = 0; r < truth.size(); ++r) {
    if (!(truth[r] >= 0) || !(truth[r] < static_cast<double>(classes_))) {
      fail(ErrorKind::bad_data, "The class of row {} is {}; there are {} classes, from 0.",
           seen_ + r, truth[r], classes_);
    }
    heaviest_ = std::max(heaviest_, weight_of(weights, r));
  }
  seen_ += truth.size();
}

void ClassSums::end_truth() {
  truth_known_ = true;
  area_.set_heaviest(heaviest_);
}

void ClassSums::see(MatrixView<const double> probabilities, std::span<const double> truth,
                    std::span<const double> weights) {
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const auto own = static_cast<std::size_t>(truth[r]);
    std::size_t likely = 0;
    for (std::size_t c = 1; c < classes_; ++c) {
      if (probabilities(r, c) > probabilities(r, likely)) likely = c;
    }
    const double weight = weight_of(weights, r);
    mass_.add(weight);
    if (likely == own) right_.add(weight);
    add_product(loss_, weight, -std::log(std::max(probabilities(r, own), kLeastProbability)));
    confusion_[own * classes_ + likely].add(weight);
    area_.see(probabilities, r, own, weight);
  }
  rows_ += truth.size();
}

Scores ClassSums::scores() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Scores scores{rows_, none, none, none, none};
  ClassScores& result = scores.classes.emplace();
  const WideNumber mass(mass_);
  result.accuracy = (WideNumber(right_) / mass).value();
  result.log_loss = (WideNumber(loss_) / mass).value();
  result.auc = area_.mean_area();
  result.confusion.assign(classes_, std::vector<double>(classes_));
  for (std::size_t k = 0; k < confusion_.size(); ++k) {
    result.confusion[k / classes_][k % classes_] = confusion_[k].value();
  }
  return scores;
}

void ClassSums::put(parallel::MergeState& state) const {
  if (!truth_known_) {
    parallel::put(state, heaviest_);
    return;
  }
  parallel::put(state, rows_);
  for (const parallel::ExactSum* sum : {&mass_, &right_, &loss_}) sum->put(state);
  for (const parallel::ExactSum& cell : confusion_) cell.put(state);
  area_.put(state);
}

void ClassSums::merge(parallel::StateReader& state) {
  if (!truth_known_) {
    heaviest_ = std::max(heaviest_, state.number());
    return;
  }
  rows_ += state.size();
  for (parallel::ExactSum* sum : {&mass_, &right_, &loss_}) sum->merge(state);
  for (parallel::ExactSum& cell : confusion_) cell.merge(state);
  area_.merge(state);
}

}  // namespace knotwork::scoring
