// SPDX-License-Identifier: MIT
#include "base/fail.hpp"
#include "network/forward_blocks.hpp"

namespace knotwork {
namespace {

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
  ForwardBlocks<T>(network, inputs.rows, threads).run(network.parameters(), inputs, outputs);
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
