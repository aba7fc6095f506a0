// SPDX-License-Identifier: MIT
// A walk computes the data part of the objective over blocks of samples, summed in a fixed tree.
#pragma once

#include "network/block_source.hpp"
#include "network/dropout.hpp"
#include "network/pass.hpp"
#include "objective/rank_shares.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/tree_sum.hpp"

#include <knotwork/objective.hpp>

namespace knotwork {

class Objective::Walk {
 public:
  virtual ~Walk() = default;
  // The weighted mean loss of all rows, or of one batch of the current epoch.
  virtual double all(std::span<const double> parameters, std::span<double> gradient) = 0;
  virtual double batch(std::size_t batch, std::span<const double> parameters,
                       std::span<double> gradient) = 0;
  virtual std::size_t begin_epoch(std::uint64_t epoch) = 0;
};

template <class T>
class Objective::WalkOf final : public Objective::Walk {
 public:
  WalkOf(const Network& network, Samples<T> samples, const ObjectiveOptions& options);

  double all(std::span<const double> parameters, std::span<double> gradient) override;
  double batch(std::size_t batch, std::span<const double> parameters,
               std::span<double> gradient) override;
  std::size_t begin_epoch(std::uint64_t epoch) override;

 private:
  // Positions first .. last-1, divided into leaves that are summed in their own tree. The sums of
  // all tasks are then combined in a tree in which the task has the leaves node .. node+width-1.
  struct Task {
    std::size_t first, last;
    std::size_t node, width;
  };
  struct TaskSum {
    std::vector<double> gradient;
    double loss = 0;
  };
  struct Worker {
    Worker(const Network& network, std::size_t rows, std::size_t leaves)
        : workspace(network, rows) {
      gradient.prepare(network.parameters().size(), leaves);
      loss.prepare(1, leaves);
    }
    Workspace<T> workspace;
    parallel::TreeSum gradient, loss;
  };

  // The sum over the tasks, divided by mass.
  double run(std::span<const Task> tasks, double mass, std::span<const double> parameters,
             std::span<double> gradient);
  // The sum over the tasks of all processes, divided by mass.
  double add_up_ranks(std::span<const Task> tasks, double mass, std::span<double> gradient);
  void make_tasks(std::size_t leaves);
  void make_lanes(std::size_t batches);
  void deal(std::size_t batch);
  void run_tasks(std::span<const Task> tasks);
  void run_task(const Task& task, Worker& worker, TaskSum& sum);
  Block<const T> load_block(MatrixView<const T> view, std::span<const ColumnScale> scales,
                            std::size_t first, std::size_t n, Block<T> storage) const;
  // The number of the row at a position.
  std::size_t row_at(std::size_t position) const {
    return order_.empty() ? position : order_[position];
  }
  // The index of the row among the samples that this process has.
  std::size_t place_of(std::size_t row) const { return row - samples_.first; }
  // The loss of one block; adds its gradient to the workspace.
  double run_block(std::size_t first, std::size_t n, Workspace<T>& workspace);

  const Network& network_;
  Samples<T> samples_;
  std::shared_ptr<const Loss> loss_;
  std::size_t rows_;   // in the set
  double mass_;        // sum of their weights
  std::size_t block_;  // rows per block
  std::size_t leaf_;   // rows whose gradients are summed before they enter the tree
  std::uint64_t seed_;
  std::shared_ptr<const Monitor> monitor_;  // null: nothing ends an evaluation
  Dropout dropout_;
  bool dropping_ = false;  // in the current evaluation
  std::uint64_t epoch_ = 0;
  Pass<T> pass_;
  parallel::ThreadPool pool_;
  std::vector<Worker> workers_;
  std::vector<Task> all_tasks_;
  std::vector<Task> batch_tasks_;
  std::vector<TaskSum> sums_;
  parallel::TreeSum gradient_tree_, loss_tree_;
  Ranks* ranks_;  // null: a single process
  RowShares shares_;
  RowRange own_lanes_;
  std::size_t longest_run_ = 1;  // leaves of a task over all rows
  // The row at each position: empty in a walk over all rows, otherwise the rows of a batch.
  std::span<const std::size_t> order_;
  std::vector<std::size_t> batch_rows_;
  std::size_t batches_ = 1;
  std::vector<LaneOrder> lanes_;                         // the lanes of this process
  std::vector<std::size_t> lane_sizes_;                  // of all lanes
  std::vector<std::size_t> dealt_before_, dealt_after_;  // rows of each lane, for the latest batch
  std::size_t dealt_batches_ = 0;                        // up to and including the latest batch
};

}  // namespace knotwork
