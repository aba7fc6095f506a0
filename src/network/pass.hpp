// SPDX-License-Identifier: MIT
// A Pass runs a network forward and backward over one block of samples.
//
// A Pass contains the parameters in the precision of the arithmetic, and the tables of every
// activation; it is loaded once for each evaluation and then shared by all threads. Each thread
// has its own Workspace. A block is neuron-major and stays in cache through the whole network.
//
// Blocks are padded to whole vectors by repeating the last row with a gradient of zero, which costs
// little and does not change the results.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "kernels/product.hpp"

#include <knotwork/network.hpp>

namespace knotwork {

// The number of rows in a block, chosen so that a block stays in cache; and the number of rows, a
// whole number of blocks, whose gradients are summed in T before these sums are added in double.
// Both depend on the network alone, so that no sum depends on threads.
template <class T>
std::size_t block_rows(const Network& network);
template <class T>
std::size_t leaf_rows(const Network& network);

template <class T>
struct Workspace {
  explicit Workspace(const Network& network, std::size_t rows);

  // Lays the workspace out for blocks of at most this many rows, not more than at construction: the
  // more compact the rows are, the fewer pages and cache lines they touch.
  void lay_out(std::size_t rows) { stride = padded(rows) + kLanes; }

  std::size_t stride;  // of every block below
  AlignedVector<T> inputs;
  struct LayerBlocks {
    AlignedVector<T> s, y, slope;
    AlignedVector<T> notes;  // empty unless the activation takes notes
    AlignedVector<T> kept;   // see draw_dropout()
    T* notes_of(std::size_t neuron, std::size_t apart) {
      return notes.empty() ? nullptr : notes.data() + neuron * apart;
    }
  };
  std::vector<LayerBlocks> layers;
  AlignedVector<T> gradient, next_gradient;  // dJ/dy of the current layer, and of the one before
  AlignedVector<T> targets, weights;         // for the objective
  AlignedVector<T> residual;                 // dJ/dy that bypasses a layer
  AlignedVector<T> scratch;                  // of all activations
  AlignedVector<T> parameter_gradient;

  bool dropping = false;  // whether hidden outputs are multiplied by `kept`

  Block<T> block(AlignedVector<T>& storage) const { return {storage.data(), stride}; }
  Block<T> outputs() { return block(layers.back().y); }
};

template <class T>
class Pass {
 public:
  explicit Pass(const Network& network);  // keeps a reference

  void load(std::span<const double> parameters);

  // Evaluates n padded rows of x; results are in workspace.layers. Before a backward() this also
  // stores the slopes, and replaces s by what the activations left there.
  void forward(Workspace<T>& workspace, Block<const T> x, std::size_t n, bool for_backward) const;
  // The gradient of a sum over blocks: begin_sum(), then forward() and backward() for each block,
  // then end_sum(), which writes it to workspace.parameter_gradient.
  void begin_sum(Workspace<T>& workspace) const;
  // Reads dJ/dy of the last layer from workspace.gradient.
  void backward(Workspace<T>& workspace, Block<const T> x, std::size_t n) const;
  void end_sum(Workspace<T>& workspace) const;

 private:
  const T* table_of(std::size_t layer, std::size_t neuron) const {
    const LayerPlan& plan = plans_[layer];
    return tables_.data() + plan.table + network_.activation_of(layer, neuron) * plan.table_size;
  }
  T* scratch_of(Workspace<T>& workspace, std::size_t layer, std::size_t neuron) const {
    const LayerPlan& plan = plans_[layer];
    return workspace.scratch.data() + plan.scratch +
           network_.activation_of(layer, neuron) * plan.scratch_size;
  }
  // Turns dJ/dy in workspace.gradient into dJ/ds.
  void backward_activations(Workspace<T>& workspace, std::size_t layer, std::size_t n) const;
  // Whether the product of the layer above also multiplies by this layer's slopes.
  bool is_fused(const Workspace<T>& workspace, std::size_t layer) const;

  const Network& network_;
  AlignedVector<T> parameters_;
  AlignedVector<T> constants_;
  AlignedVector<T> transposed_;  // weights as [in][out], of all layers but the first
  struct LayerPlan {
    std::size_t weight, bias;  // offsets into parameters
    std::size_t transposed;    // offset into transposed_
    struct TensorPlan {
      bool trained;
      std::size_t offset, each;
    };
    std::vector<TensorPlan> tensors;
    bool trained;                   // whether any tensor of the activation is trained
    std::size_t activations;        // number with tables and scratch; 0 if another layer owns them
    std::size_t table, table_size;  // offset into tables_, and size for each activation
    std::size_t scratch, scratch_size;  // the same for Workspace::scratch
  };
  std::vector<LayerPlan> plans_;
  AlignedVector<T> tables_;
};

}  // namespace knotwork
