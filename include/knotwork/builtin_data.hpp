// SPDX-License-Identifier: MIT
// Built-in data sets need no file. The target is the last column; row r depends on (seed, r) alone.
//
//   planted    y = sum_k f_k(p_k . x) + noise: four known curves of four known orthonormal
//              projections of six inputs (dead zone, pre-saturation, asymmetric peak, smooth step)
//   friedman1  Friedman (1991): 10 inputs in [0, 1], five of them matter, noise 1
//   sinc       y = sin(pi x) / (pi x) on [-4, 4], noise 0.05
//   spirals    two interleaved spirals in the plane, target 0 or 1
//
// The inputs of `planted` are N(0, 1), and so is each projection s = p_k . x. Its curves have
// standard deviations near 0.5 and shapes that a tanh cannot take:
//
//   dead zone        s - clamp(s, -0.75, 0.75): flat around 0, rising on both sides
//   pre-saturation   0.55 tanh(5(s + 0.8)) + 0.35 tanh(5(s - 1.2)): -0.9, a plateau of 0.2, 0.9
//   asymmetric peak  1.4 exp(-((s + 0.5) / w)^2 / 2), w = 0.2 left of the peak and 0.8 right of it
//   smooth step      1.25 / (1 + exp(-8(s - 0.6)))
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/table.hpp>

namespace knotwork {

struct BuiltinSet {
  std::string name;
  std::string summary;
  std::size_t default_rows;
  std::function<Table(std::size_t rows, std::uint64_t seed)> make;
  // Rows of the same table from `first_row` on, for tables that do not fit into memory.
  std::function<Table(std::size_t first_row, std::size_t rows, std::uint64_t seed)> part;
};
KNOTWORK_API const NamedTable<BuiltinSet>& builtin_sets();
// Inserts up to kMostIdleInputs further inputs, N(0, 1) and without influence on the target, before
// the target of rows that start at `first_row` of a data set. Names continue the numbering; all
// other columns stay as they are. Throws bad_option for too many inputs.
inline constexpr std::size_t kMostIdleInputs = 14;
KNOTWORK_API void add_idle_inputs(Table& part, std::size_t count, std::size_t first_row,
                                  std::uint64_t seed);
// rows 0 means the set's default.
KNOTWORK_API Table make_builtin(std::string_view name, std::size_t rows = 0,
                                std::uint64_t seed = 0);

// The true curves and projections of `planted`, to compare learned curves with.
struct PlantedCurve {
  std::string name;
  std::vector<double> projection;  // unit length, orthogonal to the other projections
  std::function<double(double)> curve;
};
KNOTWORK_API const std::vector<PlantedCurve>& planted_curves();
inline constexpr double kPlantedNoise = 0.05;  // standard deviation

}  // namespace knotwork
