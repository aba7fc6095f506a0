// SPDX-License-Identifier: MIT
// ValidationScore is the score of a point on the validation part, for early stopping.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "network/block_source.hpp"
#include "network/pass.hpp"
#include "objective/rank_shares.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/rank_merge.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/watched_work.hpp"

#include <knotwork/loss.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>

namespace knotwork::training {

// The mean loss of the validation part. For the squared error it is the root of the mean over the
// targets, which is the RMSE of the scaled targets.
//
// Losses of pieces of the rows are added exactly, so neither threads nor processes change a bit.
// Memory does not grow with the rows.
template <class T>
class ValidationScore {
 public:
  // `ranks` are processes that each have at least their share of the rows (RowShares without
  // batches); null: single process. `monitor` may be null; see ObjectiveOptions.
  ValidationScore(const Network& network, const Samples<T>& samples,
                  std::shared_ptr<const Loss> loss, std::size_t threads, Ranks* ranks,
                  std::shared_ptr<const Monitor> monitor = nullptr)
      : samples_(samples),
        loss_(std::move(loss)),
        monitor_(std::move(monitor)),
        ranks_(ranks && ranks->size() > 1 ? ranks : nullptr),
        own_(share_of(samples, ranks_)),
        outputs_(network.outputs()),
        block_(std::min(block_rows<T>(network), kPieceRows)),
        pass_(network),
        pool_(std::min(parallel::ThreadPool::resolve(threads), std::max<std::size_t>(pieces(), 1))),
        losses_(pieces()) {
    for (std::size_t w = 0; w < pool_.workers(); ++w) workers_.emplace_back(network, block_);
    if (samples.mass > 0) {
      mass_ = samples.mass;
    } else if (samples.weights.empty()) {
      mass_ = static_cast<double>(rows_of_all(samples));
    } else {
      parallel::ExactSum mass;
      for (const T weight : samples.weights) mass.add(static_cast<double>(weight));
      mass_ = mass.value();
    }
  }

  // A requested stop ends it as it ends an objective.
  double operator()(std::span<const double> parameters) {
    pass_.load(parameters);
    try {
      pool_.run(pieces(), [&](std::size_t piece, std::size_t worker) {
        losses_[piece] = loss_of(piece, workers_[worker]);
      });
    } catch (const Error& error) {
      if (ranks_ && error.kind() == ErrorKind::stopped) ranks_->report_failure(error);
      throw;
    }
    Total total;
    for (const double loss : losses_) total.sum.add(loss);
    parallel::merge_over(ranks_, total);
    const double mean = total.sum.value() / mass_;
    return loss_->validation_score(mean, samples_.targets.columns);
  }

 private:
  // The shares of processes are whole pieces.
  static constexpr std::size_t kPieceRows = 1024;
  static_assert(kChunkRows % kPieceRows == 0);

  struct Worker {
    Worker(const Network& network, std::size_t block)
        : workspace(network, block),
          outputs(kPieceRows * network.outputs()),
          gradients(outputs.size()) {}
    Workspace<T> workspace;
    std::vector<T> outputs, gradients, truth;  // of a piece, column by column
  };
  struct Total {
    parallel::ExactSum sum;
    parallel::MergeState state() const {
      parallel::MergeState state;
      sum.put(state);
      return state;
    }
    void merge(std::span<const std::int64_t> other) {
      parallel::StateReader reader(other);
      sum.merge(reader);
      reader.finish();
    }
  };

  static std::size_t rows_of_all(const Samples<T>& samples) {
    return std::max(samples.all_rows, samples.inputs.rows);
  }
  // In positions of the samples of this process.
  static RowRange share_of(const Samples<T>& samples, const Ranks* ranks) {
    if (!ranks) return {0, samples.inputs.rows};
    const RowRange own =
        RowShares(rows_of_all(samples), kPieceRows, 0).own(ranks->rank(), ranks->size());
    if (own.size() == 0) return {};
    if (own.first < samples.first || own.last > samples.first + samples.inputs.rows) {
      fail(ErrorKind::bad_data,
           "The share of this process is rows {} to {} of the validation part, but it has {} "
           "samples from row {} on.",
           own.first, own.last, samples.inputs.rows, samples.first);
    }
    return {own.first - samples.first, own.last - samples.first};
  }
  std::size_t pieces() const { return (own_.size() + kPieceRows - 1) / kPieceRows; }

  double loss_of(std::size_t piece, Worker& worker) {
    const std::size_t begin = own_.first + piece * kPieceRows;
    const std::size_t rows = std::min(kPieceRows, own_.last - begin);
    Workspace<T>& workspace = worker.workspace;
    for (std::size_t first = 0; first < rows; first += block_) {
      const std::size_t n = std::min(block_, rows - first);
      parallel::check_stop(monitor_.get());
      pass_.forward(workspace,
                    block_at(samples_.inputs, begin + first, n, workspace.block(workspace.inputs)),
                    padded(n), false);
      for (std::size_t o = 0; o < outputs_; ++o) {
        std::copy_n(workspace.outputs().row(o), n, worker.outputs.data() + o * kPieceRows + first);
      }
    }
    worker.truth.resize(kPieceRows * samples_.targets.columns);
    for (std::size_t c = 0; c < samples_.targets.columns; ++c) {
      for (std::size_t r = 0; r < rows; ++r) {
        worker.truth[c * kPieceRows + r] = samples_.targets(begin + r, c);
      }
    }
    const T* const weights = samples_.weights.empty() ? nullptr : samples_.weights.data() + begin;
    return loss_->evaluate(LossBlock<T>{outputs_, rows, kPieceRows, worker.outputs.data(),
                                        worker.truth.data(), weights, worker.gradients.data()});
  }

  Samples<T> samples_;
  std::shared_ptr<const Loss> loss_;
  std::shared_ptr<const Monitor> monitor_;
  Ranks* ranks_;
  RowRange own_;
  std::size_t outputs_, block_;
  Pass<T> pass_;
  parallel::ThreadPool pool_;
  std::vector<Worker> workers_;
  std::vector<double> losses_;  // of each own piece
  double mass_ = 0;
};

}  // namespace knotwork::training
