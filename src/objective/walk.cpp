// SPDX-License-Identifier: MIT
#include "objective/walk.hpp"

#include <algorithm>

#include "base/fail.hpp"
#include "kernels/scale.hpp"
#include "objective/subtrees.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork {

namespace {

template <class T>
double mass_of(const Samples<T>& samples) {
  if (samples.mass > 0) return samples.mass;
  if (samples.weights.empty()) {
    return static_cast<double>(std::max(samples.all_rows, samples.inputs.rows));
  }
  parallel::ExactSum mass;
  for (const T weight : samples.weights) mass.add(static_cast<double>(weight));
  return mass.value();
}

}  // namespace

template <class T>
Objective::WalkOf<T>::WalkOf(const Network& network, Samples<T> samples,
                             const ObjectiveOptions& options)
    : network_(network),
      samples_(samples),
      loss_(options.loss),
      rows_(std::max(samples.all_rows, samples.inputs.rows)),
      mass_(mass_of(samples)),
      block_(std::min(block_rows<T>(network), padded(rows_))),
      leaf_(leaf_rows<T>(network)),
      seed_(options.seed),
      monitor_(options.monitor),
      dropout_{options.dropout, options.seed, 0},
      pass_(network),
      pool_(std::min(parallel::ThreadPool::resolve(options.threads), (rows_ + leaf_ - 1) / leaf_)),
      ranks_(options.ranks && options.ranks->size() > 1 ? options.ranks : nullptr),
      shares_(rows_, leaf_, options.batch) {
  const std::size_t leaves = (rows_ + leaf_ - 1) / leaf_;
  make_tasks(leaves);
  std::size_t longest_sum = longest_run_;
  if (options.batch > 0) longest_sum = std::max(longest_sum, leaves / shares_.lanes() + 1);
  for (std::size_t w = 0; w < pool_.workers(); ++w) {
    workers_.emplace_back(network, block_, longest_sum);
  }
  if (options.batch > 0 && options.batch < rows_) {
    make_lanes((rows_ + options.batch - 1) / options.batch);
  }
}

template <class T>
void Objective::WalkOf<T>::make_tasks(std::size_t leaves) {
  const RowRange own = ranks_ ? shares_.own(ranks_->rank(), ranks_->size()) : RowRange{0, rows_};
  if (own.first < samples_.first || own.last > samples_.first + samples_.inputs.rows) {
    fail(ErrorKind::bad_data,
         "The share of this process is rows {} to {}, but it has {} samples from row {} on.",
         own.first, own.last, samples_.inputs.rows, samples_.first);
  }
  // Aligned runs of 2^k leaves are subtrees of the one tree over all leaves, so their length does
  // not affect the bits: some ten tasks for each worker balance the load and keep few partial sums.
  // A large network needs fewer partial sums, because each is as long as its gradient.
  constexpr std::size_t kMostNumbers = std::size_t{1} << 22;
  const std::size_t most = std::clamp(kMostNumbers / network_.parameters().size(),
                                      2 * pool_.workers(), 16 * pool_.workers());
  const std::size_t end = (own.last + leaf_ - 1) / leaf_, own_leaves = end - own.first / leaf_;
  while (own_leaves / longest_run_ > most) longest_run_ *= 2;
  for (std::size_t leaf = own.first / leaf_; leaf < end;) {
    std::size_t run = longest_run_;
    // The last run may be shorter.
    while (leaf % run != 0 || (leaf + run > end && end < leaves)) run /= 2;
    all_tasks_.push_back({leaf * leaf_, std::min((leaf + run) * leaf_, rows_), leaf, run});
    leaf += run;
  }
}

template <class T>
void Objective::WalkOf<T>::make_lanes(std::size_t batches) {
  batches_ = batches;
  const std::size_t lanes = shares_.lanes();
  own_lanes_ = ranks_ ? shares_.own_lanes(ranks_->rank(), ranks_->size()) : RowRange{0, lanes};
  for (std::size_t lane = own_lanes_.first; lane < own_lanes_.last; ++lane) {
    lanes_.emplace_back(rows_, shares_.lane(lane).first, shares_.lane(lane).last, seed_);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lane_sizes_.push_back(shares_.lane(lane).size());
  }
  dealt_before_.resize(lanes);
  dealt_after_.resize(lanes);
}

// The number of rows that each lane has given before a batch and after it; most calls are for the
// next batch.
template <class T>
void Objective::WalkOf<T>::deal(std::size_t batch) {
  if (batch > 0 && batch == dealt_batches_) {
    std::swap(dealt_before_, dealt_after_);
  } else {
    count_dealt(lane_sizes_, rows_ * batch / batches_, dealt_before_);
  }
  count_dealt(lane_sizes_, rows_ * (batch + 1) / batches_, dealt_after_);
  dealt_batches_ = batch + 1;
}

// The columns at positions first .. first+n-1 as a block, copied to `storage` unless they can be
// used in place.
template <class T>
Block<const T> Objective::WalkOf<T>::load_block(MatrixView<const T> view,
                                                std::span<const ColumnScale> scales,
                                                std::size_t first, std::size_t n,
                                                Block<T> storage) const {
  if (order_.empty() && scales.empty()) return block_at(view, place_of(first), n, storage);
  if (order_.empty()) {
    copy_rows(view, place_of(first), n, storage);
  } else {
    gather(
        view, n, [this, first](std::size_t k) { return place_of(row_at(first + k)); }, storage);
  }
  for (std::size_t c = 0; c < scales.size(); ++c) {
    scale_kernels<T>().apply(scales[c].offset, scales[c].scale, storage.row(c), padded(n));
  }
  return storage;
}

template <class T>
double Objective::WalkOf<T>::run_block(std::size_t first, std::size_t n, Workspace<T>& workspace) {
  const std::size_t whole = padded(n);
  const Block<const T> x = load_block(samples_.inputs, samples_.input_scales, first, n,
                                      workspace.block(workspace.inputs));
  Block<const T> targets = load_block(samples_.targets, samples_.target_scales, first, n,
                                      workspace.block(workspace.targets));
  const T* weights = nullptr;
  if (!samples_.weights.empty()) {
    if (order_.empty()) {
      weights = samples_.weights.data() + place_of(first);
    } else {
      for (std::size_t k = 0; k < n; ++k) {
        workspace.weights[k] = samples_.weights[place_of(row_at(first + k))];
      }
      weights = workspace.weights.data();
    }
  }

  workspace.dropping = false;
  if (dropping_) {
    draw_dropout(
        network_, dropout_, n, [this, first](std::size_t k) { return row_at(first + k); },
        workspace);
  }
  pass_.forward(workspace, x, whole, true);
  // Targets may be in the caller's memory with a different stride; losses have only one stride.
  const std::size_t outputs = network_.outputs();
  if (targets.stride != workspace.stride && samples_.targets.columns > 1) {
    gather(
        samples_.targets, n, [this, first](std::size_t k) { return place_of(first + k); },
        workspace.block(workspace.targets));
    targets = workspace.block(workspace.targets);
  }
  const double loss =
      loss_->evaluate(LossBlock<T>{outputs, n, workspace.stride, workspace.outputs().data,
                                   targets.data, weights, workspace.gradient.data()});
  for (std::size_t o = 0; o < outputs; ++o) {
    T* g = workspace.block(workspace.gradient).row(o);
    std::fill(g + n, g + whole, T{0});
  }
  pass_.backward(workspace, x, whole);
  return loss;
}

template <class T>
void Objective::WalkOf<T>::run_task(const Task& task, Worker& worker, TaskSum& sum) {
  worker.gradient.start(network_.parameters().size());
  worker.loss.start(1);
  for (std::size_t leaf = task.first; leaf < task.last; leaf += leaf_) {
    const std::size_t end = std::min(leaf + leaf_, task.last);
    double loss = 0;
    pass_.begin_sum(worker.workspace);
    for (std::size_t first = leaf; first < end; first += block_) {
      parallel::check_stop(monitor_.get());
      loss += run_block(first, std::min(block_, end - first), worker.workspace);
    }
    pass_.end_sum(worker.workspace);
    worker.gradient.add(std::span<const T>(worker.workspace.parameter_gradient));
    worker.loss.add(std::span<const double>(&loss, 1));
  }
  worker.gradient.finish_into(sum.gradient);
  sum.loss = worker.loss.finish()[0];
}

// Writes the results into sums_. If this process was asked to stop, it reports the stop to the
// other processes in place of its sums.
template <class T>
void Objective::WalkOf<T>::run_tasks(std::span<const Task> tasks) {
  try {
    pool_.run(tasks.size(), [&](std::size_t task, std::size_t w) {
      run_task(tasks[task], workers_[w], sums_[task]);
    });
  } catch (const Error& error) {
    if (ranks_ && error.kind() == ErrorKind::stopped) ranks_->report_failure(error);
    throw;
  }
}

template <class T>
double Objective::WalkOf<T>::run(std::span<const Task> tasks, double mass,
                                 std::span<const double> parameters, std::span<double> gradient) {
  pass_.load(parameters);
  std::size_t longest = 0;
  for (const Task& task : tasks) longest = std::max(longest, task.last - task.first);
  for (Worker& worker : workers_) worker.workspace.lay_out(std::min(block_, longest));
  while (sums_.size() < tasks.size()) sums_.push_back({std::vector<double>(parameters.size()), 0});
  run_tasks(tasks);
  if (ranks_) return add_up_ranks(tasks, mass, gradient);
  gradient_tree_.start(parameters.size());
  loss_tree_.start(1);
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    gradient_tree_.add(std::span<const double>(sums_[task].gradient));
    loss_tree_.add(std::span<const double>(&sums_[task].loss, 1));
  }
  const auto total = gradient_tree_.finish();
  for (std::size_t k = 0; k < total.size(); ++k) gradient[k] = total[k] / mass;
  return loss_tree_.finish()[0] / mass;
}

template <class T>
double Objective::WalkOf<T>::add_up_ranks(std::span<const Task> tasks, double mass,
                                          std::span<double> gradient) {
  Subtrees own(gradient.size() + 1);
  std::vector<double> numbers(gradient.size() + 1);
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    std::copy(sums_[task].gradient.begin(), sums_[task].gradient.end(), numbers.begin());
    numbers.back() = sums_[task].loss;
    own.append(tasks[task].node, tasks[task].width, numbers);
  }
  const std::vector<double> total = own.add_up(*ranks_);
  for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] = total[k] / mass;
  return total.back() / mass;
}

template <class T>
double Objective::WalkOf<T>::all(std::span<const double> parameters, std::span<double> gradient) {
  order_ = {};
  dropping_ = false;
  return run(all_tasks_, mass_, parameters, gradient);
}

template <class T>
std::size_t Objective::WalkOf<T>::begin_epoch(std::uint64_t epoch) {
  epoch_ = epoch;
  for (LaneOrder& lane : lanes_) lane.begin_epoch(epoch);
  return batches_;
}

template <class T>
double Objective::WalkOf<T>::batch(std::size_t batch, std::span<const double> parameters,
                                   std::span<double> gradient) {
  if (batch >= batches_) {
    fail(ErrorKind::bad_option, "There is no batch {}: this epoch has {}.", batch, batches_);
  }
  dropping_ = dropout_.share > 0;
  dropout_.step = epoch_ * batches_ + batch;
  if (batches_ == 1) {
    order_ = {};
    return run(all_tasks_, mass_, parameters, gradient);
  }
  batch_tasks_.clear();
  batch_rows_.clear();
  std::size_t rows = 0, node = 0;
  deal(batch);
  for (std::size_t lane = 0; lane < shares_.lanes(); ++lane) {
    const std::size_t begin = dealt_before_[lane], end = dealt_after_[lane];
    if (begin == end) continue;
    rows += end - begin;
    if (lane >= own_lanes_.first && lane < own_lanes_.last) {
      const std::size_t first = batch_rows_.size();
      lanes_[lane - own_lanes_.first].append(begin, end, batch_rows_);
      batch_tasks_.push_back({first, batch_rows_.size(), node, 1});
    }
    ++node;
  }
  order_ = batch_rows_;
  // The total mass times the batch's share of the rows, not the batch's own mass: heavy rows must
  // count for more than light rows even in different batches.
  const double mass = mass_ * static_cast<double>(rows) / static_cast<double>(rows_);
  return run(batch_tasks_, mass, parameters, gradient);
}

template class Objective::WalkOf<float>;
template class Objective::WalkOf<double>;

}  // namespace knotwork
