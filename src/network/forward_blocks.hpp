// SPDX-License-Identifier: MIT
// Values of a network over many rows, block by block, on several threads.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/thread_pool.hpp"
#include "network/pass.hpp"

namespace knotwork {

// load(first, n, workspace) provides rows first .. first+n-1 as a padded block, which may be
// workspace.inputs; store(first, n, outputs) takes the results. Both are called from several
// threads, for different blocks. 0 threads means all cores.
template <class T, class Load, class Store>
void forward_blocks(const Network& network, std::size_t rows, std::size_t threads, const Load& load,
                    const Store& store) {
  if (rows == 0) return;
  Pass<T> pass(network);
  pass.load(network.parameters());
  const std::size_t size = std::min(block_rows<T>(network), padded(rows));
  const std::size_t blocks = (rows + size - 1) / size;
  ThreadPool pool(std::min(ThreadPool::resolve(threads), blocks));
  std::vector<std::optional<Workspace<T>>> workspaces(pool.workers());
  pool.run(blocks, [&](std::size_t block, std::size_t worker) {
    if (!workspaces[worker]) workspaces[worker].emplace(network, size);
    Workspace<T>& workspace = *workspaces[worker];
    const std::size_t first = block * size, n = std::min(size, rows - first);
    pass.forward(workspace, load(first, n, workspace), padded(n), false);
    store(first, n, workspace.outputs());
  });
}

}  // namespace knotwork
