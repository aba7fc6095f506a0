// SPDX-License-Identifier: MIT
#include <knotwork/knots.hpp>
#include <knotwork/neurons.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/scaled_rows.hpp"
#include "network/first_layers.hpp"

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
      : sums_part_(first_layers(network, layer, LayerEnd::sums)),
        outputs_part_(first_layers(network, layer, LayerEnd::outputs)),
        sums_(sums_part_.outputs()),
        outputs_(sums_part_.outputs()) {
    if (!SplineLayer::has_splines(network, layer)) return;
    splines_.emplace(network, layer);
    for (std::size_t neuron = 0; neuron < sums_.size(); ++neuron) {
      const std::size_t spans = splines_->knots(splines_->curve_of(neuron)).count - 3;
      places_.push_back({std::vector<std::size_t>(spans), 0, 0});
    }
  }

  void add(std::size_t rows, MatrixView<const double> inputs, std::size_t threads) {
    const std::size_t neurons = sums_.size();
    values_.resize(rows * neurons);
    const auto view = column_major(std::span<double>(values_), rows, neurons);
    evaluate(sums_part_, inputs, view, threads);
    for (std::size_t neuron = 0; neuron < neurons; ++neuron) {
      std::optional<Knots> knots;
      if (splines_) knots = splines_->knots(splines_->curve_of(neuron));
      for (std::size_t k = 0; k < rows; ++k) {
        const double s = values_[neuron * rows + k];
        sums_[neuron].add(s);
        if (knots) places_[neuron].add(*knots, s);
      }
    }
    evaluate(outputs_part_, inputs, view, threads);
    for (std::size_t k = 0; k < values_.size(); ++k) outputs_[k / rows].add(values_[k]);
  }

  // The positions of all samples on the one curve that all neurons share.
  std::optional<Places> shared_places() const {
    if (!splines_ || splines_->curves() != 1) return std::nullopt;
    Places all = places_.front();
    for (std::size_t n = 1; n < places_.size(); ++n) all.add(places_[n]);
    return all;
  }

  // `others` are the positions in further layers that share the curve.
  LayerUse result(const std::vector<Places>& others) const {
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
      Places all = shared_places().value_or(places_[curve]);
      for (const Places& other : others) all.add(other);
      layer.control_points += splines_->knots(curve).count;
      layer.untouched += untouched(all, splines_->basis(), splines_->tails());
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

  Network sums_part_, outputs_part_;
  std::optional<SplineLayer> splines_;
  std::vector<Spread> sums_, outputs_;
  std::vector<Places> places_;
  std::vector<double> values_;
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
    for (std::size_t l = 0; l < network.layers().size(); ++l) {
      LayerCount& count = counts.emplace_back(network, l);
      source.for_each_chunk(threads, work, [&](std::size_t n, MatrixView<const double> inputs) {
        count.add(n, inputs, threads);
      });
    }
    for (std::size_t l = 0; l < counts.size(); ++l) {
      std::vector<Places> others;
      for (std::size_t k = 0; k < counts.size(); ++k) {
        if (k == l || network.owner_of(k) != network.owner_of(l)) continue;
        if (auto places = counts[k].shared_places()) others.push_back(*std::move(places));
      }
      all.push_back(counts[l].result(others));
      all.back().member = m;
      all.back().layer = l;
    }
  }
  return all;
}

}  // namespace knotwork
