// SPDX-License-Identifier: MIT
#include "objective/walk.hpp"

#include <algorithm>
#include <numeric>

#include "base/fail.hpp"

#include <knotwork/random.hpp>

namespace knotwork {

namespace {

// Where a lane begins; lanes before rows % kBatchLanes have one row more than the others.
std::size_t lane_begin(std::size_t rows, std::size_t lane) {
  return lane * (rows / kBatchLanes) + std::min(lane, rows % kBatchLanes);
}

// Batches are dealt from the lanes in turn, like cards: of the first `dealt` rows a lane has given
// this many. Were each lane cut by itself, all would be cut at the same batches, and small batches
// would hold eight rows or none.
std::size_t given_by(std::size_t lane, std::size_t dealt) {
  return (dealt + kBatchLanes - 1 - lane) / kBatchLanes;
}

}  // namespace

template <class T>
Objective::WalkOf<T>::WalkOf(const Network& network, Samples<T> samples,
                             const ObjectiveOptions& options)
    : network_(network),
      samples_(samples),
      loss_(options.loss),
      rows_(samples.inputs.rows),
      block_(std::min(block_rows<T>(network), padded(rows_))),
      batch_rows_(options.batch == 0 ? rows_ : std::min(options.batch, rows_)),
      seed_(options.seed),
      pass_(network),
      pool_(options.threads),
      workers_(pool_.workers()) {
  // Aligned runs of 2^k blocks are subtrees of the one tree over all blocks, so their length is
  // free: about four tasks for each worker balance the load and keep few partial sums.
  const std::size_t blocks = (rows_ + block_ - 1) / block_;
  std::size_t run = 1;
  while (blocks / run > 4 * pool_.workers()) run *= 2;
  for (std::size_t first = 0; first < rows_; first += run * block_) {
    all_tasks_.push_back({first, std::min(first + run * block_, rows_)});
  }
}

template <class T>
std::array<double, 2> Objective::WalkOf<T>::run_block(std::size_t first, std::size_t n,
                                                      Workspace<T>& workspace) {
  const std::size_t whole = padded(n);
  Block<const T> x, targets;
  const T* weights = nullptr;
  double mass = static_cast<double>(n);
  if (order_.empty()) {
    x = block_at(samples_.inputs, first, n, workspace.block(workspace.inputs));
    targets = block_at(samples_.targets, first, n, workspace.block(workspace.targets));
    if (!samples_.weights.empty()) weights = samples_.weights.data() + first;
  } else {
    const auto row_of = [this, first](std::size_t k) { return order_[first + k]; };
    gather(samples_.inputs, n, row_of, workspace.block(workspace.inputs));
    gather(samples_.targets, n, row_of, workspace.block(workspace.targets));
    x = workspace.block(workspace.inputs);
    targets = workspace.block(workspace.targets);
    if (!samples_.weights.empty()) {
      for (std::size_t k = 0; k < n; ++k) workspace.weights[k] = samples_.weights[row_of(k)];
      weights = workspace.weights.data();
    }
  }
  if (weights) mass = std::accumulate(weights, weights + n, 0.0);

  pass_.forward(workspace, x, whole, true);
  // Targets may lie in the caller's memory with a stride of their own; losses see one stride.
  const std::size_t outputs = network_.outputs();
  if (targets.stride != workspace.stride && outputs > 1) {
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
  return {loss, mass};
}

template <class T>
void Objective::WalkOf<T>::run_task(const Task& task, Worker& worker, TaskSum& sum) {
  worker.gradient.start(network_.parameters().size());
  worker.scalars.start(2);
  for (std::size_t first = task.first; first < task.last; first += block_) {
    const std::size_t n = std::min(block_, task.last - first);
    const std::array<double, 2> scalars = run_block(first, n, worker.workspace);
    worker.gradient.add(std::span<const T>(worker.workspace.parameter_gradient));
    worker.scalars.add(std::span<const double>(scalars));
  }
  const auto gradient = worker.gradient.finish();
  sum.gradient.assign(gradient.begin(), gradient.end());
  const auto scalars = worker.scalars.finish();
  sum.loss = scalars[0];
  sum.mass = scalars[1];
}

template <class T>
double Objective::WalkOf<T>::run(std::span<const Task> tasks, std::span<const double> parameters,
                                 std::span<double> gradient) {
  pass_.load(parameters);
  if (sums_.size() < tasks.size()) sums_.resize(tasks.size());
  pool_.run(tasks.size(), [&](std::size_t task, std::size_t w) {
    if (!workers_[w]) workers_[w].emplace(network_, block_);
    run_task(tasks[task], *workers_[w], sums_[task]);
  });
  gradient_tree_.start(parameters.size());
  scalar_tree_.start(2);
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    const TaskSum& sum = sums_[task];
    gradient_tree_.add(std::span<const double>(sum.gradient));
    scalar_tree_.add(std::span<const double>(std::array{sum.loss, sum.mass}));
  }
  const auto total = gradient_tree_.finish();
  const auto scalars = scalar_tree_.finish();
  // A batch whose rows all weigh nothing says nothing.
  const double per_mass = scalars[1] > 0 ? 1 / scalars[1] : 0;
  for (std::size_t k = 0; k < total.size(); ++k) gradient[k] = per_mass * total[k];
  return per_mass * scalars[0];
}

template <class T>
double Objective::WalkOf<T>::all(std::span<const double> parameters, std::span<double> gradient) {
  order_ = {};
  return run(all_tasks_, parameters, gradient);
}

template <class T>
std::size_t Objective::WalkOf<T>::begin_epoch(std::uint64_t epoch) {
  batches_ = (rows_ + batch_rows_ - 1) / batch_rows_;
  if (batches_ == 1) return 1;
  shuffled_.resize(rows_);
  std::iota(shuffled_.begin(), shuffled_.end(), std::size_t{0});
  const Random random(seed_, Purpose::batches);
  for (std::size_t lane = 0; lane < kBatchLanes; ++lane) {
    const std::size_t first = lane_begin(rows_, lane), last = lane_begin(rows_, lane + 1);
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
  if (batches_ == 1) return all(parameters, gradient);
  batch_tasks_.clear();
  const std::size_t from = rows_ * batch / batches_, to = rows_ * (batch + 1) / batches_;
  for (std::size_t lane = 0; lane < kBatchLanes; ++lane) {
    const std::size_t first = lane_begin(rows_, lane);
    const Task share = {first + given_by(lane, from), first + given_by(lane, to)};
    if (share.first < share.last) batch_tasks_.push_back(share);
  }
  order_ = shuffled_;
  return run(batch_tasks_, parameters, gradient);
}

template class Objective::WalkOf<float>;
template class Objective::WalkOf<double>;

}  // namespace knotwork
