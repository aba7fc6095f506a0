// SPDX-License-Identifier: MIT
#include "objective/walk.hpp"

#include <algorithm>
#include <numeric>

#include "base/fail.hpp"
#include "kernels/scale.hpp"

#include <knotwork/random.hpp>

namespace knotwork {

template <class T>
Objective::WalkOf<T>::WalkOf(const Network& network, Samples<T> samples,
                             const ObjectiveOptions& options)
    : network_(network),
      samples_(samples),
      loss_(options.loss),
      rows_(samples.inputs.rows),
      mass_(samples.weights.empty()
                ? static_cast<double>(rows_)
                : std::accumulate(samples.weights.begin(), samples.weights.end(), 0.0)),
      block_(std::min(block_rows<T>(network), padded(rows_))),
      leaf_(leaf_rows<T>(network)),
      seed_(options.seed),
      dropout_{options.dropout, options.seed, 0},
      pass_(network),
      pool_(std::min(ThreadPool::resolve(options.threads), (rows_ + leaf_ - 1) / leaf_)) {
  // Aligned runs of 2^k leaves are subtrees of the one tree over all leaves, so their length is
  // free: some ten tasks for each worker balance the load and keep few partial sums.
  const std::size_t leaves = (rows_ + leaf_ - 1) / leaf_;
  // A large network wants fewer of these, which are as long as its gradient.
  constexpr std::size_t kMostNumbers = std::size_t{1} << 22;
  const std::size_t most = std::clamp(kMostNumbers / network.parameters().size(),
                                      2 * pool_.workers(), 16 * pool_.workers());
  std::size_t run = 1;
  while (leaves / run > most) run *= 2;
  for (std::size_t first = 0; first < rows_; first += run * leaf_) {
    all_tasks_.push_back({first, std::min(first + run * leaf_, rows_)});
  }
  // Lanes are whole leaves, so that one who owns a lane also owns its part of the walk over all.
  const std::size_t lanes = batch_lanes(options.batch);
  for (std::size_t lane = 0; lane <= lanes; ++lane) {
    lanes_.push_back(std::min(leaves * lane / lanes * leaf_, rows_));
  }
  const std::size_t longest_sum = options.batch > 0 ? std::max(run, leaves / lanes + 1) : run;
  for (std::size_t w = 0; w < pool_.workers(); ++w) {
    workers_.emplace_back(network, block_, longest_sum);
  }
  if (options.batch > 0 && options.batch < rows_) deal((rows_ + options.batch - 1) / options.batch);
}

// Batches are dealt from the lanes like cards, from each in proportion to its rows: the next row
// comes from the lane that has given the smallest share, (given + 1/2) / size, so far. Were each
// lane cut by itself, all would be cut at the same places, and small batches would hold a row of
// each or none.
template <class T>
void Objective::WalkOf<T>::deal(std::size_t batches) {
  batches_ = batches;
  const std::size_t lanes = lanes_.size() - 1;
  dealt_.reserve((batches + 1) * lanes);
  std::vector<std::size_t> given(lanes);
  for (std::size_t batch = 0, row = 0; batch <= batches; ++batch) {
    for (; row < rows_ * batch / batches; ++row) {
      std::size_t next = lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t size = lanes_[lane + 1] - lanes_[lane];
        if (given[lane] == size) continue;
        if (next == lanes || (2 * given[lane] + 1) * (lanes_[next + 1] - lanes_[next]) <
                                 (2 * given[next] + 1) * size) {
          next = lane;
        }
      }
      ++given[next];
    }
    dealt_.insert(dealt_.end(), given.begin(), given.end());
  }
}

// The columns at positions first .. first+n-1 as a block, in `storage` unless they can be used
// where they are.
template <class T>
Block<const T> Objective::WalkOf<T>::load_block(MatrixView<const T> view,
                                                std::span<const ColumnScale> scales,
                                                std::size_t first, std::size_t n,
                                                Block<T> storage) const {
  if (order_.empty() && scales.empty()) return block_at(view, first, n, storage);
  if (order_.empty()) {
    copy_rows(view, first, n, storage);
  } else {
    gather(
        view, n, [this, first](std::size_t k) { return row_at(first + k); }, storage);
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
      weights = samples_.weights.data() + first;
    } else {
      for (std::size_t k = 0; k < n; ++k) {
        workspace.weights[k] = samples_.weights[row_at(first + k)];
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
  // Targets may lie in the caller's memory with a stride of their own; losses see one stride.
  const std::size_t outputs = network_.outputs();
  if (targets.stride != workspace.stride && samples_.targets.columns > 1) {
    gather(
        samples_.targets, n, [first](std::size_t k) { return first + k; },
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
      loss += run_block(first, std::min(block_, end - first), worker.workspace);
    }
    pass_.end_sum(worker.workspace);
    worker.gradient.add(std::span<const T>(worker.workspace.parameter_gradient));
    worker.loss.add(std::span<const double>(&loss, 1));
  }
  worker.gradient.finish_into(sum.gradient);
  sum.loss = worker.loss.finish()[0];
}

template <class T>
double Objective::WalkOf<T>::run(std::span<const Task> tasks, double mass,
                                 std::span<const double> parameters, std::span<double> gradient) {
  pass_.load(parameters);
  std::size_t longest = 0;
  for (const Task& task : tasks) longest = std::max(longest, task.last - task.first);
  for (Worker& worker : workers_) worker.workspace.lay_out(std::min(block_, longest));
  while (sums_.size() < tasks.size()) sums_.push_back({std::vector<double>(parameters.size()), 0});
  pool_.run(tasks.size(), [&](std::size_t task, std::size_t w) {
    run_task(tasks[task], workers_[w], sums_[task]);
  });
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
double Objective::WalkOf<T>::all(std::span<const double> parameters, std::span<double> gradient) {
  order_ = {};
  dropping_ = false;
  return run(all_tasks_, mass_, parameters, gradient);
}

template <class T>
std::size_t Objective::WalkOf<T>::begin_epoch(std::uint64_t epoch) {
  epoch_ = epoch;
  if (batches_ == 1) return 1;
  shuffled_.resize(rows_);
  std::iota(shuffled_.begin(), shuffled_.end(), std::size_t{0});
  const Random random(seed_, Purpose::batches);
  for (std::size_t lane = 0; lane + 1 < lanes_.size(); ++lane) {
    const std::size_t first = lanes_[lane], last = lanes_[lane + 1];
    for (std::size_t k = last; k > first + 1; --k) {
      const std::size_t other = first + random.below(k - first, epoch * rows_ + k - 1);
      std::swap(shuffled_[k - 1], shuffled_[other]);
    }
  }
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
  std::size_t rows = 0;
  const std::size_t lanes = lanes_.size() - 1;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t* const given = dealt_.data() + batch * lanes + lane;
    const Task share = {lanes_[lane] + given[0], lanes_[lane] + given[lanes]};
    if (share.first < share.last) batch_tasks_.push_back(share);
    rows += share.last - share.first;
  }
  order_ = shuffled_;
  // The batch's share of the whole mass, not its own: heavy rows must count for more than light
  // ones also when they stand in different batches.
  const double mass = mass_ * static_cast<double>(rows) / static_cast<double>(rows_);
  return run(batch_tasks_, mass, parameters, gradient);
}

template class Objective::WalkOf<float>;
template class Objective::WalkOf<double>;

}  // namespace knotwork
