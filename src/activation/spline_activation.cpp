// SPDX-License-Identifier: MIT
// Every neuron owns a spline: its control points are trained, its knots are constants.
#include <algorithm>
#include <cmath>

#include "activation/settings.hpp"
#include "base/fail.hpp"
#include "kernels/control_points.hpp"
#include "kernels/spline.hpp"
#include "spline/rounded_basis.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

enum Tensor : std::size_t { kControlPoints, kFirstKnot, kStep, kAnchor };

class SplineActivation final : public ActivationOf<SplineActivation> {
 public:
  explicit SplineActivation(const SplineOptions& options)
      : options_(options),
        basis_(spline_basis(options.basis, options.tension)),
        start_(Knots::symmetric(options.range, options.knots)),
        initial_(fit_control_points(basis_, start_, initial_functions().at(options.init))),
        slope_form_(roughness_form(basis_, Roughness::slope)),
        curvature_form_(roughness_form(basis_, Roughness::curvature)),
        slope_factor_(slope_factor(basis_)),
        rises_(rises_with_its_points(basis_)) {}

  std::string_view name() const override { return "spline"; }

  Settings settings() const override {
    Settings settings = {{"basis", options_.basis},
                         {"tails", std::string(to_string(options_.tails))},
                         {"knots", static_cast<double>(options_.knots)},
                         {"range", options_.range},
                         {"init", options_.init},
                         {"init-noise", options_.init_noise},
                         {"init-noise-share", options_.noise_share}};
    if (basis_.with_tension) settings.emplace("tension", options_.tension);
    return settings;
  }

  std::vector<ActivationTensor> tensors() const override {
    return {{"control_points", options_.knots, true, -1},
            {"first_knot", 1, false, -1},
            {"step", 1, false, -1},
            {"anchor", options_.knots, false, kControlPoints}};
  }

  void initialize(const NeuronTensors<double>& tensors, const InitialNoise& noise) const override {
    *tensors[kFirstKnot] = start_.first;
    *tensors[kStep] = start_.step;
    std::copy(initial_.begin(), initial_.end(), tensors[kAnchor]);
    const Random choice(noise.seed, Purpose::noise_choice);
    const Random value(noise.seed, Purpose::noise_value);
    for (std::size_t k = 0; k < initial_.size(); ++k) {
      const bool chosen = choice.uniform(noise.first + k) < options_.noise_share;
      tensors[kControlPoints][k] =
          initial_[k] + (chosen ? options_.init_noise * value.normal(noise.first + k) : 0);
    }
  }

  void check_tensors(const NeuronTensors<const double>& tensors) const override {
    if (!(*tensors[kStep] > 0) || !std::isfinite(*tensors[kStep]) ||
        !std::isfinite(1 / *tensors[kStep])) {
      fail(ErrorKind::bad_model, "The step between a spline's knots must be positive, not {}.",
           *tensors[kStep]);
    }
  }

  // The span coefficients, then origin and 1/step.
  std::size_t table_size() const override { return 4 * spans() + 2; }

  template <class T>
  void prepare_as(const NeuronTensors<const T>& tensors, T* table) const {
    control_point_kernels<T>().coefficients(basis_.matrix, tensors[kControlPoints], spans(), table);
    table[4 * spans()] = *tensors[kFirstKnot] + *tensors[kStep];
    table[4 * spans() + 1] = 1 / *tensors[kStep];
  }

  template <class T>
  void forward_as(const T* table, const T* s, T* y, T* slope, std::size_t n) const {
    spline_kernels<T>().forward(curve(table), s, y, slope, n);
  }

  bool takes_notes() const override { return true; }

  template <class T>
  void forward_noted_as(const T* table, T* s, T* y, T* slope, T* notes, std::size_t n) const {
    spline_kernels<T>().forward_noted(curve(table), s, y, slope, notes, n);
  }

  std::size_t scratch_size() const override { return moments_size(spans()); }

  template <class T>
  void backward_as(const T* table, const T* place, const T* notes, const T* slope, T* gradient,
                   T* scratch, std::size_t n) const {
    spline_kernels<T>().backward(curve(table), place, notes, slope, gradient, scratch, n);
  }

  template <class T>
  void collect_as(const T* scratch, const NeuronTensors<T>& gradient) const {
    control_point_kernels<T>().collect(rounded_basis<T>(basis_.matrix), scratch, spans(),
                                       gradient[kControlPoints]);
  }

  double add_roughness(Roughness which, const NeuronTensors<const double>& tensors, double factor,
                       const NeuronTensors<double>& gradient) const override {
    std::span<double> to;
    if (gradient[kControlPoints]) to = {gradient[kControlPoints], options_.knots};
    return knotwork::add_roughness(which == Roughness::slope ? slope_form_ : curvature_form_, which,
                                   *tensors[kStep], {tensors[kControlPoints], options_.knots},
                                   factor, to);
  }

  std::optional<CurveShape> curve_shape(const NeuronTensors<const double>& tensors) const override {
    return CurveShape{kControlPoints, options_.knots, *tensors[kStep], slope_factor_, rises_};
  }
  double max_slope(const NeuronTensors<const double>& tensors) const override {
    return greatest_slope(basis_, *tensors[kStep], {tensors[kControlPoints], options_.knots});
  }

  // Second derivatives jump at the knots of most curves and at the ends of every curve; for
  // straight pieces the slopes jump.
  std::vector<double> kinks(const NeuronTensors<const double>& tensors) const override {
    const Knots knots{*tensors[kFirstKnot], *tensors[kStep], options_.knots};
    std::vector<double> drawn;
    for (std::size_t k = 1; k + 1 < knots.count; ++k) drawn.push_back(knots.at(k));
    return drawn;
  }

 private:
  std::size_t spans() const { return options_.knots - 3; }

  template <class T>
  SplineCurve<T> curve(const T* table) const {
    const T* end = table + 4 * spans();
    return {table, end[0], end[1], spans(), options_.tails == Tails::linear};
  }

  SplineOptions options_;
  SplineBasis basis_;
  Knots start_;
  std::vector<double> initial_;
  Matrix4 slope_form_;
  Matrix4 curvature_form_;
  double slope_factor_;
  bool rises_;
};

}  // namespace

std::shared_ptr<const Activation> make_spline_activation(const SplineOptions& options) {
  if (options.knots < kMinKnots || options.knots > kMaxKnots) {
    fail(ErrorKind::bad_option, "knots must be from {} to {}, not {}.", kMinKnots, kMaxKnots,
         options.knots);
  }
  if (!(options.range > 0) || !std::isfinite(options.range)) {
    fail(ErrorKind::bad_option, "range must be a positive number, not {}.", options.range);
  }
  if (!(options.init_noise >= 0) || !std::isfinite(options.init_noise)) {
    fail(ErrorKind::bad_option, "init-noise must be a number of at least 0, not {}.",
         options.init_noise);
  }
  if (!(options.noise_share >= 0 && options.noise_share <= 1)) {
    fail(ErrorKind::bad_option, "init-noise-share must be from 0 to 1, not {}.",
         options.noise_share);
  }
  return std::make_shared<SplineActivation>(options);
}

std::shared_ptr<const Activation> make_spline(const Settings& settings) {
  const SplineOptions defaults;
  SettingsReader reader("spline", settings);
  SplineOptions options;
  options.basis = reader.text("basis", defaults.basis);
  options.tension = reader.number("tension", defaults.tension);
  options.tails = from_string<Tails>(reader.text("tails", to_string(defaults.tails)));
  const double knots = reader.number("knots", static_cast<double>(defaults.knots));
  if (!(knots >= kMinKnots && knots <= kMaxKnots) || knots != std::floor(knots)) {
    fail(ErrorKind::bad_option, "knots must be a whole number from {} to {}, not {}.", kMinKnots,
         kMaxKnots, knots);
  }
  options.knots = static_cast<std::size_t>(knots);
  options.range = reader.number("range", defaults.range);
  options.init = reader.text("init", defaults.init);
  options.init_noise = reader.number("init-noise", defaults.init_noise);
  options.noise_share = reader.number("init-noise-share", defaults.noise_share);
  reader.finish();
  return make_spline_activation(options);
}

}  // namespace knotwork
