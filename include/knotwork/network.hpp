// SPDX-License-Identifier: MIT
// A feed-forward network of dense layers: y = phi(W x + b), layer after layer. With a residual
// connection a layer is y = phi(W x + b) + x. The first layer may be a bank instead: every input
// has units of its own that see nothing else, y = phi(x), before dense layers mix them.
//
// The network is a value: its structure and all its numbers. Trained numbers stand in one vector,
// parameters(), which is what optimizers see; numbers that are not trained (knots, anchors) stand
// in constants(). tensors() says where each named tensor lies; the names are those of the model
// file: layers.<l>.weight [out, in], layers.<l>.bias [out], layers.<l>.activation.<name> [out, n].
// A bank has no weights and biases. Where neurons share one activation its tensors are [1, n], and
// where layers do, they belong to the first of these.
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

// What the arithmetic of a pass over the data is done in. Parameters, sums over blocks and
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

// Who has one set of the activation's numbers, control points for instance: every neuron one of
// its own, all neurons of the layer, or all neurons of the layers that share so.
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
  std::size_t outputs = 0;  // of a bank: a whole number for each input, side by side
  std::shared_ptr<const Activation> activation;
  LayerKind kind = LayerKind::dense;  // a bank can only be the first
  bool residual = false;              // dense, and as many outputs as inputs
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
  int anchor = -1;  // index in tensors() of the constant tensor that holds its start, if any
};

// How weights start, always uniform around 0. glorot (Glorot and Bengio 2010) looks at sizes alone,
// and a deep network's signals may fade or grow from layer to layer; with unit_variance every
// neuron of every layer receives a variance of 1, for inputs that have it.
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

  // Zero biases, activations by their own rule.
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
  // Throws bad_model when there is no tensor of that name.
  const TensorInfo& tensor(std::string_view name) const;

  // How many activations the layer has: one for each neuron, 1 if they share it, and 0 if it is
  // another layer's. Activation k is that of neuron k.
  std::size_t own_activations(std::size_t layer) const;
  // Which of the layer's activations a neuron has.
  std::size_t activation_of(std::size_t layer, std::size_t neuron) const {
    return layers_[layer].sharing == Sharing::neuron ? neuron : 0;
  }
  // The layer whose tensors a layer's neurons use: itself, unless the network shares them.
  std::size_t owner_of(std::size_t layer) const { return owners_[layer]; }

  // One neuron's activation tensors, trained ones taken from `parameters`.
  NeuronTensors<const double> activation_tensors(std::size_t layer, std::size_t neuron,
                                                 std::span<const double> parameters) const;
  // The same places in a vector of the parameters' size, e.g. a gradient; null for constants.
  NeuronTensors<double> trained_tensors(std::size_t layer, std::size_t neuron,
                                        std::span<double> vector) const;

  // phi(s) of one neuron as it is now, in double.
  double activate(std::size_t layer, std::size_t neuron, double s) const;

 private:
  std::vector<double> start_limits(WeightStart start) const;  // of the weights of each layer
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

// Layers of the given sizes, sizes[0] the inputs: {8, 5, 1} is the paper's network.
KNOTWORK_API Network make_network(const std::vector<std::size_t>& sizes,
                                  std::shared_ptr<const Activation> hidden,
                                  std::shared_ptr<const Activation> output);

// Outputs of the network for every row of inputs, straight from and to the caller's memory.
// 0 threads means all cores; the bits do not depend on it.
KNOTWORK_API void evaluate(const Network& network, MatrixView<const float> inputs,
                           MatrixView<float> outputs, std::size_t threads = 1);
KNOTWORK_API void evaluate(const Network& network, MatrixView<const double> inputs,
                           MatrixView<double> outputs, std::size_t threads = 1);

}  // namespace knotwork
