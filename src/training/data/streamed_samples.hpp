// SPDX-License-Identifier: MIT
// Scaled rows of a table that stays in its file: those that one process computes with, in memory or
// in a mapped scratch file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "files/scratch_memory.hpp"
#include "network/pass.hpp"
#include "objective/rank_shares.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/message.hpp"
#include "training/data/training_rows.hpp"

namespace knotwork::training {

// Counts and the largest weight of some rows, which all processes need to know.
struct RowFacts {
  std::vector<std::size_t> classes;  // rows of each
  double largest_weight = 0;
  parallel::ExactSum mass;

  parallel::MergeState state() const {
    parallel::MergeState state;
    for (const std::size_t count : classes) parallel::put(state, count);
    parallel::put(state, largest_weight);
    mass.put(state);
    return state;
  }
  void merge(std::span<const std::int64_t> other) {
    parallel::StateReader reader(other);
    for (std::size_t& count : classes) count += reader.size();
    largest_weight = std::max(largest_weight, reader.number());
    mass.merge(reader);
    reader.finish();
  }
};

template <class T>
class StreamedSamples final : public OwnedSamples<T> {
 public:
  StreamedSamples(std::size_t all_rows, RowRange own, std::size_t inputs, std::size_t targets,
                  bool weighted, const files::MemoryLimit& limit)
      : all_rows_(all_rows),
        own_(own),
        inputs_(inputs),
        targets_(targets),
        weighted_(weighted),
        // A page between columns would let them push each other out of a cache.
        stride_(padded(own.size()) + kLanes),
        memory_(stride_ * (inputs + targets + (weighted ? 1 : 0)) * sizeof(T), limit) {}

  T* column(std::size_t column) const {
    return memory_.template numbers<T>().data() + column * stride_;
  }
  T* weights() const { return column(inputs_ + targets_); }
  void set_mass(double mass) { mass_ = mass; }

  Samples<T> view() const override {
    const T* const data = memory_.template numbers<T>().data();
    Samples<T> samples{{data, own_.size(), inputs_, 1, stride_},
                       {data + inputs_ * stride_, own_.size(), targets_, 1, stride_}};
    if (weighted_) samples.weights = {weights(), own_.size()};
    samples.first = own_.first;
    samples.all_rows = all_rows_;
    samples.mass = mass_;
    return samples;
  }

 private:
  std::size_t all_rows_;
  RowRange own_;
  std::size_t inputs_, targets_;
  bool weighted_;
  std::size_t stride_;
  files::ScratchMemory memory_;
  double mass_ = 0;
};

}  // namespace knotwork::training
