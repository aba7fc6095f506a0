// SPDX-License-Identifier: MIT
// Forward and backward over one block of samples.
//
// A Pass holds the parameters in the precision of the arithmetic, with every activation's tables
// ready; it is loaded once for each evaluation and then shared by all threads. Each thread brings
// a Workspace. A block is neuron-major and stays in cache through the whole network.
//
// Blocks are padded to whole vectors by repeating the last row, and the padding's gradient is zero:
// it costs little and changes nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned.hpp"
#include "kernels/product.hpp"

#include <knotwork/network.hpp>

namespace knotwork {

// How many rows a block has: as many as stay in cache. And how many rows, a whole number of blocks,
// have their gradients summed in T, before these sums are added up in double. Both are a matter of
// the network alone, so that no sum depends on threads.
template <class T>
std::size_t block_rows(const Network& network);
template <class T>
std::size_t leaf_rows(const Network& network);

template <class T>
struct Workspace {
  explicit Workspace(const Network& network, std::size_t rows);

  // For blocks of at most so many rows, and not more than were asked for at first: the closer
  // together they lie, the fewer pages and cache lines they touch.
  void lay_out(std::size_t rows) { stride = padded(rows) + kLanes; }

  std::size_t stride;  // of every block below
  AlignedVector<T> inputs;
  struct LayerBlocks {
    AlignedVector<T> s, y, slope;
    AlignedVector<T> notes;  // empty unless the activation takes any
    AlignedVector<T> kept;   // see draw_dropout()
    T* notes_of(std::size_t neuron, std::size_t apart) {
      return notes.empty() ? nullptr : notes.data() + neuron * apart;
    }
  };
  std::vector<LayerBlocks> layers;
  AlignedVector<T> gradient, next_gradient;  // dJ/dy of the layer at hand, and of the one before
  AlignedVector<T> targets, weights;         // for the objective
  AlignedVector<T> residual;                 // dJ/dy that goes past a layer
  AlignedVector<T> scratch;                  // of all activations
  AlignedVector<T> parameter_gradient;

  bool dropping = false;  // whether hidden outputs are multiplied by what is in `kept`

  Block<T> block(AlignedVector<T>& storage) const { return {storage.data(), stride}; }
  Block<T> outputs() { return block(layers.back().y); }
};

template <class T>
class Pass {
 public:
  explicit Pass(const Network& network);  // keeps a reference

  void load(std::span<const double> parameters);

  // n padded rows of x; results in workspace.layers. Before a backward() there are slopes too, and
  // s is no longer what went into the activations but what these left there.
  void forward(Workspace<T>& workspace, Block<const T> x, std::size_t n, bool for_backward) const;
  // The gradient of a sum over blocks: begin_sum(), then forward() and backward() for each block,
  // then end_sum(), which leaves it in workspace.parameter_gradient.
  void begin_sum(Workspace<T>& workspace) const;
  // Takes dJ/dy of the last layer from workspace.gradient.
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
  // Whether the product of the layer above multiplies by this layer's slopes at once.
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
    bool trained;             // any of them?
    std::size_t activations;  // that have tables and scratch, none if they are another layer's
    std::size_t table, table_size;      // offset into tables_, and size for each activation
    std::size_t scratch, scratch_size;  // the same for Workspace::scratch
  };
  std::vector<LayerPlan> plans_;
  AlignedVector<T> tables_;
};

}  // namespace knotwork
