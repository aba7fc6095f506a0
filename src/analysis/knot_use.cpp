// SPDX-License-Identifier: MIT
#include <knotwork/knots.hpp>
#include <knotwork/neurons.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/scaled_rows.hpp"

namespace knotwork {

using namespace analysis;

namespace {

constexpr double kDead = 1e-6;

// Mean and sum of squared deviations, updated number by number (Welford).
class Spread {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    ++count_;
    const double off = value - mean_;
    mean_ += off / static_cast<double>(count_);
    squares_ += off * (value - mean_);
  }
  double deviation() const {
    return count_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_));
  }
  double mean() const { return mean_; }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

// The positions of a neuron's samples on its curve: their numbers in each span and in both tails.
struct Places {
  std::vector<std::size_t> spans;
  std::size_t left = 0, right = 0;

  std::size_t samples() const {
    std::size_t sum = left + right;
    for (std::size_t count : spans) sum += count;
    return sum;
  }
  void add(const Knots& knots, double s) {
    if (!std::isfinite(s)) return;
    const std::size_t count = knots.count - 3;
    if (s < knots.drawn_begin()) {
      ++left;
    } else if (s > knots.drawn_end()) {
      ++right;
    } else {
      const double t = (s - knots.drawn_begin()) / knots.step;
      ++spans[std::min(static_cast<std::size_t>(t), count - 1)];
    }
  }
  void add(const Places& others) {
    for (std::size_t k = 0; k < spans.size(); ++k) spans[k] += others.spans[k];
    left += others.left;
    right += others.right;
  }
};

// The number of control points that no sample's value depends on.
std::size_t untouched(const Places& places, const SplineBasis& basis, Tails tails) {
  const Matrix4& b = basis.matrix;
  std::vector<bool> touched(places.spans.size() + 3);
  // Rounding can make zero factors of the basis slightly different from zero.
  const auto matters = [](double factor) { return std::fabs(factor) > 1e-12; };
  const auto touch = [&](std::size_t span, const auto& counts) {
    for (std::size_t k = 0; k < 4; ++k) {
      if (counts(k)) touched[span + k] = true;
    }
  };
  for (std::size_t span = 0; span < places.spans.size(); ++span) {
    if (places.spans[span] == 0) continue;
    touch(span, [&](std::size_t k) {
      return matters(b[0][k]) || matters(b[1][k]) || matters(b[2][k]) || matters(b[3][k]);
    });
  }
  // Values in the tails depend on the end's value and, if they are not constant, on its slope.
  const bool slopes = tails == Tails::linear;
  if (places.left > 0) {
    touch(0, [&](std::size_t k) { return matters(b[3][k]) || (slopes && matters(b[2][k])); });
  }
  if (places.right > 0) {
    touch(places.spans.size() - 1, [&](std::size_t k) {
      return matters(b[0][k] + b[1][k] + b[2][k] + b[3][k]) ||
             (slopes && matters(3 * b[0][k] + 2 * b[1][k] + b[2][k]));
    });
  }
  return static_cast<std::size_t>(std::count(touched.begin(), touched.end(), false));
}

// One layer of one network, over all rows.
class LayerCount {
 public:
  LayerCount(const Network& network, std::size_t layer)
      : sums_(network.layers()[layer].outputs), outputs_(sums_.size()) {
    if (!SplineLayer::has_splines(network, layer)) return;
    splines_.emplace(network, layer);
    for (std::size_t neuron = 0; neuron < sums_.size(); ++neuron) {
      const std::size_t spans = splines_->knots(splines_->curve_of(neuron)).count - 3;
      places_.push_back({std::vector<std::size_t>(spans), 0, 0});
    }
  }

  void add(std::size_t rows, std::span<const double> sums, std::span<const double> outputs) {
    for (std::size_t neuron = 0; neuron < sums_.size(); ++neuron) {
      std::optional<Knots> knots;
      if (splines_) knots = splines_->knots(splines_->curve_of(neuron));
      for (const double s : sums.subspan(neuron * rows, rows)) {
        sums_[neuron].add(s);
        if (knots) places_[neuron].add(*knots, s);
      }
      for (const double y : outputs.subspan(neuron * rows, rows)) outputs_[neuron].add(y);
    }
  }

  // The positions of all samples on the one curve that all neurons share.
  std::optional<Places> shared_places() const {
    if (!splines_ || splines_->curves() != 1) return std::nullopt;
    Places all = places_.front();
    for (std::size_t n = 1; n < places_.size(); ++n) all.add(places_[n]);
    return all;
  }

  // `shared` are the positions on the one curve in all layers that share it, if it is one.
  LayerUse result(const std::optional<Places>& shared) const {
    LayerUse layer;
    layer.splines = splines_.has_value();
    const auto neurons = static_cast<double>(sums_.size());
    double input_squares = 0, output_squares = 0;
    for (std::size_t neuron = 0; neuron < sums_.size(); ++neuron) {
      const NeuronUse& own = layer.neurons.emplace_back(describe(neuron));
      layer.left_tail += own.left_tail / neurons;
      layer.right_tail += own.right_tail / neurons;
      layer.dead += own.dead ? 1 : 0;
      input_squares += own.input_spread * own.input_spread / neurons;
      output_squares += own.output_spread * own.output_spread / neurons;
    }
    layer.input_spread = std::sqrt(input_squares);
    layer.output_spread = std::sqrt(output_squares);
    if (!splines_) return layer;
    for (std::size_t curve = 0; curve < splines_->curves(); ++curve) {
      layer.control_points += splines_->knots(curve).count;
      layer.untouched +=
          untouched(shared ? *shared : places_[curve], splines_->basis(), splines_->tails());
    }
    return layer;
  }

 private:
  NeuronUse describe(std::size_t neuron) const {
    NeuronUse own;
    own.input_spread = sums_[neuron].deviation();
    own.output_spread = outputs_[neuron].deviation();
    own.dead = own.output_spread <= kDead * std::max(1.0, std::fabs(outputs_[neuron].mean()));
    if (!splines_) return own;
    const Places& places = places_[neuron];
    const auto samples = static_cast<double>(std::max<std::size_t>(places.samples(), 1));
    own.left_tail = static_cast<double>(places.left) / samples;
    own.right_tail = static_cast<double>(places.right) / samples;
    own.untouched = untouched(places, splines_->basis(), splines_->tails());
    return own;
  }

  std::optional<SplineLayer> splines_;
  std::vector<Spread> sums_, outputs_;
  std::vector<Places> places_;
};

}  // namespace

std::vector<LayerUse> knot_use(const Model& model, const Table& table,
                               std::span<const std::size_t> rows, std::size_t threads,
                               Monitor* monitor) {
  const ScaledRows source(model, table, rows);
  parallel::WatchedWork work(monitor, Phase::explaining, source.steps(1));
  std::vector<LayerUse> all;
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    const Network& network = model.members[m];
    std::vector<LayerCount> counts;
    for (std::size_t l = 0; l < network.layers().size(); ++l) counts.emplace_back(network, l);
    const auto add = [&](std::size_t l, std::size_t n, std::span<const double> sums,
                         std::span<const double> outputs) { counts[l].add(n, sums, outputs); };
    source.for_each_layer(network, threads, work, add);
    std::vector<std::optional<Places>> shared(counts.size());  // at the layer that owns the curve
    for (std::size_t l = 0; l < counts.size(); ++l) {
      const std::optional<Places> own = counts[l].shared_places();
      std::optional<Places>& sum = shared[network.owner_of(l)];
      if (own && sum) sum->add(*own);
      if (own && !sum) sum = own;
    }
    for (std::size_t l = 0; l < counts.size(); ++l) {
      all.push_back(counts[l].result(shared[network.owner_of(l)]));
      all.back().member = m;
      all.back().layer = l;
    }
  }
  return all;
}

}  // namespace knotwork
