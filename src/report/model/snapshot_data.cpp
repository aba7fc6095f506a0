// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/base64.hpp"
#include "report/model/sections.hpp"

namespace knotwork::report {
namespace {

constexpr std::uint16_t kGap = 65535;  // represents a value that is not finite
constexpr double kSteps = 65534;
// With more places, every second one is enough for a moving curve.
constexpr std::size_t kManyPlaces = 80;

struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

ValueRange range_of(const NeuronReport& neuron) {
  ValueRange range;
  for (const std::vector<double>& values : neuron.course) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  return range;
}

std::uint16_t quantized(double value, const ValueRange& range) {
  if (!std::isfinite(value)) return kGap;
  const double width = range.high - range.low;
  return width > 0 ? static_cast<std::uint16_t>(std::lround(kSteps * ((value - range.low) / width)))
                   : std::uint16_t{0};
}

// The script draws at the places of the learned curve, so all of these places must be in the
// figure.
bool can_be_played(const NeuronReport& neuron) {
  const auto fits = [&](const std::vector<double>& values) {
    return values.size() == neuron.learned.size();
  };
  const auto finite = [](const FigurePoint& point) { return std::isfinite(point.y); };
  const ValueRange range = range_of(neuron);
  return !neuron.course.empty() && std::isfinite(range.high - range.low) &&
         std::all_of(neuron.course.begin(), neuron.course.end(), fits) &&
         std::all_of(neuron.learned.begin(), neuron.learned.end(), finite);
}

// All snapshots one after the other, two bytes for each value in little-endian order.
std::string json_of(const NeuronReport& neuron) {
  const ValueRange range = range_of(neuron);
  const std::size_t stride = neuron.learned.size() > kManyPlaces ? 2 : 1;
  std::vector<std::uint8_t> bytes;
  for (const std::vector<double>& values : neuron.course) {
    for (std::size_t k = 0; k < values.size(); k += stride) {
      const std::uint16_t step = quantized(values[k], range);
      bytes.push_back(static_cast<std::uint8_t>(step & 255U));
      bytes.push_back(static_cast<std::uint8_t>(step >> 8U));
    }
  }
  return fmt::format("\"{}\":[{:.7g},{:.7g},{},\"{}\"]", card_id(neuron), range.low, range.high,
                     stride, base64(bytes));
}

}  // namespace

// The data contain no foreign text, only numbers and names of our own.
std::string snapshot_data(const ModelReport& report) {
  std::vector<std::string> times, curves;
  for (const SnapshotTimes& one : report.snapshots) {
    times.push_back(fmt::format("\"{}\":[{}]", one.member + 1, fmt::join(one.iterations, ",")));
  }
  for (const NeuronReport& neuron : report.neurons) {
    if (can_be_played(neuron)) curves.push_back(json_of(neuron));
  }
  if (times.empty() || curves.empty()) return "";
  return fmt::format(
      "<script type=\"application/json\" id=\"snapshots\">{{\"iterations\":{{{}}},\"curves\":"
      "{{{}}}}}</script>\n",
      fmt::join(times, ","), fmt::join(curves, ",\n"));
}

}  // namespace knotwork::report
