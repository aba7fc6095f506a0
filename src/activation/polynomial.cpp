// SPDX-License-Identifier: MIT
// A polynomial a_0 + a_1 s + .. + a_degree s^degree for every neuron, straight far outside its
// range. Piazza et al., "Artificial neural networks with adaptive polynomial activation function",
// 1992.
//
// It starts as the least-squares fit of a function (tanh) on [-range, range]. A low degree is the
// default because high powers make training stiff: the gradient of a_i grows as s^i.
#include "activation/powers.hpp"
#include "activation/settings.hpp"

namespace knotwork {
namespace {

struct PolynomialOptions {
  std::size_t degree;
  double range;
  std::string init;
};

class Polynomial final : public ActivationOf<Polynomial> {
 public:
  explicit Polynomial(const PolynomialOptions& options)
      : options_(options),
        start_(fit_polynomial(
            initial_functions().at(options.init).value, [](double) { return 1.0; }, options.range,
            options.degree)) {}

  std::string_view name() const override { return "polynomial"; }
  Settings settings() const override {
    return {{"degree", static_cast<double>(options_.degree)},
            {"range", options_.range},
            {"init", options_.init}};
  }
  std::vector<ActivationTensor> tensors() const override {
    return with_anchors({{"coefficients", terms()}});
  }
  void initialize(const NeuronTensors<double>& tensors, const InitialNoise&) const override {
    start_at(start_, tensors[0], tensors[1]);
  }

  std::size_t table_size() const override { return terms(); }
  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    std::copy_n(tensors[0], terms(), table);
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      const Places<T> at(s + first, bound<T>(), count);
      const Horner<T> p(table, options_.degree, at.inside, count);
      for (std::size_t k = 0; k < count; ++k) {
        y[first + k] = p.value[k] + along(p.slope[k], at.beyond[k]);
      }
      if (slope) std::copy_n(p.slope, count, slope + first);
    });
  }

  std::size_t scratch_size() const override { return terms(); }
  template <class T>
  void accumulate_as(const T*, const T* s, const T* gradient, T* scratch, std::size_t n) const {
    in_pieces(n, [&](std::size_t first, std::size_t count) {
      const Places<T> at(s + first, bound<T>(), count);
      T tangent[kSamplesAtOnce];
      for (std::size_t k = 0; k < count; ++k) tangent[k] = gradient[first + k] * at.beyond[k];
      add_power_sums(at.inside, gradient + first, tangent, options_.degree, scratch, count);
    });
  }
  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    for (std::size_t i = 0; i < terms(); ++i) gradient[0][i] += scratch[i];
  }

  std::vector<double> kinks(const NeuronTensors<const double>&) const override {
    return {-bound<double>(), bound<double>()};
  }

 private:
  std::size_t terms() const { return options_.degree + 1; }
  template <class T>
  T bound() const {
    return static_cast<T>(kBoundInRanges * options_.range);
  }

  PolynomialOptions options_;
  std::vector<double> start_;
};

}  // namespace

std::shared_ptr<const Activation> make_polynomial(const Settings& settings) {
  SettingsReader reader("polynomial", settings);
  const PolynomialOptions options{reader.whole_number("degree", 3, 1, 20),
                                  reader.positive("range", 2), reader.text("init", "tanh")};
  reader.finish();
  check_powers("polynomial", options.range, options.degree);
  return std::make_shared<Polynomial>(options);
}

}  // namespace knotwork
