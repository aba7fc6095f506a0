// SPDX-License-Identifier: MIT
#include <knotwork/builtin_data.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "base/fail.hpp"

#include <knotwork/random.hpp>

namespace knotwork {
namespace {

using std::numbers::pi;

// The random numbers of one row, by place. Each is a function of the seed, the row and the place
// alone, so a longer table begins with the rows of a shorter one.
class RowNumbers {
 public:
  static constexpr std::uint64_t kPlaces = 16;      // part of the seed contract
  static constexpr std::uint64_t kNoisePlaces = 2;  // of them; the others are for idle inputs

  RowNumbers(std::uint64_t seed, std::uint64_t row)
      : inputs_(seed, Purpose::builtin_inputs), noise_(seed, Purpose::builtin_noise), row_(row) {}

  std::uint64_t row() const { return row_; }
  double uniform(std::uint64_t place) const { return inputs_.uniform(row_ * kPlaces + place); }
  double normal(std::uint64_t place) const { return inputs_.normal(row_ * kPlaces + place); }
  double noise(std::uint64_t place = 0) const { return noise_.normal(row_ * kPlaces + place); }

 private:
  Random inputs_;
  Random noise_;
  std::uint64_t row_;
};

// `fill` gets the numbers of a row and its cells: the inputs, then the target.
template <class Fill>
BuiltinSet builtin_set(std::string name, std::string summary, std::size_t default_rows,
                       std::size_t inputs, Fill fill) {
  auto part = [name, inputs, fill](std::size_t first_row, std::size_t rows, std::uint64_t seed) {
    Table table{.source = "builtin:" + name,
                .names = {},
                .columns = std::vector(inputs + 1, std::vector<double>(rows))};
    for (std::size_t c = 0; c < inputs; ++c) table.names.push_back(fmt::format("x{}", c + 1));
    table.names.emplace_back("y");
    std::vector<double> cells(inputs + 1);
    for (std::size_t r = 0; r < rows; ++r) {
      fill(RowNumbers(seed, first_row + r), std::span<double>(cells));
      for (std::size_t c = 0; c <= inputs; ++c) table.columns[c][r] = cells[c];
    }
    return table;
  };
  auto make = [part](std::size_t rows, std::uint64_t seed) { return part(0, rows, seed); };
  return {std::move(name), std::move(summary), default_rows, std::move(make), std::move(part)};
}

void planted_row(const RowNumbers& numbers, std::span<double> cells) {
  const std::size_t inputs = cells.size() - 1;
  for (std::size_t c = 0; c < inputs; ++c) cells[c] = numbers.normal(c);
  double sum = kPlantedNoise * numbers.noise();
  for (const PlantedCurve& hidden : planted_curves()) {
    sum += hidden.curve(
        std::inner_product(hidden.projection.begin(), hidden.projection.end(), cells.begin(), 0.0));
  }
  cells.back() = sum;
}

void friedman1_row(const RowNumbers& numbers, std::span<double> cells) {
  for (std::size_t c = 0; c + 1 < cells.size(); ++c) cells[c] = numbers.uniform(c);
  cells.back() = 10 * std::sin(pi * cells[0] * cells[1]) + 20 * std::pow(cells[2] - 0.5, 2) +
                 10 * cells[3] + 5 * cells[4] + numbers.noise();
}

void sinc_row(const RowNumbers& numbers, std::span<double> cells) {
  const double x = -4 + 8 * numbers.uniform(0);
  const double clean = x == 0 ? 1 : std::sin(pi * x) / (pi * x);
  cells[0] = x;
  cells[1] = clean + 0.05 * numbers.noise();
}

// Radius u and angle 3.5 pi u, with u the root of a uniform number so that points are spread evenly
// along the arms; the second arm is the first one turned by half a circle. Rows alternate.
void spirals_row(const RowNumbers& numbers, std::span<double> cells) {
  const double label = static_cast<double>(numbers.row() % 2);
  const double radius = std::sqrt(numbers.uniform(0));
  const double angle = pi * (3.5 * radius + label);
  cells[0] = radius * std::cos(angle) + 0.02 * numbers.noise(0);
  cells[1] = radius * std::sin(angle) + 0.02 * numbers.noise(1);
  cells[2] = label;
}

double dead_zone(double s) {
  return s - std::clamp(s, -0.75, 0.75);
}

double pre_saturation(double s) {
  return 0.55 * std::tanh(5 * (s + 0.8)) + 0.35 * std::tanh(5 * (s - 1.2));
}

double asymmetric_peak(double s) {
  const double width = s < -0.5 ? 0.2 : 0.8;
  return 1.4 * std::exp(-0.5 * std::pow((s + 0.5) / width, 2));
}

double smooth_step(double s) {
  return 1.25 / (1 + std::exp(-8 * (s - 0.6)));
}

}  // namespace

const NamedTable<BuiltinSet>& builtin_sets() {
  static const NamedTable<BuiltinSet> sets(
      "built-in data set",
      {builtin_set("planted", "four known curves of four projections of six normal inputs", 2000, 6,
                   planted_row),
       builtin_set("friedman1", "Friedman (1991): ten inputs in [0, 1], five of them matter", 1000,
                   10, friedman1_row),
       builtin_set("sinc", "y = sin(pi x) / (pi x) on [-4, 4] with noise 0.05", 500, 1, sinc_row),
       builtin_set("spirals", "two interleaved spirals in the plane, target 0 or 1", 1000, 2,
                   spirals_row)});
  return sets;
}

void add_idle_inputs(Table& part, std::size_t count, std::size_t first_row, std::uint64_t seed) {
  static_assert(RowNumbers::kNoisePlaces + kMostIdleInputs == RowNumbers::kPlaces);
  if (count > kMostIdleInputs) {
    fail(ErrorKind::bad_option, about_file(part.source),
         "{} idle inputs are too many for {}; it can have {} at most.", count, part.source,
         kMostIdleInputs);
  }
  const std::size_t rows = part.rows(), inputs = part.columns.size() - 1;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> column(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      column[r] = RowNumbers(seed, first_row + r).noise(RowNumbers::kNoisePlaces + k);
    }
    part.names.insert(part.names.end() - 1, fmt::format("x{}", inputs + k + 1));
    part.columns.insert(part.columns.end() - 1, std::move(column));
  }
}

Table make_builtin(std::string_view name, std::size_t rows, std::uint64_t seed) {
  const BuiltinSet& set = builtin_sets().at(name);
  return set.make(rows == 0 ? set.default_rows : rows, seed);
}

const std::vector<PlantedCurve>& planted_curves() {
  // Halves are exact, so the projections are orthonormal to the last bit.
  static const std::vector<PlantedCurve> curves{
      {"dead zone", {0.5, 0.5, 0.5, 0.5, 0, 0}, dead_zone},
      {"pre-saturation", {0.5, -0.5, 0, 0, 0.5, 0.5}, pre_saturation},
      {"asymmetric peak", {0, 0, 0.5, -0.5, 0.5, -0.5}, asymmetric_peak},
      {"smooth step", {0.5, 0.5, -0.5, -0.5, 0, 0}, smooth_step}};
  return curves;
}

}  // namespace knotwork
