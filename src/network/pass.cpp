// SPDX-License-Identifier: MIT
#include "network/pass.hpp"

#include <algorithm>

namespace knotwork {

template <class T>
std::size_t block_rows(const Network& network) {
  // Block size: the inputs, and s, y, slope and notes of every layer, should fit into a
  // second-level cache or come close. Long rows need fewer calls and fewer sums over lanes. A power
  // of two between 64 and 512.
  constexpr std::size_t kBudget = 1536 * 1024;
  std::size_t per_row = network.inputs();
  for (const Layer& layer : network.layers()) {
    per_row += (layer.activation->takes_notes() ? 4 : 3) * layer.outputs;
  }
  std::size_t rows = 512;
  while (rows > 64 && rows * per_row * sizeof(T) > kBudget) rows /= 2;
  return rows;
}

template <class T>
std::size_t leaf_rows(const Network& network) {
  // Clearing and collecting a neuron's scratch should cost little compared with filling it; but
  // threads divide the rows leaf by leaf, so leaves must not be too long.
  constexpr std::size_t kFew = 1024, kMany = 8192;
  std::size_t rows = kFew;
  for (const Layer& layer : network.layers()) {
    while (rows < std::min(layer.activation->scratch_size(), kMany)) rows *= 2;
  }
  return rows;
}

template <class T>
static void add(const T* from, std::size_t n, T* to) {
  for (std::size_t k = 0; k < n; ++k) to[k] += from[k];
}

template <class T>
Workspace<T>::Workspace(const Network& network, std::size_t rows)
    : stride(padded(rows) + kLanes),
      inputs(network.inputs() * stride),
      targets(network.outputs() * stride),
      weights(stride),
      parameter_gradient(network.parameters().size()) {
  std::size_t widest = network.inputs();
  std::size_t scratch_size = 0, widest_residual = 0;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    const std::size_t size = layer.outputs * stride;
    layers.push_back({AlignedVector<T>(size),
                      AlignedVector<T>(size),
                      AlignedVector<T>(size),
                      AlignedVector<T>(layer.activation->takes_notes() ? size : 0),
                      {}});
    widest = std::max(widest, layer.outputs);
    if (layer.residual) widest_residual = std::max(widest_residual, layer.outputs);
    scratch_size += network.own_activations(l) * layer.activation->scratch_size();
  }
  gradient.resize(widest * stride);
  next_gradient.resize(widest * stride);
  residual.resize(widest_residual * stride);
  scratch.resize(scratch_size);
}

template <class T>
Pass<T>::Pass(const Network& network)
    : network_(network),
      parameters_(network.parameters().size()),
      constants_(network.constants().size()) {
  std::size_t tables = 0, scratch = 0, transposed = 0;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    LayerPlan& plan = plans_.emplace_back();
    plan.transposed = transposed;
    plan.activations = network.own_activations(l);
    plan.table = tables;
    plan.table_size = layer.activation->table_size();
    plan.scratch = scratch;
    plan.scratch_size = layer.activation->scratch_size();
    if (const std::size_t owner = network.owner_of(l); owner != l) {
      plan.table = plans_[owner].table;
      plan.scratch = plans_[owner].scratch;
    }
    tables += plan.activations * plan.table_size;
    scratch += plan.activations * plan.scratch_size;
    if (l > 0) transposed += layer.outputs * layer.inputs;
  }
  tables_.resize(tables);
  transposed_.resize(transposed);
  for (const TensorInfo& tensor : network.tensors()) {
    LayerPlan& plan = plans_[tensor.layer];
    if (tensor.group == ParameterGroup::weight) plan.weight = tensor.offset;
    if (tensor.group == ParameterGroup::bias) plan.bias = tensor.offset;
    if (tensor.group == ParameterGroup::activation) {
      plan.tensors.push_back({tensor.trained, tensor.offset, tensor.size / tensor.shape[0]});
      plan.trained = plan.trained || tensor.trained;
    }
  }
  for (std::size_t l = 0; l < plans_.size(); ++l) {
    const LayerPlan& owner = plans_[network.owner_of(l)];
    plans_[l].tensors = owner.tensors;
    plans_[l].trained = owner.trained;
  }
}

template <class T>
void Pass<T>::load(std::span<const double> parameters) {
  std::transform(parameters.begin(), parameters.end(), parameters_.begin(),
                 [](double p) { return static_cast<T>(p); });
  std::transform(network_.constants().begin(), network_.constants().end(), constants_.begin(),
                 [](double c) { return static_cast<T>(c); });
  for (std::size_t l = 1; l < plans_.size(); ++l) {
    const Layer& layer = network_.layers()[l];
    const T* const weights = parameters_.data() + plans_[l].weight;
    T* const to = transposed_.data() + plans_[l].transposed;
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        to[i * layer.outputs + o] = weights[o * layer.inputs + i];
      }
    }
  }
  for (std::size_t l = 0; l < plans_.size(); ++l) {
    const LayerPlan& plan = plans_[l];
    if (plan.table_size == 0) continue;
    const Layer& layer = network_.layers()[l];
    for (std::size_t own = 0; own < plan.activations; ++own) {
      NeuronTensors<const T> tensors{};
      for (std::size_t k = 0; k < plan.tensors.size(); ++k) {
        const auto& tensor = plan.tensors[k];
        const AlignedVector<T>& home = tensor.trained ? parameters_ : constants_;
        tensors[k] = home.data() + tensor.offset + own * tensor.each;
      }
      layer.activation->prepare(tensors, tables_.data() + plan.table + own * plan.table_size);
    }
  }
}

template <class T>
void Pass<T>::forward(Workspace<T>& workspace, Block<const T> x, std::size_t n,
                      bool for_backward) const {
  const ProductKernels<T>& products = product_kernels<T>();
  for (std::size_t l = 0; l < plans_.size(); ++l) {
    const Layer& layer = network_.layers()[l];
    const LayerPlan& plan = plans_[l];
    auto& blocks = workspace.layers[l];
    const Block<T> s = workspace.block(blocks.s), y = workspace.block(blocks.y);
    const Block<T> slope = workspace.block(blocks.slope);
    const bool bank = layer.kind == LayerKind::bank;
    const std::size_t units = bank ? layer.outputs / layer.inputs : 1;
    if (!bank) {
      products.forward(parameters_.data() + plan.weight, parameters_.data() + plan.bias, x, s,
                       layer.inputs, layer.outputs, n);
    }
    for (std::size_t neuron = 0; neuron < layer.outputs; ++neuron) {
      const T* const table = table_of(l, neuron);
      if (for_backward) {
        if (bank) std::copy_n(x.row(neuron / units), n, s.row(neuron));
        layer.activation->forward_noted(table, s.row(neuron), y.row(neuron), slope.row(neuron),
                                        blocks.notes_of(neuron, workspace.stride), n);
        if (workspace.dropping && !blocks.kept.empty()) {
          products.multiply(y.row(neuron), blocks.kept.data() + neuron * workspace.stride, n);
        }
      } else {
        const T* const input = bank ? x.row(neuron / units) : s.row(neuron);
        layer.activation->forward(table, input, y.row(neuron), static_cast<T*>(nullptr), n);
      }
      if (layer.residual) add(x.row(neuron), n, y.row(neuron));
    }
    x = y;
  }
}

template <class T>
void Pass<T>::begin_sum(Workspace<T>& workspace) const {
  std::fill(workspace.parameter_gradient.begin(), workspace.parameter_gradient.end(), T{0});
  std::fill(workspace.scratch.begin(), workspace.scratch.end(), T{0});
}

template <class T>
void Pass<T>::end_sum(Workspace<T>& workspace) const {
  for (std::size_t l = 0; l < plans_.size(); ++l) {
    const LayerPlan& plan = plans_[l];
    if (!plan.trained) continue;
    const Layer& layer = network_.layers()[l];
    for (std::size_t own = 0; own < plan.activations; ++own) {
      NeuronTensors<T> places{};
      for (std::size_t k = 0; k < plan.tensors.size(); ++k) {
        const auto& tensor = plan.tensors[k];
        if (!tensor.trained) continue;
        places[k] = workspace.parameter_gradient.data() + tensor.offset + own * tensor.each;
      }
      layer.activation->collect(workspace.scratch.data() + plan.scratch + own * plan.scratch_size,
                                places);
    }
  }
}

template <class T>
bool Pass<T>::is_fused(const Workspace<T>& workspace, std::size_t layer) const {
  return layer + 1 < plans_.size() && !plans_[layer].trained &&
         !network_.layers()[layer].residual && !network_.layers()[layer + 1].residual &&
         !(workspace.dropping && !workspace.layers[layer].kept.empty());
}

template <class T>
void Pass<T>::backward_activations(Workspace<T>& workspace, std::size_t l, std::size_t n) const {
  if (is_fused(workspace, l)) return;
  const ProductKernels<T>& products = product_kernels<T>();
  const Layer& layer = network_.layers()[l];
  auto& blocks = workspace.layers[l];
  const Block<T> s = workspace.block(blocks.s), slope = workspace.block(blocks.slope);
  const Block<T> g = workspace.block(workspace.gradient);
  for (std::size_t neuron = 0; neuron < layer.outputs; ++neuron) {
    if (layer.residual) {
      std::copy_n(g.row(neuron), n, workspace.block(workspace.residual).row(neuron));
    }
    if (workspace.dropping && !blocks.kept.empty()) {
      products.multiply(g.row(neuron), blocks.kept.data() + neuron * workspace.stride, n);
    }
    if (plans_[l].trained) {
      layer.activation->backward(table_of(l, neuron), s.row(neuron),
                                 blocks.notes_of(neuron, workspace.stride), slope.row(neuron),
                                 g.row(neuron), scratch_of(workspace, l, neuron), n);
    } else {
      products.multiply(g.row(neuron), slope.row(neuron), n);
    }
  }
}

template <class T>
void Pass<T>::backward(Workspace<T>& workspace, Block<const T> x, std::size_t n) const {
  const ProductKernels<T>& products = product_kernels<T>();
  T* const gradients = workspace.parameter_gradient.data();
  for (std::size_t l = plans_.size(); l-- > 0;) {
    const Layer& layer = network_.layers()[l];
    const LayerPlan& plan = plans_[l];
    backward_activations(workspace, l, n);
    if (layer.kind == LayerKind::bank) break;  // it is the first layer and has no weights
    const Block<T> g = workspace.block(workspace.gradient);
    const Block<const T> below =
        l == 0 ? x : Block<const T>(workspace.block(workspace.layers[l - 1].y));
    products.backward_weights(g, below, gradients + plan.weight, gradients + plan.bias,
                              layer.inputs, layer.outputs, n);
    if (l == 0) break;
    const Block<const T> factor =
        is_fused(workspace, l - 1) ? Block<const T>(workspace.block(workspace.layers[l - 1].slope))
                                   : Block<const T>{};
    const Block<T> next = workspace.block(workspace.next_gradient);
    products.backward_inputs(transposed_.data() + plan.transposed, g, factor, next, layer.inputs,
                             layer.outputs, n);
    if (layer.residual) {
      for (std::size_t o = 0; o < layer.outputs; ++o) {
        add(workspace.block(workspace.residual).row(o), n, next.row(o));
      }
    }
    std::swap(workspace.gradient, workspace.next_gradient);
  }
}

template std::size_t block_rows<float>(const Network&);
template std::size_t block_rows<double>(const Network&);
template std::size_t leaf_rows<float>(const Network&);
template std::size_t leaf_rows<double>(const Network&);
template struct Workspace<float>;
template struct Workspace<double>;
template class Pass<float>;
template class Pass<double>;

}  // namespace knotwork
