// SPDX-License-Identifier: MIT
#include "training/data/memory_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "scoring/units.hpp"
#include "training/data/fitted_columns.hpp"
#include "training/data/row_division.hpp"
#include "training/data/scaled_samples.hpp"
#include "training/data/score_rows.hpp"
#include "training/resume/fingerprint.hpp"
#include "training/run/loss_choice.hpp"

namespace knotwork::training {
namespace {

template <class T>
class MemorySamples final : public OwnedSamples<T> {
 public:
  MemorySamples(const TrainingData& data, std::span<const std::size_t> rows, const Model& model,
                std::size_t large)
      : inputs_(data.inputs, rows, model.inputs, large),
        targets_(data.targets, rows, model.targets, large) {
    if (data.weights.empty()) return;
    std::vector<double> own;
    for (std::size_t row : rows) own.push_back(data.weights[row]);
    const double unit = scoring::unit_of_weights(own);
    for (double weight : own) weights_.push_back(static_cast<T>(weight / unit));
  }

  // Rows count by their class too.
  void weigh_classes(const TrainOptions& options, const TargetColumn& target) {
    const MatrixView<const T> classes = targets_.view();
    std::vector<double> counts(target.classes.size());
    const auto class_of = [&](std::size_t r) { return static_cast<std::size_t>(classes(r, 0)); };
    for (std::size_t r = 0; r < classes.rows && !counts.empty(); ++r) ++counts[class_of(r)];
    const std::vector<double> factors = class_weights(options, target, counts);
    if (factors.empty()) return;
    weights_.resize(classes.rows, T{1});
    for (std::size_t r = 0; r < classes.rows; ++r) {
      weights_[r] *= static_cast<T>(factors[class_of(r)]);
    }
  }

  Samples<T> view() const override {
    return {inputs_.view(), targets_.view(), weights_, inputs_.scales(), targets_.scales()};
  }

 private:
  ScaledColumns<T> inputs_, targets_;
  std::vector<T> weights_;
};

class DividedMemory final : public DividedRows {
 public:
  DividedMemory(const TrainingData& data, const Partition& partition, const TrainOptions& options)
      : data_(data), rows_(divide_rows(data, partition, options)) {}

  std::size_t size(Part part) const override { return rows(part).size(); }
  void check_columns(const Model& start) const override {
    training::check_columns(start, data_, rows_);
  }
  std::vector<InputColumn> fit_inputs(const TrainOptions& options) const override {
    return training::fit_inputs(data_, rows_, options);
  }
  std::vector<TargetColumn> fit_targets(const TrainOptions& options) const override {
    return training::fit_targets(data_, rows_, options);
  }
  std::unique_ptr<OwnedSamples<float>> float_samples(Part part, const Model& model,
                                                     const TrainOptions& options) const override {
    return samples<float>(part, model, options);
  }
  std::unique_ptr<OwnedSamples<double>> double_samples(Part part, const Model& model,
                                                       const TrainOptions& options) const override {
    return samples<double>(part, model, options);
  }
  void score(Model& model, Part part, std::size_t threads) const override {
    score_rows(model, data_, rows(part), threads, part);
  }
  std::vector<double> some_inputs(std::size_t most) const override {
    const std::size_t count = std::min(most, rows_.train.size());
    std::vector<double> some;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t row = rows_.train[k * rows_.train.size() / count];
      for (std::size_t c = 0; c < columns_of(data_.inputs); ++c) {
        some.push_back(element(data_.inputs, row, c));
      }
    }
    return some;
  }

 private:
  const std::vector<std::size_t>& rows(Part part) const {
    if (part == Part::train) return rows_.train;
    return part == Part::validation ? rows_.validation : rows_.test;
  }
  template <class T>
  std::unique_ptr<OwnedSamples<T>> samples(Part part, const Model& model,
                                           const TrainOptions& options) const {
    // The score of a validation part wants its rows scaled already.
    constexpr std::size_t kNeverLarge = std::numeric_limits<std::size_t>::max();
    auto samples = std::make_unique<MemorySamples<T>>(
        data_, rows(part), model, part == Part::validation ? kNeverLarge : kLargeTable);
    if (part == Part::train) samples->weigh_classes(options, model.targets.front());
    return samples;
  }

  const TrainingData& data_;
  Rows rows_;
};

}  // namespace

std::size_t MemoryRows::inputs() const {
  return columns_of(data_.inputs);
}

std::size_t MemoryRows::training_rows() const {
  const bool all = partition_.train.empty() && partition_.test.empty();
  return all ? rows_of(data_.inputs) : partition_.train.size();
}

std::string MemoryRows::data_sha256() const {
  return hash_of(data_, partition_);
}

std::unique_ptr<DividedRows> MemoryRows::divide(const TrainOptions& options) const {
  return std::make_unique<DividedMemory>(data_, partition_, options);
}

std::unique_ptr<DividedRows> MemoryRows::divide_all(const TrainOptions& options) const {
  return std::make_unique<DividedMemory>(data_, Partition{}, options);
}

RowsInMemory MemoryRows::rows_to_compare(std::size_t, std::uint64_t) const {
  RowsInMemory all{data_, partition_.train, nullptr};
  if (partition_.train.empty() && partition_.test.empty()) {
    all.rows.resize(rows_of(data_.inputs));
    std::iota(all.rows.begin(), all.rows.end(), std::size_t{0});
  }
  return all;
}

}  // namespace knotwork::training
