// SPDX-License-Identifier: MIT
// Defines an activation and a loss without changing Knotwork's tables.
//
// `softsign` is a plain formula. `swish` has one trained number for each neuron, so it shows the
// whole interface. `log-cosh` is a loss. All three are checked, trained, saved and loaded.
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

struct Softsign {
  template <class T>
  static T value(T s) {
    return s / (1 + std::fabs(s));
  }
  template <class T>
  static T slope(T s, T) {
    return 1 / ((1 + std::fabs(s)) * (1 + std::fabs(s)));
  }
};

// y = s * sigmoid(beta s) with a separate beta for each neuron.
class Swish final : public ActivationOf<Swish> {
 public:
  std::string_view name() const override { return "swish"; }
  std::vector<ActivationTensor> tensors() const override {
    // The second tensor stores the start of the first, so that lambda_q damps beta.
    return {{"beta", 1, true, -1}, {"anchor", 1, false, 0}};
  }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise&) const override {
    *tensors[0] = *tensors[1] = 1;
  }

  std::size_t table_size() const override { return 1; }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    *table = *tensors[0];
  }
  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) {
      const T sigmoid = 1 / (1 + std::exp(-*table * s[k]));
      y[k] = s[k] * sigmoid;
      if (slope) slope[k] = sigmoid + *table * y[k] * (1 - sigmoid);
    }
  }

  std::size_t scratch_size() const override { return 1; }
  template <class T>
  void accumulate_as(const T* table, const T* s, const T* gradient, T* scratch,
                     std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) {
      const T sigmoid = 1 / (1 + std::exp(-*table * s[k]));
      *scratch += gradient[k] * s[k] * s[k] * sigmoid * (1 - sigmoid);
    }
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    *gradient[0] += *scratch;
  }
};

struct LogCosh {
  template <class T>
  static T value(T prediction, T target) {
    const T e = std::fabs(prediction - target);
    return e + std::log1p(std::exp(-2 * e)) - std::log(T{2});
  }
  template <class T>
  static T slope(T prediction, T target) {
    return std::tanh(prediction - target);
  }
};

int run() {
  ActivationTable activations = builtin_activations();
  activations.add({"softsign", "s / (1 + |s|)", [](const Settings&) {
                     return std::make_shared<FixedActivation<Softsign>>("softsign",
                                                                        std::vector<double>{0});
                   }});
  activations.add({"swish", "s * sigmoid(beta s), beta trained",
                   [](const Settings&) { return std::make_shared<Swish>(); }});
  LossTable losses = builtin_losses();
  losses.add({"log-cosh", "log(cosh(error))", [](const LossOptions&) {
                return std::make_shared<ElementwiseLoss<LogCosh>>("log-cosh");
              }});

  const Table table = make_builtin("friedman1", 400);
  for (const char* name : {"softsign", "swish"}) {
    TrainOptions options;
    options.activations = std::make_shared<ActivationTable>(activations);
    options.losses = std::make_shared<LossTable>(losses);
    options.activation = name;
    options.loss = "log-cosh";
    options.hidden = {8};
    options.lambda_q = 1e-3;
    options.iterations = 200;
    TableTask task;
    task.test_fraction = 0.3;
    const Model model = train({table, task, options.seed}, options);

    const auto bytes = serialize(model);
    const Model loaded = deserialize(bytes, "the saved model", activations);
    const bool same = loaded.predict(table) == model.predict(table);
    std::printf("%-8s  test NRMSE %.3f, loaded model predicts %s\n", name,
                model.training.test->nrmse, same ? "the same" : "OTHERWISE");
    if (!same) return 1;

    std::vector<double> inputs(10 * 4), targets(4);
    const Random random(1, Purpose::gradient_check);
    for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k] = random.normal(k);
    for (std::size_t k = 0; k < targets.size(); ++k) targets[k] = random.normal(100 + k);
    ObjectiveOptions objective;
    objective.loss = losses.at("log-cosh").make({});
    const auto check =
        check_gradient(model.members.front(),
                       Samples<double>{column_major(std::span<const double>(inputs), 4, 10),
                                       column_major(std::span<const double>(targets), 4, 1),
                                       {}},
                       objective);
    std::printf("          gradient differs from finite differences by %.1e\n", check.worst);
    if (check.worst > 1e-7) return 1;
  }
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_own_activation: %s\n", error.what());
    return 1;
  }
}
