// SPDX-License-Identifier: MIT
#include <knotwork/neurons.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "analysis/closest_function/known_functions.hpp"
#include "analysis/closest_function/nelder_mead.hpp"
#include "base/fail.hpp"

namespace knotwork {

using namespace analysis;

namespace {

constexpr std::size_t kFewestPoints = 5;
constexpr std::size_t kCoarsePoints = 48;  // for the coarse search
constexpr double kFlat = 1e-9;             // relative to the curve's largest value
// The most by which the R^2 of an equally good function is below the best R^2: kAsGood, or
// kAsGoodAsTheSame if the best R^2 is at least kTheSame.
constexpr double kAsGood = 5e-3, kAsGoodAsTheSame = 1e-3;
constexpr double kTheSame = 0.999;
constexpr double kStraight = 0.98;  // R^2 that is enough for a line
// A function is not refined if its R^2 in the coarse search is lower than the best R^2 by this
// much.
constexpr double kHopeless = 0.15;

// The points with weight, with places mapped to [-1, 1].
struct Curve {
  std::vector<double> t, y, weight;  // weights sum to 1
  double mean = 0, variance = 0;     // of y

  void finish() {
    double sum = 0;
    for (const double w : weight) sum += w;
    for (double& w : weight) w /= sum;
    mean = variance = 0;
    for (std::size_t k = 0; k < y.size(); ++k) mean += weight[k] * y[k];
    for (std::size_t k = 0; k < y.size(); ++k) {
      variance += weight[k] * (y[k] - mean) * (y[k] - mean);
    }
  }
};

// Neighboring points are merged, so that the coarse search costs less.
Curve coarse(const Curve& fine) {
  const std::size_t n = fine.t.size(), groups = std::min(n, kCoarsePoints);
  Curve result;
  for (std::size_t g = 0; g < groups; ++g) {
    double t = 0, y = 0, weight = 0;
    for (std::size_t k = g * n / groups; k < (g + 1) * n / groups; ++k) {
      t += fine.weight[k] * fine.t[k];
      y += fine.weight[k] * fine.y[k];
      weight += fine.weight[k];
    }
    if (weight == 0) continue;  // the weights underflowed
    result.t.push_back(t / weight);
    result.y.push_back(y / weight);
    result.weight.push_back(weight);
  }
  result.finish();
  return result;
}

// The fit a f((t - place) / width) + d with the best a and d.
struct Fit {
  double place = 0, width = 1;
  double a = 0, d = 0;
  double r2 = -std::numeric_limits<double>::infinity();
};

class Fitter {
 public:
  explicit Fitter(const SearchedFunction& searched) : searched_(searched) {}

  Fit fit(const Curve& curve, double place, double width) {
    const std::size_t n = curve.t.size();
    values_.resize(n);
    double mean = 0, size = 0;
    for (std::size_t k = 0; k < n; ++k) {
      values_[k] = searched_.function.value((curve.t[k] - place) / width);
      mean += curve.weight[k] * values_[k];
      size = std::max(size, std::fabs(values_[k]));
    }
    double variance = 0, covariance = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double off = values_[k] - mean;
      variance += curve.weight[k] * off * off;
      covariance += curve.weight[k] * off * (curve.y[k] - curve.mean);
    }
    Fit result{place, width};
    if (!(variance > kFlat * kFlat * size * size) || !std::isfinite(variance)) return result;
    result.a = covariance / variance;
    result.d = curve.mean - result.a * mean;
    result.r2 = covariance * result.a / curve.variance;
    return result;
  }

 private:
  const SearchedFunction& searched_;
  std::vector<double> values_;
};

// The places and widths to search.
struct Bounds {
  double least_width = 0, most_width = 0, farthest = 0;
  bool contain(double place, double width) const {
    const double size = std::fabs(width);
    return size >= least_width && size <= most_width && std::fabs(place) <= farthest;
  }
};

Bounds bounds_of(const SearchedFunction& searched, std::size_t points) {
  const auto count = static_cast<double>(points);
  if (searched.periodic) {
    // Periods within [-1, 1]. With fewer periods an arc would be called a wave; with more, a wave
    // could pass through all points by swinging between them.
    const double most_periods = std::min(2.0, count / 6), least_periods = 0.5;
    return {1 / (most_periods * std::numbers::pi), 1 / (least_periods * std::numbers::pi),
            searched.farthest};
  }
  if (searched.freedom == Freedom::width) return {1.0 / 15, 4, 0};
  if (searched.freedom == Freedom::place) return {1, 1, searched.farthest};
  return {std::max(0.01, 2 / (count - 1)), 4, searched.farthest};
}

// Calls visit(place, width) over a grid that is finer for narrower functions.
template <class Visit>
void for_each_start(const SearchedFunction& searched, const Curve& curve, const Bounds& bounds,
                    const Visit& visit) {
  const auto both_ways = [&](double place, double width) {
    visit(place, width);
    if (searched.mirrored) visit(place, -width);
  };
  if (searched.jumps) {
    for (std::size_t k = 1; k < curve.t.size(); ++k) {
      both_ways(std::midpoint(curve.t[k - 1], curve.t[k]), 1);
    }
    return;
  }
  const auto places = [&](double from, double to, double step, double width) {
    const double count = std::ceil((to - from) / step);
    for (double k = 0; k <= count; ++k) both_ways(from + (to - from) * k / count, width);
  };
  if (searched.freedom == Freedom::none) {
    visit(0, 1);
  } else if (searched.freedom == Freedom::place) {
    places(-1, 1, 1.0 / 16, 1);
    for (const double beyond : {1.25, 1.5, 2.0, 3.0, 5.0}) {
      if (beyond > bounds.farthest) break;
      both_ways(-beyond, 1);
      both_ways(beyond, 1);
    }
  } else if (searched.freedom == Freedom::width) {
    for (double width = bounds.most_width; width >= bounds.least_width; width /= 1.5) {
      both_ways(0, width);
    }
  } else if (searched.periodic) {
    for (double width = bounds.most_width; width >= bounds.least_width; width /= 1.2) {
      places(0, std::numbers::pi * width, width * std::numbers::pi / 6, width);
    }
  } else {
    for (const double width : {1.0 / 24, 1.0 / 12, 1.0 / 6, 1.0 / 3, 2.0 / 3, 4.0 / 3, 8.0 / 3}) {
      const double most = std::min(bounds.farthest, 1 + width);
      if (bounds.contain(0, width)) places(-most, most, std::min(1.2 * width, 0.25), width);
    }
  }
}

// The best fits on the grid with a factor a above 0 and with one below 0: a peak may resemble two
// valleys beside it.
struct Starts {
  Fit up, down;
  double r2() const { return std::max(up.r2, down.r2); }
};

Starts first_look(const SearchedFunction& searched, const Curve& curve) {
  const Bounds bounds = bounds_of(searched, curve.t.size());
  Fitter fitter(searched);
  Starts best;
  for_each_start(searched, curve, bounds, [&](double place, double width) {
    const Fit now = fitter.fit(curve, place, width);
    Fit& own = now.a < 0 ? best.down : best.up;
    if (now.r2 > own.r2) own = now;
  });
  return best;
}

// Widths are searched as logarithms; their signs stay fixed.
Fit refined(const SearchedFunction& searched, const Curve& curve, const Fit& start) {
  if (searched.freedom == Freedom::none || searched.jumps) {
    return Fitter(searched).fit(curve, start.place, start.width);
  }
  constexpr std::size_t kEvaluations = 90;
  constexpr double kTolerance = 1e-8;
  const Bounds bounds = bounds_of(searched, curve.t.size());
  Fitter fitter(searched);
  const auto at = [&](const Place2& place) {
    return fitter.fit(curve, place[0], std::copysign(std::exp(place[1]), start.width));
  };
  const auto unexplained = [&](const Place2& place) {
    if (!bounds.contain(place[0], std::exp(place[1]))) return 2.0;
    return 1 - std::max(at(place).r2, -1.0);
  };
  const double width = std::log(std::fabs(start.width));
  const bool moves = searched.freedom != Freedom::width;
  const bool widens = searched.freedom != Freedom::place;
  const Place2 steps = {moves ? (widens ? 0.4 * std::fabs(start.width) : 0.04) : 0.0,
                        widens ? -0.2 : 0.0};
  return at(nelder_mead(unexplained, {start.place, width}, steps, kEvaluations, kTolerance).place);
}

// The points with weight, ordered by place; fewer than kFewestPoints if no function can be found.
struct CountedPoints {
  FigurePoints points;
  std::vector<double> weights;
};

CountedPoints counted_points(const FigurePoints& curve, std::span<const double> weights) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const double weight = weights.empty() ? 1 : weights[k];
    if (!std::isfinite(curve[k].x) || !std::isfinite(curve[k].y) || !std::isfinite(weight)) {
      return {};
    }
    if (weight > 0) order.push_back(k);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return curve[a].x < curve[b].x; });
  CountedPoints counted;
  for (const std::size_t k : order) {
    counted.points.push_back(curve[k]);
    counted.weights.push_back(weights.empty() ? 1 : weights[k]);
  }
  return counted;
}

// How the points were mapped to [-1, 1]: t = (x - middle) / half, with values of at most 1.
struct Units {
  double middle = 0, half = 0, height = 0;

  explicit Units(const FigurePoints& points) {
    const double low = points.front().x, high = points.back().x;
    middle = std::midpoint(low, high);
    half = high / 2 - low / 2;
    for (const FigurePoint& point : points) height = std::max(height, std::fabs(point.y));
  }
};

Curve in_units(const CountedPoints& counted, const Units& units) {
  const double heaviest = *std::max_element(counted.weights.begin(), counted.weights.end());
  Curve curve;
  for (std::size_t k = 0; k < counted.points.size(); ++k) {
    curve.t.push_back((counted.points[k].x - units.middle) / units.half);
    curve.y.push_back(counted.points[k].y / units.height);
    curve.weight.push_back(counted.weights[k] / heaviest);
  }
  curve.finish();
  return curve;
}

// The fits of all known functions.
std::vector<Fit> fit_all(const Curve& curve) {
  const Curve less = coarse(curve);
  const auto functions = searched_functions();
  std::vector<Starts> starts;
  double best = 0;
  for (const SearchedFunction& searched : functions) {
    starts.push_back(first_look(searched, searched.jumps ? curve : less));
    best = std::max(best, starts.back().r2());
  }
  std::vector<Fit> fits(functions.size());
  for (std::size_t f = 0; f < functions.size(); ++f) {
    for (const Fit& start : {starts[f].up, starts[f].down}) {
      if (start.r2 < best - kHopeless) continue;
      const Fit fit = refined(functions[f], curve, start);
      if (fit.r2 > fits[f].r2) fits[f] = fit;
    }
  }
  return fits;
}

ClosestFunction in_words(const SearchedFunction& searched, const Fit& fit, const Units& units) {
  ClosestFunction result;
  result.name = searched.function.name;
  result.r2 = fit.r2;
  result.a = fit.a * units.height;
  result.d = fit.d * units.height;
  result.b = 1 / (units.half * fit.width);
  result.c = -(units.middle / units.half + fit.place) / fit.width;
  if (searched.freedom == Freedom::none) {  // a line has no meaningful middle
    result.a *= result.b;
    result.d += result.a * result.c / result.b;
    result.b = 1;
    result.c = 0;
  }
  return result;
}

}  // namespace

std::optional<ClosestFunction> closest_function(const FigurePoints& curve,
                                                std::span<const double> weights) {
  if (!weights.empty() && weights.size() != curve.size()) {
    fail(ErrorKind::bad_option, "A curve of {} points was given {} weights; it needs one for each.",
         curve.size(), weights.size());
  }
  const CountedPoints counted = counted_points(curve, weights);
  if (counted.points.size() < kFewestPoints) return std::nullopt;
  const Units units(counted.points);
  if (!(units.half > 0) || units.height == 0) return std::nullopt;
  const Curve scaled = in_units(counted, units);
  if (!(scaled.variance > kFlat * kFlat)) return std::nullopt;

  const std::vector<Fit> fits = fit_all(scaled);
  const auto worse = [](const Fit& a, const Fit& b) { return a.r2 < b.r2; };
  const double best = std::max_element(fits.begin(), fits.end(), worse)->r2;
  const double least = best - (best >= kTheSame ? kAsGoodAsTheSame : kAsGood);
  // The first function is the line.
  const auto found =
      fits.front().r2 >= kStraight
          ? fits.begin()
          : std::find_if(fits.begin(), fits.end(), [&](const Fit& fit) { return fit.r2 >= least; });
  const auto index = static_cast<std::size_t>(found - fits.begin());
  return in_words(searched_functions()[index], *found, units);
}

}  // namespace knotwork
