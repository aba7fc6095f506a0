// SPDX-License-Identifier: MIT
// OwnedSamples are the scaled rows that one process computes with: in memory, in a mapped scratch
// file, or in place in the memory of their source.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "files/scratch_memory.hpp"
#include "network/pass.hpp"
#include "objective/rank_shares.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/message.hpp"

#include <knotwork/objective.hpp>
#include <knotwork/row_source.hpp>

namespace knotwork::training {

// Counts and the largest weight of some rows, which all processes need.
struct RowFacts {
  std::vector<parallel::ExactSum> classes;  // the sum of the weights of each class
  double largest_weight = 0;
  parallel::ExactSum mass;

  parallel::MergeState state() const {
    parallel::MergeState state;
    for (const parallel::ExactSum& sum : classes) sum.put(state);
    parallel::put(state, largest_weight);
    mass.put(state);
    return state;
  }
  void merge(std::span<const std::int64_t> other) {
    parallel::StateReader reader(other);
    for (parallel::ExactSum& sum : classes) sum.merge(reader);
    largest_weight = std::max(largest_weight, reader.number());
    mass.merge(reader);
    reader.finish();
  }
};

// Columns that are used in place in the memory of their source.
template <class T>
struct LentColumns {
  MatrixView<const T> view;
  std::vector<ColumnScale> scales = {};  // to apply; empty: the columns are already scaled
};

// The columns as one matrix, if each of them is contiguous and they are at equal distances.
template <class T>
std::optional<MatrixView<const T>> matrix_in_memory(const RowSource& source,
                                                    std::span<const std::size_t> columns) {
  MatrixView<const T> matrix{nullptr, source.rows(), columns.size(), 1, source.rows()};
  std::uintptr_t first = 0, distance = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::optional<ColumnView> column = source.in_memory(columns[k]);
    const auto* typed = column ? std::get_if<StridedView<T>>(&*column) : nullptr;
    if (!typed || (typed->stride != 1 && source.rows() > 1)) return std::nullopt;
    const auto place = reinterpret_cast<std::uintptr_t>(typed->data);
    if (k == 0) {
      first = place;
      matrix.data = typed->data;
      continue;
    }
    if (k == 1) {
      distance = place - first;
      matrix.column_stride = distance / sizeof(T);
    }
    const bool fits = place > first && distance % sizeof(T) == 0 && place == first + k * distance;
    if (!fits) return std::nullopt;
  }
  return matrix;
}

template <class T>
class OwnedSamples {
 public:
  // `own` are the rows of this process, of `all_rows`; lent columns have all rows.
  OwnedSamples(std::size_t all_rows, RowRange own, std::size_t inputs, std::size_t targets,
               bool weighted, std::optional<LentColumns<T>> lent_inputs,
               std::optional<LentColumns<T>> lent_targets, const files::MemoryLimit& limit)
      : all_rows_(all_rows),
        own_(own),
        inputs_(inputs),
        targets_(targets),
        weighted_(weighted),
        lent_inputs_(std::move(lent_inputs)),
        lent_targets_(std::move(lent_targets)),
        // Without a page between columns they would evict each other from a cache.
        stride_(padded(own.size()) + kLanes),
        memory_(
            stride_ *
                ((lent_inputs_ ? 0 : inputs) + (lent_targets_ ? 0 : targets) + (weighted ? 1 : 0)) *
                sizeof(T),
            limit) {}

  bool owns_inputs() const { return !lent_inputs_; }
  bool owns_targets() const { return !lent_targets_; }
  // The memory of a column that is not lent.
  T* input(std::size_t column) const { return at(column); }
  T* target(std::size_t column) const { return at((lent_inputs_ ? 0 : inputs_) + column); }
  T* weights() const { return target(lent_targets_ ? 0 : targets_); }
  void set_mass(double mass) { mass_ = mass; }

  Samples<T> view() const {  // into this object, or into the source
    Samples<T> samples;
    samples.inputs = lent_inputs_ ? own_rows_of(*lent_inputs_) : view_of(input(0), inputs_);
    samples.targets = lent_targets_ ? own_rows_of(*lent_targets_) : view_of(target(0), targets_);
    if (weighted_) samples.weights = {weights(), own_.size()};
    if (lent_inputs_) samples.input_scales = lent_inputs_->scales;
    if (lent_targets_) samples.target_scales = lent_targets_->scales;
    samples.first = own_.first;
    samples.all_rows = all_rows_;
    samples.mass = mass_;
    return samples;
  }

 private:
  T* at(std::size_t column) const {
    return memory_.template numbers<T>().data() + column * stride_;
  }
  MatrixView<const T> view_of(const T* data, std::size_t columns) const {
    return {data, own_.size(), columns, 1, stride_};
  }
  MatrixView<const T> own_rows_of(const LentColumns<T>& lent) const {
    MatrixView<const T> view = lent.view;
    view.data += own_.first;
    view.rows = own_.size();
    return view;
  }

  std::size_t all_rows_;
  RowRange own_;
  std::size_t inputs_, targets_;
  bool weighted_;
  std::optional<LentColumns<T>> lent_inputs_, lent_targets_;
  std::size_t stride_;
  files::ScratchMemory memory_;
  double mass_ = 0;
};

}  // namespace knotwork::training
