// SPDX-License-Identifier: MIT
// An Activation is the function, fixed or learned, that a layer applies to its sums.
//
// An Activation describes one kind with its settings and is immutable; the numbers that belong to
// each neuron (control points, knots, ...) live in the network. To add an activation, derive from
// ActivationOf<Yours> below, or use FixedActivation for a plain formula. A program passes its own
// activation to a network directly, and to load_model() in a copy of builtin_activations().
//
// For each pass over the data the network calls, neuron by neuron:
//   prepare     once: turns the neuron's tensors into a small table that the loops read
//   forward     y = phi(s) and phi'(s) for a row of samples (forward_noted in training)
//   backward    (training, only if a tensor is trained) turns dJ/dy into dJ/ds and adds the
//               contributions to the tensors' gradients to a scratch
//   collect     after some blocks: turns the scratch into gradients of the trained tensors
//
// Several threads call these functions at once, for different blocks. n may be any number and rows
// may lie at any address; the result for a sample must depend on that sample alone. (Your own code
// is compiled with your flags: where they allow fused multiply-add, the last bits of a result may
// depend on the sample's place in its row.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/spline.hpp>

namespace knotwork {

// Settings by name, as written in a model file.
using Settings = std::map<std::string, std::variant<double, std::string>, std::less<>>;

// A tensor that every neuron of the layer has: `size` numbers for each neuron.
struct ActivationTensor {
  std::string name;
  std::size_t size = 1;
  bool trained = true;
  // For a constant tensor: the trained tensor whose start it stores (q_o of the damping term); -1
  // for none.
  int anchors = -1;
};

inline constexpr std::size_t kMaxActivationTensors = 8;

// One neuron's tensors, in the order of Activation::tensors(). A pointer is null where the call
// does not use the tensor (the constant tensors in collect).
template <class T>
using NeuronTensors = std::array<T*, kMaxActivationTensors>;

// Where the noise of initial values comes from: element k of the neuron uses number `first + k`.
struct InitialNoise {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
};

// A curve drawn from control points at equal distances.
struct CurveShape {
  std::size_t tensor = 0;   // index of the tensor that holds the control points
  std::size_t points = 0;   // number of control points
  double step = 1;          // distance between knots
  double slope_factor = 1;  // |slope| <= slope_factor * largest |difference of neighbors| / step
  bool rises_with_its_points = false;  // non-decreasing control points give a non-decreasing curve
};

class KNOTWORK_API Activation {
 public:
  virtual ~Activation() = default;

  virtual std::string_view name() const = 0;
  virtual Settings settings() const { return {}; }

  virtual std::vector<ActivationTensor> tensors() const { return {}; }
  // Fills all tensors of one neuron.
  virtual void initialize(const NeuronTensors<double>& /*tensors*/,
                          const InitialNoise& /*noise*/) const {}
  // The spelling of version 0.1. An activation that still overrides this function does not compile;
  // otherwise it would silently start from zeros.
  [[deprecated("is initialize() now")]] virtual void initialise(
      const NeuronTensors<double>& tensors, const InitialNoise& noise) const final {
    initialize(tensors, noise);
  }
  // Throws bad_model when tensors read from a file are not usable.
  virtual void check_tensors(const NeuronTensors<const double>& /*tensors*/) const {}

  virtual std::size_t table_size() const { return 0; }
  virtual void prepare(const NeuronTensors<const float>&, float* /*table*/) const {}
  virtual void prepare(const NeuronTensors<const double>&, double* /*table*/) const {}

  // slope is null when only values are needed. s and y never overlap.
  virtual void forward(const float* table, const float* s, float* y, float* slope,
                       std::size_t n) const = 0;
  virtual void forward(const double* table, const double* s, double* y, double* slope,
                       std::size_t n) const = 0;

  // Like forward(), but before a backward(), which receives s and the notes as this call left them,
  // so that nothing has to be computed twice. notes has room for one number per sample and is null
  // unless takes_notes().
  virtual bool takes_notes() const { return false; }
  virtual void forward_noted(const float* table, float* s, float* y, float* slope, float* /*notes*/,
                             std::size_t n) const {
    forward(table, s, y, slope, n);
  }
  virtual void forward_noted(const double* table, double* s, double* y, double* slope,
                             double* /*notes*/, std::size_t n) const {
    forward(table, s, y, slope, n);
  }

  // Called only if a tensor is trained. Multiplies the gradient by the slope that forward_noted()
  // gave, and adds to the scratch, which starts as zeros and sums over many samples.
  virtual std::size_t scratch_size() const { return 0; }
  virtual void backward(const float* /*table*/, const float* /*s*/, const float* /*notes*/,
                        const float* /*slope*/, float* /*gradient*/, float* /*scratch*/,
                        std::size_t /*n*/) const {}
  virtual void backward(const double* /*table*/, const double* /*s*/, const double* /*notes*/,
                        const double* /*slope*/, double* /*gradient*/, double* /*scratch*/,
                        std::size_t /*n*/) const {}
  // Adds to the gradients, which start as zeros.
  virtual void collect(const float* /*scratch*/, const NeuronTensors<float>& /*gradient*/) const {}
  virtual void collect(const double* /*scratch*/, const NeuronTensors<double>& /*gradient*/) const {
  }

  // Returns factor * integral of phi'^2 or phi''^2 over the drawn range of the curve and adds its
  // derivative to the gradients of trained tensors. 0 for activations without such an integral.
  virtual double add_roughness(Roughness, const NeuronTensors<const double>& /*tensors*/,
                               double /*factor*/, const NeuronTensors<double>& /*gradient*/) const {
    return 0;
  }
  // The shape of a curve that is drawn from trained control points; empty for other curves.
  // Penalties on the control points and bounds on the curve use this shape.
  virtual std::optional<CurveShape> curve_shape(
      const NeuronTensors<const double>& /*tensors*/) const {
    return std::nullopt;
  }
  // An upper bound on |phi'| everywhere: the least bound where it is known, infinity if no bound is
  // known.
  virtual double max_slope(const NeuronTensors<const double>& /*tensors*/) const {
    return std::numeric_limits<double>::infinity();
  }
  // True if phi never decreases, whatever the tensors contain.
  virtual bool never_falls() const { return false; }
  // Inputs at which phi is less than twice continuously differentiable. A finite difference across
  // such an input says nothing about the gradient.
  virtual std::vector<double> kinks(const NeuronTensors<const double>& /*tensors*/) const {
    return {};
  }
};

// Implements both precisions of an activation from templates of the derived class:
//   prepare_as<T>, forward_as<T>, accumulate_as<T>, collect_as<T> (the first and the last two only
//   if the activation has tensors). accumulate_as() gets dJ/dy and adds to the scratch. A class
//   that is faster when it multiplies the gradient itself defines backward_as<T> instead, and a
//   class that takes notes also defines forward_noted_as<T>. See examples/own_activation.cpp.
template <class Derived>
class ActivationOf : public Activation {
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

 public:
  template <class T>
  void prepare_as(const NeuronTensors<const T>&, T*) const {}
  template <class T>
  void accumulate_as(const T*, const T*, const T*, T*, std::size_t) const {}
  template <class T>
  void forward_noted_as(const T* table, T* s, T* y, T* slope, T* /*notes*/, std::size_t n) const {
    derived().forward_as(table, static_cast<const T*>(s), y, slope, n);
  }
  template <class T>
  void backward_as(const T* table, const T* s, const T* /*notes*/, const T* slope, T* gradient,
                   T* scratch, std::size_t n) const {
    derived().accumulate_as(table, s, static_cast<const T*>(gradient), scratch, n);
    for (std::size_t k = 0; k < n; ++k) gradient[k] *= slope[k];
  }
  template <class T>
  void collect_as(const T*, const NeuronTensors<T>&) const {}

  void prepare(const NeuronTensors<const float>& tensors, float* table) const final {
    derived().prepare_as(tensors, table);
  }
  void prepare(const NeuronTensors<const double>& tensors, double* table) const final {
    derived().prepare_as(tensors, table);
  }
  void forward(const float* table, const float* s, float* y, float* slope,
               std::size_t n) const final {
    derived().forward_as(table, s, y, slope, n);
  }
  void forward(const double* table, const double* s, double* y, double* slope,
               std::size_t n) const final {
    derived().forward_as(table, s, y, slope, n);
  }
  void forward_noted(const float* table, float* s, float* y, float* slope, float* notes,
                     std::size_t n) const final {
    derived().forward_noted_as(table, s, y, slope, notes, n);
  }
  void forward_noted(const double* table, double* s, double* y, double* slope, double* notes,
                     std::size_t n) const final {
    derived().forward_noted_as(table, s, y, slope, notes, n);
  }
  void backward(const float* table, const float* s, const float* notes, const float* slope,
                float* gradient, float* scratch, std::size_t n) const final {
    derived().backward_as(table, s, notes, slope, gradient, scratch, n);
  }
  void backward(const double* table, const double* s, const double* notes, const double* slope,
                double* gradient, double* scratch, std::size_t n) const final {
    derived().backward_as(table, s, notes, slope, gradient, scratch, n);
  }
  void collect(const float* scratch, const NeuronTensors<float>& gradient) const final {
    derived().collect_as(scratch, gradient);
  }
  void collect(const double* scratch, const NeuronTensors<double>& gradient) const final {
    derived().collect_as(scratch, gradient);
  }
};

// An activation without parameters, made from a struct with two static templates:
//   value(s) and slope(s, y), where y = value(s).
template <class Formula>
class FixedActivation final : public ActivationOf<FixedActivation<Formula>> {
 public:
  explicit FixedActivation(std::string name, std::vector<double> kinks = {})
      : name_(std::move(name)), kinks_(std::move(kinks)) {}

  std::string_view name() const override { return name_; }
  std::vector<double> kinks(const NeuronTensors<const double>&) const override { return kinks_; }

  template <class T>
  void forward_as(const T*, const T* s, T* y, T* slope, std::size_t n) const {
    for (std::size_t k = 0; k < n; ++k) y[k] = Formula::value(s[k]);
    if (!slope) return;
    for (std::size_t k = 0; k < n; ++k) slope[k] = Formula::slope(s[k], y[k]);
  }

 private:
  std::string name_;
  std::vector<double> kinks_;
};

struct ActivationEntry {
  std::string name;
  std::string summary;
  // Throws bad_option for an unknown setting or an unusable value.
  std::function<std::shared_ptr<const Activation>(const Settings&)> make;
};
using ActivationTable = NamedTable<ActivationEntry>;
KNOTWORK_API const ActivationTable& builtin_activations();

// Options of the spline activation; the defaults are the paper's. The table entry takes settings of
// the same names: basis, tension, tails, knots, range, init, init-noise, init-noise-share.
struct KNOTWORK_API SplineOptions {
  std::string basis = "catmull-rom";
  double tension = 0;  // for the basis `cardinal`, at least 0 and below 1
  Tails tails = Tails::linear;
  std::size_t knots = 21;
  double range = 2;           // initial knots reach from -range to +range
  std::string init = "tanh";  // the initial function of every curve
  double init_noise = 0.1;    // standard deviation of the noise on some control points
  double noise_share = 0.05;  // probability that a control point gets noise
};
KNOTWORK_API std::shared_ptr<const Activation> make_spline_activation(
    const SplineOptions& options = {});

}  // namespace knotwork
