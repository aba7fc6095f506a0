// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <knotwork/network.hpp>

namespace knotwork {
namespace {

std::shared_ptr<const Activation> builtin(const char* name) {
  return builtin_activations().at(name).make({});
}

Network paper_network() {
  return make_network({8, 5, 1}, builtin("spline"), builtin("spline"));
}

TEST(Network, TensorsHaveTheNamesAndShapesOfTheModelFile) {
  const Network network = make_network({8, 5, 2}, builtin("spline"), builtin("tanh"));
  using Shape = std::vector<std::size_t>;
  const std::vector<std::tuple<std::string, Shape, bool>> wanted = {
      {"layers.0.weight", {5, 8}, true},
      {"layers.0.bias", {5}, true},
      {"layers.0.activation.control_points", {5, 21}, true},
      {"layers.0.activation.first_knot", {5}, false},
      {"layers.0.activation.step", {5}, false},
      {"layers.0.activation.anchor", {5, 21}, false},
      {"layers.1.weight", {2, 5}, true},
      {"layers.1.bias", {2}, true}};
  ASSERT_EQ(network.tensors().size(), wanted.size());
  std::size_t trained = 0, constant = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const TensorInfo& tensor = network.tensors()[k];
    EXPECT_EQ(tensor.name, std::get<0>(wanted[k]));
    EXPECT_EQ(tensor.shape, std::get<1>(wanted[k]));
    EXPECT_EQ(tensor.trained, std::get<2>(wanted[k]));
    EXPECT_EQ(tensor.layer, k < 6 ? 0u : 1u);
    // The tensors are adjacent, without gaps.
    EXPECT_EQ(tensor.offset, tensor.trained ? trained : constant);
    (tensor.trained ? trained : constant) += tensor.size;
  }
  EXPECT_EQ(network.parameters().size(), trained);
  EXPECT_EQ(trained, 5u * 8 + 5 + 5 * 21 + 2 * 5 + 2);
  EXPECT_EQ(network.constants().size(), constant);
  EXPECT_EQ(network.tensor("layers.0.activation.control_points").anchor, 5);
  EXPECT_EQ(network.tensor("layers.0.weight").anchor, -1);
  EXPECT_EQ(network.tensor("layers.0.weight").group, ParameterGroup::weight);
  EXPECT_EQ(network.tensor("layers.1.bias").group, ParameterGroup::bias);
  EXPECT_EQ(network.tensor("layers.0.activation.step").group, ParameterGroup::activation);
}

TEST(Network, ValuesOfATensorAreAWindowIntoTheNetwork) {
  Network network = paper_network();
  const TensorInfo& step = network.tensor("layers.1.activation.step");
  network.values(step)[0] = 0.5;
  EXPECT_EQ(network.constants()[step.offset], 0.5);
  const TensorInfo& bias = network.tensor("layers.1.bias");
  network.values(bias)[0] = -3;
  EXPECT_EQ(network.parameters()[bias.offset], -3);
  EXPECT_EQ(std::as_const(network).values(bias)[0], -3);
  EXPECT_THROW(network.tensor("layers.2.bias"), Error);
}

TEST(Network, ACopyIsAValueOfItsOwn) {
  Network network = paper_network();
  network.initialize(1);
  const Network copy = network;
  const double before = copy.parameters()[0];
  network.parameters()[0] = before + 1;
  EXPECT_EQ(copy.parameters()[0], before);
}

TEST(Network, WeightsAreGlorotUniformAndBiasesZero) {
  Network network = make_network({40, 60, 20}, builtin("tanh"), builtin("identity"));
  for (double& p : network.parameters()) p = 99;
  network.initialize(7);
  for (std::size_t l : {0u, 1u}) {
    const std::string prefix = "layers." + std::to_string(l);
    const Layer& layer = network.layers()[l];
    const double limit = std::sqrt(6.0 / static_cast<double>(layer.inputs + layer.outputs));
    double most = 0, sum = 0, squares = 0;
    const auto weights = network.values(network.tensor(prefix + ".weight"));
    for (double w : weights) {
      most = std::max(most, std::fabs(w));
      sum += w;
      squares += w * w;
    }
    const double count = static_cast<double>(weights.size());
    EXPECT_LE(most, limit);
    EXPECT_GT(most, 0.98 * limit);
    // Standard errors: limit / sqrt(3 count), and 0.9 / sqrt(count) of the variance.
    EXPECT_NEAR(sum / count, 0, 4 * limit / std::sqrt(3 * count));
    EXPECT_NEAR(squares / count / (limit * limit / 3), 1, 4 * 0.9 / std::sqrt(count));
    for (double b : network.values(network.tensor(prefix + ".bias"))) EXPECT_EQ(b, 0);
  }
}

TEST(Network, TheSeedDecidesEverythingAndNothingElseDoes) {
  Network a = paper_network(), b = paper_network(), c = paper_network();
  a.initialize(3);
  b.initialize(4);
  b.initialize(3);  // overwrites all earlier numbers
  c.initialize(4);
  EXPECT_TRUE(std::equal(a.parameters().begin(), a.parameters().end(), b.parameters().begin()));
  EXPECT_TRUE(std::equal(a.constants().begin(), a.constants().end(), b.constants().begin()));
  EXPECT_FALSE(std::equal(a.parameters().begin(), a.parameters().end(), c.parameters().begin()));
  std::set<double> draws;
  for (std::size_t l : {0u, 1u}) {
    const Layer& layer = a.layers()[l];
    const double limit = std::sqrt(6.0 / static_cast<double>(layer.inputs + layer.outputs));
    for (double w : a.values(a.tensor("layers." + std::to_string(l) + ".weight"))) {
      draws.insert(std::round(1e12 * w / limit));
    }
  }
  EXPECT_EQ(draws.size(), 5u * 8 + 5) << "a number was used twice";
}

TEST(Network, EveryNeuronHasNoiseOfItsOwn) {
  SplineOptions options;
  options.noise_share = 1;
  Network network =
      make_network({3, 4, 2}, make_spline_activation(options), make_spline_activation(options));
  network.initialize(1);
  std::set<double> noise;
  for (const char* layer : {"layers.0", "layers.1"}) {
    const std::string prefix = std::string(layer) + ".activation.";
    const auto q = network.values(network.tensor(prefix + "control_points"));
    const auto anchor = network.values(network.tensor(prefix + "anchor"));
    for (std::size_t k = 0; k < q.size(); ++k) noise.insert(std::round(1e12 * (q[k] - anchor[k])));
  }
  EXPECT_EQ(noise.size(), 6u * 21);
}

// An activation with tensors in an unusual order, which records the noise it was given.
class Recorder final : public ActivationOf<Recorder> {
 public:
  explicit Recorder(std::vector<ActivationTensor> tensors) : tensors_(std::move(tensors)) {}
  std::string_view name() const override { return "recorder"; }
  std::vector<ActivationTensor> tensors() const override { return tensors_; }
  void initialize(const NeuronTensors<double>&, const InitialNoise& noise) const override {
    noises.push_back(noise);
  }
  template <class T>
  void forward_as(const T*, const T* s, T* y, T* slope, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) y[k] = s[k];
    for (std::size_t k = 0; slope && k < n; ++k) slope[k] = 1;
  }
  mutable std::vector<InitialNoise> noises;

 private:
  std::vector<ActivationTensor> tensors_;
};

TEST(Network, NoTwoElementsShareTheNumberOfTheirNoise) {
  const auto recorder = std::make_shared<Recorder>(std::vector<ActivationTensor>{
      {"centre", 1, false, -1}, {"shape", 3, true, -1}, {"height", 2, true, -1}});
  Network network = make_network({2, 3, 2}, recorder, recorder);
  network.initialize(17);
  std::set<std::uint64_t> numbers;
  for (const InitialNoise& noise : recorder->noises) {
    EXPECT_EQ(noise.seed, 17u);
    for (std::uint64_t element = 0; element < 5; ++element) numbers.insert(noise.first + element);
  }
  EXPECT_EQ(numbers.size(), 5u * 5);
}

TEST(Network, AnAnchorMayStandBeforeWhatItRemembers) {
  const auto recorder = std::make_shared<Recorder>(
      std::vector<ActivationTensor>{{"start", 3, false, 1}, {"shape", 3, true, -1}});
  const Network network = make_network({2, 2}, nullptr, recorder);
  EXPECT_EQ(network.tensor("layers.0.activation.shape").anchor, 2);
  EXPECT_EQ(network.tensors()[2].name, "layers.0.activation.start");
}

TEST(Network, AnchorsThatDoNotFitAreRefused) {
  const std::vector<std::vector<ActivationTensor>> bad = {
      {{"start", 3, false, 1}},                            // anchors a tensor that does not exist
      {{"start", 3, false, 0}},                            // anchors itself
      {{"shape", 3, true, -1}, {"start", 2, false, 0}},    // has another size
      {{"shape", 3, true, -1}, {"start", 3, true, 0}},     // is trained itself
      {{"shape", 3, false, -1}, {"start", 3, false, 0}}};  // anchors a constant
  for (const auto& tensors : bad) {
    try {
      make_network({2, 2}, nullptr, std::make_shared<Recorder>(tensors));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("'start'"));
      EXPECT_THAT(error.what(), testing::HasSubstr("'recorder'"));
    }
  }
  const auto crowd = std::make_shared<Recorder>(std::vector<ActivationTensor>(9));
  EXPECT_THROW(make_network({2, 2}, nullptr, crowd), Error);
}

TEST(Network, ShapesThatDoNotFitAreRefused) {
  const auto tanh = builtin("tanh");
  const auto refusal = [](std::vector<Layer> layers) -> std::string {
    try {
      Network network(std::move(layers));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({}), testing::HasSubstr("at least one layer"));
  EXPECT_THAT(refusal({{3, 4, tanh}, {5, 1, tanh}}), testing::HasSubstr("takes 5 inputs"));
  EXPECT_THAT(refusal({{0, 4, tanh}}), testing::HasSubstr("0 inputs"));
  EXPECT_THAT(refusal({{3, 0, tanh}}), testing::HasSubstr("0 outputs"));
  EXPECT_THAT(refusal({{3, 2, nullptr}}), testing::HasSubstr("no activation"));
  EXPECT_THROW(make_network({3}, tanh, tanh), Error);
  EXPECT_THROW(make_network({}, tanh, tanh), Error);
}

TEST(Network, ActivateIsTheNeuronsOwnFunction) {
  Network network = make_network({2, 3, 1}, builtin("spline"), builtin("sigmoid"));
  network.initialize(1);
  const TensorInfo& q = network.tensor("layers.0.activation.control_points");
  network.values(q)[21 + 10] = 0.75;  // the point at 0 of the second neuron
  EXPECT_NEAR(network.activate(0, 1, 0), 0.75, 1e-14);
  EXPECT_NEAR(network.activate(0, 0, 0), network.values(q)[10], 1e-14);
  EXPECT_EQ(network.activate(1, 0, 0), 0.5);
  EXPECT_THROW(network.activate(2, 0, 0), Error);
  EXPECT_THROW(network.activate(0, 3, 0), Error);
}

TEST(Network, ActivationTensorsOfANeuronAreItsRows) {
  Network network = paper_network();
  network.initialize(2);
  std::vector<double> vector(network.parameters().begin(), network.parameters().end());
  const TensorInfo& q = network.tensor("layers.0.activation.control_points");
  const TensorInfo& step = network.tensor("layers.0.activation.step");
  const auto tensors = network.activation_tensors(0, 3, vector);
  EXPECT_EQ(tensors[0], vector.data() + q.offset + 3 * 21);
  EXPECT_EQ(tensors[2], network.constants().data() + step.offset + 3);
  EXPECT_EQ(tensors[4], nullptr);
  const auto trained = network.trained_tensors(0, 3, vector);
  EXPECT_EQ(trained[0], vector.data() + q.offset + 3 * 21);
  EXPECT_EQ(trained[1], nullptr);
  EXPECT_EQ(trained[3], nullptr);
}

TEST(Network, PrecisionsHaveNamesThatReadBack) {
  for (Precision precision : {Precision::float32, Precision::float64}) {
    EXPECT_EQ(from_string<Precision>(to_string(precision)), precision);
  }
  EXPECT_THROW(from_string<Precision>("half"), Error);
}

TEST(Network, ParameterGroupsHaveNames) {
  EXPECT_EQ(to_string(ParameterGroup::weight), "weight");
  EXPECT_EQ(to_string(ParameterGroup::bias), "bias");
  EXPECT_EQ(to_string(ParameterGroup::activation), "activation");
}

}  // namespace
}  // namespace knotwork
