// SPDX-License-Identifier: MIT
#include "figures/drawing/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "figures/drawing/date_ticks.hpp"

namespace knotwork::figures {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = 1e100;  // keeps differences and steps far from overflow
constexpr double kMostTicks = 6;
constexpr double kSlack = 1e-9;  // rounding error allowed for a tick at the end

// Names in a range that is narrower, relative to its values, would need too many digits.
constexpr double kFinest = 1e-6;
// On an axis of dates: the range around a single moment, and what is no moment of a calendar.
constexpr double kHalfDay = 43200, kLastMoment = 1e12;

double placed(AxisKind kind, double value) {
  if (!has_place(value)) return kNone;
  if (kind != AxisKind::logarithmic) return value;
  return value >= 1 / kLargest ? std::log10(value) : kNone;
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

// 1, 2, 2.5 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// Number of decimals of multiples of the step.
int decimals_of(double step) {
  int decimals = 0;
  for (; std::abs(step - std::round(step)) > 1e-6 * step; step *= 10) ++decimals;
  return decimals;
}

// All names on an axis have the same exponent, or none has one.
std::string linear_name(double value, double step, double largest) {
  if (value == 0) return "0";
  if (largest < 1e5 && step > 0.99e-4) return fmt::format("{:.{}f}", value, decimals_of(step));
  const double exponent = std::floor(std::log10(largest));
  const double unit = std::pow(10, exponent);
  return fmt::format("{:.{}f}\u00B710^{}", value / unit, decimals_of(step / unit), exponent);
}

}  // namespace

bool has_place(double value) {
  return std::abs(value) <= kLargest;
}

bool has_place(const FigurePoint& point) {
  return has_place(point.x) && has_place(point.y);
}

Axis::Axis(AxisKind kind, std::span<const double> values, double margin) : kind_(kind) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool powers_of_two = kind == AxisKind::logarithmic;
  for (const double value : values) {
    const double at = placed(kind, value);
    if (std::isnan(at)) continue;
    low = std::min(low, at);
    high = std::max(high, at);
    powers_of_two = powers_of_two && is_power_of_two(value);
  }
  if (!(low <= high)) low = 0, high = kind == AxisKind::logarithmic ? 0 : 1;
  const double largest = std::max(std::abs(low), std::abs(high));
  const double middle = low + (high - low) / 2;
  if (kind == AxisKind::date && largest < kLastMoment) {
    if (high - low < 1) low = middle - kHalfDay, high = middle + kHalfDay;
  } else if (high - low <= kFinest * largest || high - low < 1 / kLargest) {
    const double around = kind == AxisKind::logarithmic ? 0.5
                          : largest < 1 / kLargest      ? 1
                                                        : largest / 2;
    low = middle - around;
    high = middle + around;
  }
  const double beyond = margin * (high - low);
  low_ = low - beyond;
  high_ = high + beyond;

  if (kind == AxisKind::linear) {
    add_linear_ticks();
  } else if (kind == AxisKind::date) {
    add_date_ticks();
  } else if (powers_of_two && high - low > std::log10(2.0) / 2) {
    add_power_ticks(2);
  } else if (high_ - low_ >= 3) {
    add_power_ticks(10);
  } else {
    add_ticks_within_decades();
  }
}

Axis::Axis(std::span<const std::string> names) : kind_(AxisKind::linear) {
  low_ = -0.5;
  high_ = static_cast<double>(std::max<std::size_t>(names.size(), 1)) - 0.5;
  for (const std::string& name : names) {
    const auto place = static_cast<double>(ticks_.size());
    add_tick(place, kNone, name);
  }
}

double Axis::share(double value) const {
  return (placed(kind_, value) - low_) / (high_ - low_);
}

double Axis::widest_name(double size) const {
  double widest = 0;
  for (const Tick& tick : ticks_) widest = std::max(widest, text_width(tick.name, size));
  return widest;
}

void Axis::add_tick(double placed, double value, std::string name) {
  const double share = (placed - low_) / (high_ - low_);
  if (share >= -kSlack && share <= 1 + kSlack) ticks_.push_back({value, share, std::move(name)});
}

void Axis::add_linear_ticks() {
  const double step = round_step((high_ - low_) / kMostTicks);
  const double largest = std::max(std::abs(low_), std::abs(high_));
  const double last = std::floor(high_ / step + kSlack);
  for (double count = std::ceil(low_ / step - kSlack); count <= last; ++count) {
    const double value = count * step;
    add_tick(value, value, linear_name(value, step, largest));
  }
}

void Axis::add_date_ticks() {
  for (const DateTick& tick : date_ticks(low_, high_, kMostTicks)) {
    add_tick(tick.seconds, kNone, tick.name);
  }
}

void Axis::add_power_ticks(double base) {
  const double unit = std::log10(base);
  const double step = std::ceil((high_ - low_) / unit / (kMostTicks + 1));
  const bool plain = base == 10 && low_ >= -3.5 && high_ <= 4.5;
  const double last = high_ / unit + kSlack;
  for (double exponent = std::ceil(low_ / unit / step - kSlack) * step; exponent <= last;
       exponent += step) {
    const double value = std::pow(base, exponent);
    add_tick(exponent * unit, value,
             plain ? fmt::format("{:g}", value) : fmt::format("{}^{}", base, exponent));
  }
}

void Axis::add_ticks_within_decades() {
  const std::vector<double> factors =
      high_ - low_ > 1.1 ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0, 2.0, 3.0, 5.0, 7.0};
  for (double exponent = std::floor(low_); exponent <= high_; ++exponent) {
    for (const double factor : factors) {
      const double value = factor * std::pow(10, exponent);
      const bool plain = exponent >= -4 && exponent <= 4;
      add_tick(std::log10(factor) + exponent, value,
               plain ? fmt::format("{:g}", value) : fmt::format("{}\u00B710^{}", factor, exponent));
    }
  }
  if (ticks_.size() >= 2) return;
  ticks_.clear();
  // Such a small range is practically linear.
  const Axis linear(AxisKind::linear, std::vector{std::pow(10, low_), std::pow(10, high_)});
  for (const Tick& tick : linear.ticks()) add_tick(std::log10(tick.value), tick.value, tick.name);
}

std::string Axis::extent() const {
  const bool logarithmic = kind_ == AxisKind::logarithmic;
  const auto end = [&](double place) { return logarithmic ? std::pow(10, place) : place; };
  if (kind_ == AxisKind::date) return fmt::format("{:.0f} {:.0f} date", low_, high_);
  return fmt::format("{:.9g} {:.9g} {}", end(low_), end(high_), logarithmic ? "log" : "linear");
}

FigurePoints Frame::at(const FigurePoints& points) const {
  FigurePoints placed_points;
  for (const FigurePoint& point : points) placed_points.push_back(at(point));
  return placed_points;
}

void Frame::draw_grid(Svg& svg) const {
  const auto stroke = [](double value) { return Stroke{value == 0 ? "#b4b4b4" : "#e6e6e6", 1}; };
  for (const Tick& tick : x.ticks()) {
    const double across = box.left + tick.share * box.width;
    svg.line(across, box.top, across, box.bottom(), stroke(tick.value));
  }
  for (const Tick& tick : y.ticks()) {
    const double down = box.bottom() - tick.share * box.height;
    svg.line(box.left, down, box.right(), down, stroke(tick.value));
  }
}

void Frame::draw_axes(Svg& svg) const {
  svg.outline(box, {"#444444", 1},
              fmt::format("class=\"frame\" data-x=\"{}\" data-y=\"{}\"", x.extent(), y.extent()));
  // First the strokes, then the names: similar neighbors take fewer bytes.
  const auto across = [&](const Tick& tick) { return box.left + tick.share * box.width; };
  const auto down = [&](const Tick& tick) { return box.bottom() - tick.share * box.height; };
  const Stroke stroke{"#444444", 1};
  for (const Tick& tick : x.ticks()) {
    svg.line(across(tick), box.bottom(), across(tick), box.bottom() + 4, stroke);
  }
  for (const Tick& tick : y.ticks()) {
    svg.line(box.left - 4, down(tick), box.left, down(tick), stroke);
  }
  for (const Tick& tick : x.ticks()) {
    if (tick.name.empty()) continue;
    if (turned) {
      svg.text(across(tick), box.bottom() + kTick, tick.name,
               {.size = kSize, .anchor = Anchor::end, .upwards = true});
    } else {
      svg.text(across(tick), box.bottom() + 12, tick.name, {kSize, Anchor::middle});
    }
  }
  for (const Tick& tick : y.ticks()) {
    svg.text(box.left - kTick, down(tick), tick.name, {kSize, Anchor::end});
  }
}

double Frame::below() const {
  return turned ? std::max(kBelow, kTick + x.widest_name(kSize) + 2) : kBelow;
}

}  // namespace knotwork::figures
