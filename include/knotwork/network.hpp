// SPDX-License-Identifier: MIT
// A feed-forward network of dense layers: y = phi(W x + b), layer after layer.
//
// The network is a value: its structure and all its numbers. Trained numbers stand in one vector,
// parameters(), which is what optimizers see; numbers that are not trained (knots, anchors) stand
// in constants(). tensors() says where each named tensor lies; the names are those of the model
// file: layers.<l>.weight [out, in], layers.<l>.bias [out], layers.<l>.activation.<name> [out, n].
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>

namespace knotwork {

// What the arithmetic of a pass over the data is done in. Parameters, sums over blocks and
// optimizers are in double either way.
enum class Precision { single_, double_ };
KNOTWORK_API std::string_view to_string(Precision precision);  // "float", "double"
KNOTWORK_API Precision precision_from_name(std::string_view name);

struct Layer {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::shared_ptr<const Activation> activation;
};

enum class ParameterGroup { weight, bias, activation };
KNOTWORK_API std::string_view to_string(ParameterGroup group);

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

class KNOTWORK_API Network {
 public:
  // Checks that sizes fit together; all numbers are zero until initialise().
  explicit Network(std::vector<Layer> layers);

  const std::vector<Layer>& layers() const { return layers_; }
  std::size_t inputs() const { return layers_.front().inputs; }
  std::size_t outputs() const { return layers_.back().outputs; }

  // Glorot uniform weights, zero biases, activations by their own rule.
  void initialise(std::uint64_t seed);

  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  std::span<double> parameters() { return parameters_; }
  std::span<const double> parameters() const { return parameters_; }
  std::span<double> constants() { return constants_; }
  std::span<const double> constants() const { return constants_; }
  std::span<double> values(const TensorInfo& tensor);
  std::span<const double> values(const TensorInfo& tensor) const;
  // Throws bad_model when there is no tensor of that name.
  const TensorInfo& tensor(std::string_view name) const;

  // One neuron's activation tensors, trained ones taken from `parameters`.
  NeuronTensors<const double> activation_tensors(std::size_t layer, std::size_t neuron,
                                                 std::span<const double> parameters) const;
  // The same places in a vector of the parameters' size, e.g. a gradient; null for constants.
  NeuronTensors<double> trained_tensors(std::size_t layer, std::size_t neuron,
                                        std::span<double> vector) const;

  // phi(s) of one neuron as it is now, in double.
  double activate(std::size_t layer, std::size_t neuron, double s) const;

 private:
  void add_tensor(TensorInfo tensor);
  // visit(k, tensor, numbers for each neuron) for the tensors of a layer's activation.
  template <class Visit>
  void for_each_tensor(std::size_t layer, const Visit& visit) const;

  std::vector<Layer> layers_;
  std::vector<TensorInfo> tensors_;
  std::vector<std::size_t> first_activation_tensor_;  // for each layer, an index into tensors_
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
