// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "base/fail.hpp"

#include <knotwork/network.hpp>
#include <knotwork/random.hpp>

namespace knotwork {

std::string_view to_string(Precision precision) {
  return precision == Precision::single_ ? "float" : "double";
}

Precision precision_from_name(std::string_view name) {
  if (name == "float") return Precision::single_;
  if (name == "double") return Precision::double_;
  throw Error(ErrorKind::bad_option, unknown_name_message("precision", name, {"float", "double"}));
}

std::string_view to_string(ParameterGroup group) {
  switch (group) {
    case ParameterGroup::weight:
      return "weight";
    case ParameterGroup::bias:
      return "bias";
    default:
      return "activation";
  }
}

Network::Network(std::vector<Layer> layers) : layers_(std::move(layers)) {
  if (layers_.empty()) fail(ErrorKind::bad_option, "A network needs at least one layer.");
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    if (layer.inputs == 0 || layer.outputs == 0) {
      fail(ErrorKind::bad_option, "Layer {} has {} inputs and {} outputs; it needs at least one.",
           l, layer.inputs, layer.outputs);
    }
    if (!layer.activation) fail(ErrorKind::bad_option, "Layer {} has no activation.", l);
    if (l > 0 && layer.inputs != layers_[l - 1].outputs) {
      fail(ErrorKind::bad_option,
           "Layer {} takes {} inputs, but layer {} before it has {} outputs.", l, layer.inputs,
           l - 1, layers_[l - 1].outputs);
    }
    const std::string prefix = fmt::format("layers.{}.", l);
    add_tensor({prefix + "weight", {layer.outputs, layer.inputs}, l, ParameterGroup::weight});
    add_tensor({prefix + "bias", {layer.outputs}, l, ParameterGroup::bias});
    first_activation_tensor_.push_back(tensors_.size());
    const auto own = layer.activation->tensors();
    if (own.size() > kMaxActivationTensors) {
      fail(ErrorKind::bad_option, "Activation '{}' has {} tensors; at most {} are possible.",
           layer.activation->name(), own.size(), kMaxActivationTensors);
    }
    for (const ActivationTensor& tensor : own) {
      std::vector<std::size_t> shape = {layer.outputs};
      if (tensor.size != 1) shape.push_back(tensor.size);
      add_tensor({prefix + "activation." + tensor.name, shape, l, ParameterGroup::activation,
                  tensor.trained});
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k].anchors < 0) continue;
      const auto of = static_cast<std::size_t>(own[k].anchors);
      if (of >= own.size() || own[k].trained || !own[of].trained || own[k].size != own[of].size) {
        fail(ErrorKind::bad_option,
             "Tensor '{}' of activation '{}' must be constant and anchor a trained tensor of its "
             "own size.",
             own[k].name, layer.activation->name());
      }
      const std::size_t first = first_activation_tensor_.back();
      tensors_[first + of].anchor = static_cast<int>(first + k);
    }
  }
}

void Network::add_tensor(TensorInfo tensor) {
  std::vector<double>& home = tensor.trained ? parameters_ : constants_;
  tensor.size = 1;
  for (std::size_t extent : tensor.shape) tensor.size *= extent;
  tensor.offset = home.size();
  home.resize(home.size() + tensor.size);
  tensors_.push_back(std::move(tensor));
}

std::span<double> Network::values(const TensorInfo& tensor) {
  return (tensor.trained ? parameters() : constants()).subspan(tensor.offset, tensor.size);
}

std::span<const double> Network::values(const TensorInfo& tensor) const {
  return (tensor.trained ? parameters() : constants()).subspan(tensor.offset, tensor.size);
}

const TensorInfo& Network::tensor(std::string_view name) const {
  for (const TensorInfo& tensor : tensors_) {
    if (tensor.name == name) return tensor;
  }
  fail(ErrorKind::bad_model, "The network has no tensor called '{}'.", name);
}

template <class Visit>
void Network::for_each_tensor(std::size_t layer, const Visit& visit) const {
  const std::size_t first = first_activation_tensor_[layer];
  for (std::size_t k = first;
       k < tensors_.size() && tensors_[k].group == ParameterGroup::activation; ++k) {
    visit(k - first, tensors_[k], tensors_[k].size / layers_[layer].outputs);
  }
}

void Network::initialise(std::uint64_t seed) {
  const Random random(seed, Purpose::weights);
  for (const TensorInfo& tensor : tensors_) {
    if (tensor.group != ParameterGroup::weight) continue;
    const Layer& layer = layers_[tensor.layer];
    const double limit = std::sqrt(6.0 / static_cast<double>(layer.inputs + layer.outputs));
    const std::span<double> weights = values(tensor);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      weights[k] = limit * (2 * random.uniform(tensor.offset + k) - 1);
    }
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    for (const TensorInfo& tensor : tensors_) {
      if (tensor.layer == l && tensor.group == ParameterGroup::bias) {
        std::fill_n(values(tensor).begin(), tensor.size, 0.0);
      }
    }
    // Noise is numbered so that no two elements share a number: a layer's trained activation
    // tensors are one run of the parameters, and each neuron gets its share of that run's numbers.
    std::uint64_t first_number = parameters_.size(), numbers = 0;
    for_each_tensor(l, [&](std::size_t, const TensorInfo& tensor, std::size_t each) {
      if (!tensor.trained) return;
      first_number = std::min<std::uint64_t>(first_number, tensor.offset);
      numbers += each;
    });
    for (std::size_t neuron = 0; neuron < layers_[l].outputs; ++neuron) {
      NeuronTensors<double> places = trained_tensors(l, neuron, parameters_);
      for_each_tensor(l, [&](std::size_t k, const TensorInfo& tensor, std::size_t each) {
        if (!tensor.trained) places[k] = constants_.data() + tensor.offset + neuron * each;
      });
      layers_[l].activation->initialise(places, {seed, first_number + neuron * numbers});
    }
  }
}

NeuronTensors<const double> Network::activation_tensors(std::size_t layer, std::size_t neuron,
                                                        std::span<const double> parameters) const {
  NeuronTensors<const double> places{};
  for_each_tensor(layer, [&](std::size_t k, const TensorInfo& tensor, std::size_t each) {
    const double* home = tensor.trained ? parameters.data() : constants_.data();
    places[k] = home + tensor.offset + neuron * each;
  });
  return places;
}

NeuronTensors<double> Network::trained_tensors(std::size_t layer, std::size_t neuron,
                                               std::span<double> vector) const {
  NeuronTensors<double> places{};
  for_each_tensor(layer, [&](std::size_t k, const TensorInfo& tensor, std::size_t each) {
    if (tensor.trained) places[k] = vector.data() + tensor.offset + neuron * each;
  });
  return places;
}

double Network::activate(std::size_t layer, std::size_t neuron, double s) const {
  if (layer >= layers_.size() || neuron >= layers_[layer].outputs) {
    fail(ErrorKind::bad_option, "There is no neuron {} in layer {} of this network.", neuron,
         layer);
  }
  const Activation& activation = *layers_[layer].activation;
  std::vector<double> table(activation.table_size());
  activation.prepare(activation_tensors(layer, neuron, parameters_), table.data());
  double y;
  activation.forward(table.data(), &s, &y, nullptr, 1);
  return y;
}

Network make_network(const std::vector<std::size_t>& sizes,
                     std::shared_ptr<const Activation> hidden,
                     std::shared_ptr<const Activation> output) {
  if (sizes.size() < 2) {
    fail(ErrorKind::bad_option, "A network needs at least the sizes of its inputs and outputs.");
  }
  std::vector<Layer> layers;
  for (std::size_t l = 1; l < sizes.size(); ++l) {
    layers.push_back({sizes[l - 1], sizes[l], l + 1 < sizes.size() ? hidden : output});
  }
  return Network(std::move(layers));
}

}  // namespace knotwork
