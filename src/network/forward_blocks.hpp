// SPDX-License-Identifier: MIT
// ForwardBlocks evaluates a network over many rows, block by block, on several threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "network/block_source.hpp"
#include "network/pass.hpp"
#include "parallel/thread_pool.hpp"

namespace knotwork {

// Prepared for a number of rows; can run repeatedly, with other parameters, without allocating more
// memory. Keeps a reference to the network. 0 threads means all cores.
template <class T>
class ForwardBlocks {
 public:
  ForwardBlocks(const Network& network, std::size_t rows, std::size_t threads)
      : rows_(rows),
        block_(std::min(block_rows<T>(network), std::max(padded(rows), kLanes))),
        pass_(network),
        pool_(
            std::min(parallel::ThreadPool::resolve(threads), std::max<std::size_t>(blocks(), 1))) {
    for (std::size_t w = 0; w < pool_.workers(); ++w) workspaces_.emplace_back(network, block_);
  }

  // Computes the outputs with the given parameters for every row of inputs.
  void run(std::span<const double> parameters, MatrixView<const T> inputs, MatrixView<T> outputs) {
    pass_.load(parameters);
    pool_.run(blocks(), [&](std::size_t block, std::size_t worker) {
      Workspace<T>& workspace = workspaces_[worker];
      const std::size_t first = block * block_, n = std::min(block_, rows_ - first);
      pass_.forward(workspace, block_at(inputs, first, n, workspace.block(workspace.inputs)),
                    padded(n), false);
      for (std::size_t o = 0; o < outputs.columns; ++o) {
        const T* const y = workspace.outputs().row(o);
        for (std::size_t k = 0; k < n; ++k) outputs(first + k, o) = y[k];
      }
    });
  }

 private:
  std::size_t blocks() const { return (rows_ + block_ - 1) / block_; }

  std::size_t rows_, block_;
  Pass<T> pass_;
  parallel::ThreadPool pool_;
  std::vector<Workspace<T>> workspaces_;
};

}  // namespace knotwork
