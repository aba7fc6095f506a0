// SPDX-License-Identifier: MIT
// A Network is a feed-forward network of dense layers: y = phi(W x + b), layer after layer. With a
// residual connection a layer is y = phi(W x + b) + x. The first layer may be a bank instead: every
// input has its own units that receive nothing else, y = phi(x), before dense layers mix them.
//
// The network is a value: its structure and all its numbers. Trained numbers are in one vector,
// parameters(), which is what optimizers see; numbers that are not trained (knots, anchors) are in
// constants(). tensors() says where each named tensor is; the names are those of the model file:
// layers.<l>.weight [out, in], layers.<l>.bias [out], layers.<l>.activation.<name> [out, n]. A bank
// has no weights and biases. If neurons share one activation, its tensors are [1, n]; if layers
// share one, its tensors belong to the first of these layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/api.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/names.hpp>

namespace knotwork {

// The precision of the arithmetic in a pass over the data. Parameters, sums over blocks and
// optimizers are in double either way.
enum class Precision {
  float32,
  float64,
  single_ [[deprecated("is float32 now")]] = float32,
  double_ [[deprecated("is float64 now")]] = float64,
};
template <>
struct EnumNames<Precision> {
  static constexpr EnumFamily family{"precision"};
  static constexpr EnumName<Precision> all[] = {
      {Precision::float32, "float"},
      {Precision::float64, "double"},
  };
};
[[deprecated("is from_string<Precision>() now")]] inline Precision precision_from_name(
    std::string_view name) {
  return from_string<Precision>(name);
}

enum class LayerKind { dense, bank };
template <>
struct EnumNames<LayerKind> {
  static constexpr EnumFamily family{"kind of layer"};
  static constexpr EnumName<LayerKind> all[] = {
      {LayerKind::dense, "dense"},
      {LayerKind::bank, "bank"},
  };
};
[[deprecated("is from_string<LayerKind>() now")]] inline LayerKind layer_kind_from_name(
    std::string_view name) {
  return from_string<LayerKind>(name);
}

// Which neurons share one set of an activation's numbers, for instance of control points: no
// neurons (every neuron has its own set), all neurons of a layer, or all neurons of all layers that
// share.
enum class Sharing { neuron, layer, network };
template <>
struct EnumNames<Sharing> {
  static constexpr EnumFamily family{"sharing"};
  static constexpr EnumName<Sharing> all[] = {
      {Sharing::neuron, "neuron"},
      {Sharing::layer, "layer"},
      {Sharing::network, "network"},
  };
};
[[deprecated("is from_string<Sharing>() now")]] inline Sharing sharing_from_name(
    std::string_view name) {
  return from_string<Sharing>(name);
}

struct Layer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;  // of a bank: a multiple of inputs, an input's units side by side
  std::shared_ptr<const Activation> activation;
  LayerKind kind = LayerKind::dense;  // only the first layer can be a bank
  bool residual = false;              // only for dense layers with as many outputs as inputs
  Sharing sharing = Sharing::neuron;
};

enum class ParameterGroup { weight, bias, activation };
template <>
struct EnumNames<ParameterGroup> {
  static constexpr EnumFamily family{"group of parameters"};
  static constexpr EnumName<ParameterGroup> all[] = {
      {ParameterGroup::weight, "weight"},
      {ParameterGroup::bias, "bias"},
      {ParameterGroup::activation, "activation"},
  };
};

struct TensorInfo {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t layer = 0;
  ParameterGroup group = ParameterGroup::weight;
  bool trained = true;
  std::size_t offset = 0;  // into parameters() if trained, else into constants()
  std::size_t size = 0;
  int anchor = -1;  // index in tensors() of the constant tensor that holds its start, or -1
};

// The distribution of initial weights, always uniform around 0. glorot (Glorot and Bengio 2010)
// depends on sizes alone, and signals may fade or grow from layer to layer of a deep network; with
// unit_variance every neuron of every layer receives a variance of 1, for inputs of variance 1.
enum class WeightStart { glorot, unit_variance };
template <>
struct EnumNames<WeightStart> {
  static constexpr EnumFamily family{"start of weights"};
  static constexpr EnumName<WeightStart> all[] = {
      {WeightStart::glorot, "glorot"},
      {WeightStart::unit_variance, "variance"},
  };
};

class KNOTWORK_API Network {
 public:
  // Checks that sizes fit together; all numbers are zero until initialize().
  explicit Network(std::vector<Layer> layers);

  const std::vector<Layer>& layers() const { return layers_; }
  std::size_t inputs() const { return layers_.front().inputs; }
  std::size_t outputs() const { return layers_.back().outputs; }

  // Sets biases to zero and initializes activations by their own rule.
  void initialize(std::uint64_t seed, WeightStart start = WeightStart::glorot);
  [[deprecated("is initialize() now")]] void initialise(std::uint64_t seed,
                                                        WeightStart start = WeightStart::glorot) {
    initialize(seed, start);
  }

  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  std::span<double> parameters() { return parameters_; }
  std::span<const double> parameters() const { return parameters_; }
  std::span<double> constants() { return constants_; }
  std::span<const double> constants() const { return constants_; }
  std::span<double> values(const TensorInfo& tensor);
  std::span<const double> values(const TensorInfo& tensor) const;
  // Throws bad_model when there is no tensor with that name.
  const TensorInfo& tensor(std::string_view name) const;

  // Number of activations that the layer owns: one for each neuron, 1 if they share it, and 0 if
  // another layer owns it. Activation k belongs to neuron k.
  std::size_t own_activations(std::size_t layer) const;
  // Index of the neuron's activation among the activations of the layer.
  std::size_t activation_of(std::size_t layer, std::size_t neuron) const {
    return layers_[layer].sharing == Sharing::neuron ? neuron : 0;
  }
  // The layer whose tensors a layer's neurons use: itself, unless the network shares them.
  std::size_t owner_of(std::size_t layer) const { return owners_[layer]; }

  // The tensors of one neuron's activation, with the trained ones taken from `parameters`.
  NeuronTensors<const double> activation_tensors(std::size_t layer, std::size_t neuron,
                                                 std::span<const double> parameters) const;
  // Like activation_tensors(), but the positions in another vector of the size of the parameters,
  // e.g. a gradient; null for constants.
  NeuronTensors<double> trained_tensors(std::size_t layer, std::size_t neuron,
                                        std::span<double> vector) const;

  // phi(s) of one neuron with the current parameters, in double.
  double activate(std::size_t layer, std::size_t neuron, double s) const;

 private:
  std::vector<double> start_limits(WeightStart start) const;  // for the weights of each layer
  void add_layer(std::size_t l);
  void add_activation_tensors(std::size_t l);
  void add_tensor(TensorInfo tensor);
  // visit(k, tensor, numbers of each activation) for the tensors of a layer's activation.
  template <class Visit>
  void for_each_tensor(std::size_t layer, const Visit& visit) const;

  std::vector<Layer> layers_;
  std::vector<TensorInfo> tensors_;
  std::vector<std::size_t> first_activation_tensor_;  // for each layer, an index into tensors_
  std::vector<std::size_t> owners_;
  std::vector<double> parameters_;
  std::vector<double> constants_;
};

// Layers of the given sizes, where sizes[0] is the number of inputs: {8, 5, 1} is the paper's
// network.
KNOTWORK_API Network make_network(const std::vector<std::size_t>& sizes,
                                  std::shared_ptr<const Activation> hidden,
                                  std::shared_ptr<const Activation> output);

// Outputs of the network for every row of inputs, read from and written to the caller's memory. 0
// threads means all cores; the bits do not depend on the number of threads.
KNOTWORK_API void evaluate(const Network& network, MatrixView<const float> inputs,
                           MatrixView<float> outputs, std::size_t threads = 1);
KNOTWORK_API void evaluate(const Network& network, MatrixView<const double> inputs,
                           MatrixView<double> outputs, std::size_t threads = 1);

}  // namespace knotwork
