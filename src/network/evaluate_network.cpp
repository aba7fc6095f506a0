// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "base/fail.hpp"
#include "network/block_source.hpp"
#include "network/pass.hpp"
#include "parallel/thread_pool.hpp"

namespace knotwork {
namespace {

// Block by block, on several threads.
template <class T>
void evaluate_as(const Network& network, MatrixView<const T> inputs, MatrixView<T> outputs,
                 std::size_t threads) {
  if (inputs.columns != network.inputs() || outputs.columns != network.outputs() ||
      inputs.rows != outputs.rows) {
    fail(ErrorKind::bad_data,
         "A network with {} inputs and {} outputs got {} rows with {} columns, and memory for {} "
         "rows with {} columns.",
         network.inputs(), network.outputs(), inputs.rows, inputs.columns, outputs.rows,
         outputs.columns);
  }
  const std::size_t size = std::min(block_rows<T>(network), std::max(padded(inputs.rows), kLanes));
  const std::size_t blocks = (inputs.rows + size - 1) / size;
  Pass<T> pass(network);
  pass.load(network.parameters());
  parallel::ThreadPool pool(
      std::min(parallel::ThreadPool::resolve(threads), std::max<std::size_t>(blocks, 1)));
  std::vector<Workspace<T>> workspaces;
  for (std::size_t w = 0; w < pool.workers(); ++w) workspaces.emplace_back(network, size);
  pool.run(blocks, [&](std::size_t block, std::size_t worker) {
    Workspace<T>& workspace = workspaces[worker];
    const std::size_t first = block * size, n = std::min(size, inputs.rows - first);
    pass.forward(workspace, block_at(inputs, first, n, workspace.block(workspace.inputs)),
                 padded(n), false);
    for (std::size_t o = 0; o < outputs.columns; ++o) {
      const T* const y = workspace.outputs().row(o);
      for (std::size_t k = 0; k < n; ++k) outputs(first + k, o) = y[k];
    }
  });
}

}  // namespace

void evaluate(const Network& network, MatrixView<const float> inputs, MatrixView<float> outputs,
              std::size_t threads) {
  evaluate_as(network, inputs, outputs, threads);
}

void evaluate(const Network& network, MatrixView<const double> inputs, MatrixView<double> outputs,
              std::size_t threads) {
  evaluate_as(network, inputs, outputs, threads);
}

}  // namespace knotwork
