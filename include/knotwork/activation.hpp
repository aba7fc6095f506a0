// SPDX-License-Identifier: MIT
// Activation functions of a layer: fixed ones and ones that learn.
//
// An Activation describes one kind with its settings and is immutable; the numbers that belong to
// each neuron (control points, knots, ...) live in the network. To add one, derive from
// ActivationOf<Yours> below, or use FixedActivation for a plain formula; a program hands its own to
// a network directly, and to load_model() through a copy of builtin_activations().
//
// For each pass over the data the network calls, neuron by neuron:
//   prepare     once: turn the neuron's tensors into a small table that the loops look up
//   forward     y = phi(s) and phi'(s) for a row of samples (forward_noted in training)
//   backward    (training, only if something is trained) dJ/dy becomes dJ/ds, and what it says
//               about the tensors is added to a scratch
//   collect     after some blocks: turn the scratch into gradients of the trained tensors
//
// Calls come from several threads at once, for different blocks. n may be any number and rows may
// lie at any address; a sample's result must depend on that sample alone. (Code of your own is
// compiled with your flags: where they let the compiler fuse multiplications and additions, its
// last bits may depend on a sample's place in a row.)
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

// Settings by name, as they stand in a model file.
using Settings = std::map<std::string, std::variant<double, std::string>, std::less<>>;

// A tensor that every neuron of the layer has: `size` numbers for each neuron.
struct ActivationTensor {
  std::string name;
  std::size_t size = 1;
  bool trained = true;
  // For a constant tensor: the trained tensor whose start it remembers, the q_o of the damping
  // term; -1 for none.
  int anchors = -1;
};

inline constexpr std::size_t kMaxActivationTensors = 8;

// One neuron's tensors, in the order of Activation::tensors(). Null where a call has no use for
// one (the constant tensors in collect).
template <class T>
using NeuronTensors = std::array<T*, kMaxActivationTensors>;

// Where the noise of a start comes from: number `first + k` belongs to the neuron's element k.
struct InitialNoise {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
};

// A curve that is drawn from control points at equal distances.
struct CurveShape {
  std::size_t tensor = 0;   // which of the tensors holds its control points
  std::size_t points = 0;   // how many of them
  double step = 1;          // between their knots
  double slope_factor = 1;  // |slope| <= slope_factor * largest |difference of neighbors| / step
  bool rises_with_its_points = false;  // control points that never fall make such a curve
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
  // The spelling of 0.1: an activation that still overrides it does not compile, instead of
  // starting from zeros.
  virtual void initialise(const NeuronTensors<double>& /*tensors*/,
                          const InitialNoise& /*noise*/) const final {}
  // Throws bad_model when tensors read from a file cannot be used.
  virtual void check_tensors(const NeuronTensors<const double>& /*tensors*/) const {}

  virtual std::size_t table_size() const { return 0; }
  virtual void prepare(const NeuronTensors<const float>&, float* /*table*/) const {}
  virtual void prepare(const NeuronTensors<const double>&, double* /*table*/) const {}

  // slope is null when only values are wanted. s and y never overlap.
  virtual void forward(const float* table, const float* s, float* y, float* slope,
                       std::size_t n) const = 0;
  virtual void forward(const double* table, const double* s, double* y, double* slope,
                       std::size_t n) const = 0;

  // The same before a backward(), which gets s and the notes as this call left them: what forward
  // found out about a sample need not be found out again. There is room for one number a sample in
  // notes, which is null unless takes_notes().
  virtual bool takes_notes() const { return false; }
  virtual void forward_noted(const float* table, float* s, float* y, float* slope, float* /*notes*/,
                             std::size_t n) const {
    forward(table, s, y, slope, n);
  }
  virtual void forward_noted(const double* table, double* s, double* y, double* slope,
                             double* /*notes*/, std::size_t n) const {
    forward(table, s, y, slope, n);
  }

  // Only called if a tensor is trained. Multiplies the gradient by the slope that forward_noted()
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

  // factor * integral of phi'^2 or phi''^2 over the range where the curve is drawn, its derivative
  // added to the gradients of trained tensors. 0 for activations that have no such integral.
  virtual double add_roughness(Roughness, const NeuronTensors<const double>& /*tensors*/,
                               double /*factor*/, const NeuronTensors<double>& /*gradient*/) const {
    return 0;
  }
  // Of a neuron whose curve is drawn from trained control points; penalties on them and bounds on
  // the curve are put into practice by it.
  virtual std::optional<CurveShape> curve_shape(
      const NeuronTensors<const double>& /*tensors*/) const {
    return std::nullopt;
  }
  // A bound on |phi'| everywhere, the least one where it is known. Infinity: none is known.
  virtual double max_slope(const NeuronTensors<const double>& /*tensors*/) const {
    return std::numeric_limits<double>::infinity();
  }
  // Is phi known never to fall, whatever its tensors hold?
  virtual bool never_falls() const { return false; }
  // Inputs at which phi is less than twice continuously differentiable: a finite difference across
  // one says nothing about the gradient.
  virtual std::vector<double> kinks(const NeuronTensors<const double>& /*tensors*/) const {
    return {};
  }
};

// Implements both precisions of an activation from templates of the derived class:
//   prepare_as<T>, forward_as<T>, accumulate_as<T>, collect_as<T> (the first and the last two only
//   if it has tensors). accumulate_as() gets dJ/dy and adds to the scratch; one that does better by
//   multiplying the gradient itself has backward_as<T> instead, and one that takes notes has
//   forward_noted_as<T> too. An example is examples/own_activation.cpp.
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

// An activation without parameters from a struct with two static templates:
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
  // Throws bad_option for a setting that it does not know or cannot use.
  std::function<std::shared_ptr<const Activation>(const Settings&)> make;
};
using ActivationTable = NamedTable<ActivationEntry>;
KNOTWORK_API const ActivationTable& builtin_activations();

// The spline activation; the defaults are the paper's. Settings of the same names make it through
// the table: basis, tension, tails, knots, range, init, init-noise, init-noise-share.
struct KNOTWORK_API SplineOptions {
  std::string basis = "catmull-rom";
  double tension = 0;  // of the basis `cardinal`, at least 0 and below 1
  Tails tails = Tails::linear;
  std::size_t knots = 21;
  double range = 2;           // knots from -range to +range at the start
  std::string init = "tanh";  // the function that every curve starts from
  double init_noise = 0.1;    // standard deviation of the noise on some control points
  double noise_share = 0.05;  // the probability that a control point gets noise
};
KNOTWORK_API std::shared_ptr<const Activation> make_spline_activation(
    const SplineOptions& options = {});

}  // namespace knotwork
