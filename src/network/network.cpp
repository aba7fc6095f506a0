// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/fail.hpp"

#include <knotwork/network.hpp>
#include <knotwork/random.hpp>

namespace knotwork {

namespace {

void check_layer(const std::vector<Layer>& layers, std::size_t l) {
  const Layer& layer = layers[l];
  if (layer.inputs == 0 || layer.outputs == 0) {
    fail(ErrorKind::bad_option, "Layer {} has {} inputs and {} outputs; it needs at least one.", l,
         layer.inputs, layer.outputs);
  }
  if (!layer.activation) fail(ErrorKind::bad_option, "Layer {} has no activation.", l);
  if (l > 0 && layer.inputs != layers[l - 1].outputs) {
    fail(ErrorKind::bad_option, "Layer {} takes {} inputs, but layer {} before it has {} outputs.",
         l, layer.inputs, l - 1, layers[l - 1].outputs);
  }
  const bool bank = layer.kind == LayerKind::bank;
  if (bank && l > 0) {
    fail(ErrorKind::bad_option,
         "Layer {} is a bank of units for each input; only the first layer can be one.", l);
  }
  if (bank && layer.outputs % layer.inputs != 0) {
    fail(
        ErrorKind::bad_option,
        "A bank of {} inputs needs the same number of units for each input, not {} units in total.",
        layer.inputs, layer.outputs);
  }
  if (layer.residual && (bank || layer.inputs != layer.outputs)) {
    fail(ErrorKind::bad_option,
         "Layer {} has a residual connection, but {} inputs and {} outputs; it must be dense and "
         "have equally many.",
         l, layer.inputs, layer.outputs);
  }
}

void check_same(const Activation& owner, const Activation& other) {
  if (owner.name() == other.name() && owner.settings() == other.settings()) return;
  fail(ErrorKind::bad_option,
       "Layers with the activations '{}' and '{}' cannot share an activation; type and settings "
       "must be equal.",
       owner.name(), other.name());
}

}  // namespace

Network::Network(std::vector<Layer> layers) : layers_(std::move(layers)) {
  if (layers_.empty()) fail(ErrorKind::bad_option, "A network needs at least one layer.");
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    check_layer(layers_, l);
    add_layer(l);
  }
}

void Network::add_layer(std::size_t l) {
  const Layer& layer = layers_[l];
  const std::string prefix = fmt::format("layers.{}.", l);
  if (layer.kind == LayerKind::dense) {
    add_tensor({prefix + "weight", {layer.outputs, layer.inputs}, l, ParameterGroup::weight});
    add_tensor({prefix + "bias", {layer.outputs}, l, ParameterGroup::bias});
  }
  owners_.push_back(l);
  if (layer.sharing == Sharing::network) {
    const auto owner = std::find_if(layers_.begin(), layers_.end(), [](const Layer& other) {
      return other.sharing == Sharing::network;
    });
    owners_[l] = static_cast<std::size_t>(owner - layers_.begin());
  }
  if (owners_[l] == l) {
    first_activation_tensor_.push_back(tensors_.size());
    add_activation_tensors(l);
  } else {
    check_same(*layers_[owners_[l]].activation, *layer.activation);
    first_activation_tensor_.push_back(first_activation_tensor_[owners_[l]]);
  }
}

void Network::add_activation_tensors(std::size_t l) {
  const Layer& layer = layers_[l];
  const auto own = layer.activation->tensors();
  if (own.size() > kMaxActivationTensors) {
    fail(ErrorKind::bad_option, "Activation '{}' has {} tensors; at most {} are possible.",
         layer.activation->name(), own.size(), kMaxActivationTensors);
  }
  for (const ActivationTensor& tensor : own) {
    std::vector<std::size_t> shape = {own_activations(l)};
    if (tensor.size != 1) shape.push_back(tensor.size);
    add_tensor({fmt::format("layers.{}.activation.{}", l, tensor.name), shape, l,
                ParameterGroup::activation, tensor.trained});
  }
  const std::size_t first = first_activation_tensor_.back();
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k].anchors < 0) continue;
    const auto of = static_cast<std::size_t>(own[k].anchors);
    if (of >= own.size() || own[k].trained || !own[of].trained || own[k].size != own[of].size) {
      fail(ErrorKind::bad_option,
           "Tensor '{}' of activation '{}' must be constant and anchor a trained tensor of its own "
           "size.",
           own[k].name, layer.activation->name());
    }
    tensors_[first + of].anchor = static_cast<int>(first + k);
  }
}

std::size_t Network::own_activations(std::size_t layer) const {
  if (layers_[layer].sharing == Sharing::neuron) return layers_[layer].outputs;
  return owners_[layer] == layer ? 1 : 0;
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
  // Tensors are in the order of their layers, and a name contains the layer: "layers.7.bias".
  constexpr std::string_view kBefore = "layers.";
  std::size_t layer = 0;
  if (name.starts_with(kBefore)) {
    std::from_chars(name.data() + kBefore.size(), name.data() + name.size(), layer);
  }
  for (const TensorInfo& tensor :
       std::ranges::equal_range(tensors_, layer, {}, &TensorInfo::layer)) {
    if (tensor.name == name) return tensor;
  }
  fail(ErrorKind::bad_model, "The network has no tensor called '{}'.", name);
}

template <class Visit>
void Network::for_each_tensor(std::size_t layer, const Visit& visit) const {
  const std::size_t first = first_activation_tensor_[layer];
  for (std::size_t k = first;
       k < tensors_.size() && tensors_[k].group == ParameterGroup::activation; ++k) {
    visit(k - first, tensors_[k], tensors_[k].size / tensors_[k].shape[0]);
  }
}

namespace {

// The mean of phi(s)^2 for s of a normal distribution with variance 1, by the trapezoid rule.
double mean_square(const Network& network, std::size_t layer) {
  constexpr double kEnd = 8, kStep = 1.0 / 32;
  double sum = 0, mass = 0;
  for (double s = -kEnd; s <= kEnd; s += kStep) {
    const double density = std::exp(-s * s / 2), y = network.activate(layer, 0, s);
    sum += density * y * y;
    mass += density;
  }
  return sum / mass;
}

}  // namespace

std::vector<double> Network::start_limits(WeightStart start) const {
  std::vector<double> limits;
  double received = 1;  // mean square of a layer's inputs
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const auto inputs = static_cast<double>(layers_[l].inputs);
    const auto outputs = static_cast<double>(layers_[l].outputs);
    limits.push_back(
        std::sqrt(start == WeightStart::glorot ? 6 / (inputs + outputs) : 3 / (inputs * received)));
    if (start == WeightStart::glorot || layers_[l].kind == LayerKind::bank) continue;
    received = mean_square(*this, l) + (layers_[l].residual ? received : 0);
    if (!(received > 0)) received = 1;
  }
  return limits;
}

void Network::initialize(std::uint64_t seed, WeightStart start) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    // Noise is numbered so that no two elements share a number: a layer's trained activation
    // tensors are one run of the parameters, and each neuron uses a part of that run's numbers.
    std::uint64_t first_number = parameters_.size(), numbers = 0;
    for_each_tensor(l, [&](std::size_t, const TensorInfo& tensor, std::size_t each) {
      if (!tensor.trained) return;
      first_number = std::min<std::uint64_t>(first_number, tensor.offset);
      numbers += each;
    });
    for (std::size_t neuron = 0; neuron < own_activations(l); ++neuron) {
      NeuronTensors<double> places = trained_tensors(l, neuron, parameters_);
      for_each_tensor(l, [&](std::size_t k, const TensorInfo& tensor, std::size_t each) {
        if (!tensor.trained) places[k] = constants_.data() + tensor.offset + neuron * each;
      });
      layers_[l].activation->initialize(places, {seed, first_number + neuron * numbers});
    }
  }
  const Random random(seed, Purpose::weights);
  const std::vector<double> limits = start_limits(start);
  for (const TensorInfo& tensor : tensors_) {
    const std::span<double> numbers = values(tensor);
    if (tensor.group == ParameterGroup::bias) std::fill(numbers.begin(), numbers.end(), 0.0);
    if (tensor.group != ParameterGroup::weight) continue;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      numbers[k] = limits[tensor.layer] * (2 * random.uniform(tensor.offset + k) - 1);
    }
  }
}

NeuronTensors<const double> Network::activation_tensors(std::size_t layer, std::size_t neuron,
                                                        std::span<const double> parameters) const {
  NeuronTensors<const double> places{};
  for_each_tensor(layer, [&](std::size_t k, const TensorInfo& tensor, std::size_t each) {
    const double* home = tensor.trained ? parameters.data() : constants_.data();
    places[k] = home + tensor.offset + activation_of(layer, neuron) * each;
  });
  return places;
}

NeuronTensors<double> Network::trained_tensors(std::size_t layer, std::size_t neuron,
                                               std::span<double> vector) const {
  NeuronTensors<double> places{};
  for_each_tensor(layer, [&](std::size_t k, const TensorInfo& tensor, std::size_t each) {
    if (!tensor.trained) return;
    places[k] = vector.data() + tensor.offset + activation_of(layer, neuron) * each;
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
    fail(ErrorKind::bad_option, "A network needs at least two sizes: its inputs and its outputs.");
  }
  std::vector<Layer> layers;
  for (std::size_t l = 1; l < sizes.size(); ++l) {
    layers.push_back({sizes[l - 1], sizes[l], l + 1 < sizes.size() ? hidden : output});
  }
  return Network(std::move(layers));
}

}  // namespace knotwork
