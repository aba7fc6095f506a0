// SPDX-License-Identifier: MIT
// Tables with numbers at the limits of double, and tables with very few rows or distinct values.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace knotwork::testing {

inline constexpr double kMax = std::numeric_limits<double>::max();
inline constexpr double kLeast = std::numeric_limits<double>::denorm_min();
inline constexpr std::size_t kRows = 24;

// Samples with their own memory; plain samples are easy to learn.
struct ExtremeRows {
  std::vector<double> x, z, y, weights;
  std::vector<std::string> classes;

  explicit ExtremeRows(std::size_t rows = kRows) {
    for (std::size_t r = 0; r < rows; ++r) {
      const auto k = static_cast<double>(r);
      x.push_back(static_cast<double>(r % 7) - 3 + 0.1 * k);
      z.push_back(static_cast<double>(r * 5 % 11) - 5);
      y.push_back(0.5 * x.back() - z.back() + 0.1 * x.back() * z.back());
    }
  }

  std::vector<double> inputs() const {
    std::vector<double> all = x;
    all.insert(all.end(), z.begin(), z.end());
    return all;
  }
};

using Number = std::function<double(double plain, std::size_t row)>;

inline void change(std::vector<double>& column, const Number& number) {
  for (std::size_t r = 0; r < column.size(); ++r) column[r] = number(column[r], r);
}

struct Extreme {
  std::string name;
  ExtremeRows rows;
};

// Cycles through the numbers.
inline Number taking_turns(std::vector<double> numbers) {
  return [numbers](double, std::size_t row) { return numbers[row % numbers.size()]; };
}

inline void add_sizes(std::vector<Extreme>& all) {
  for (const double size : {1e300, 1e160, 1e39, 1e-39, 1e-160, 1e-300, 1e-310, 1e-322}) {
    const Number scaled = [size](double plain, std::size_t) { return plain * size; };
    for (const char* columns : {"x", "y", "xzy"}) {
      Extreme& one =
          all.emplace_back(Extreme{fmt::format("{} times {}", columns, size), ExtremeRows()});
      for (const char c : std::string(columns)) {
        change(c == 'x' ? one.rows.x : c == 'z' ? one.rows.z : one.rows.y, scaled);
      }
    }
  }
}

inline void add_mixtures(std::vector<Extreme>& all) {
  const std::pair<const char*, Number> columns[] = {
      {"both ends", taking_turns({kMax, -kMax})},
      {"half of both ends", taking_turns({kMax / 2, -kMax / 2})},
      {"large of both signs", taking_turns({1e300, -1e300})},
      {"large and small", taking_turns({1e300, 1e-300, -1e300, -1e-300, 0})},
      {"everything", taking_turns({1e300, -1e300, 1e-300, 0, kLeast, -kLeast, kMax, -kMax})},
      {"the smallest numbers", taking_turns({0, kLeast})},
      {"neighbors", taking_turns({1e300, std::nextafter(1e300, kMax)})},
      {"far from 0", [](double plain, std::size_t) { return 1e15 + plain; }},
      {"one far away", [](double plain, std::size_t r) { return r == 3 ? 1e300 : plain; }},
      {"one at the end", [](double plain, std::size_t r) { return r == 3 ? -kMax : plain; }},
      {"one value", [](double, std::size_t) { return 3.0; }},
      {"one large value", [](double, std::size_t) { return kMax; }}};
  for (const auto& [name, number] : columns) {
    ExtremeRows inputs, target;
    change(inputs.x, number);
    change(target.y, number);
    all.push_back({fmt::format("x: {}", name), inputs});
    all.push_back({fmt::format("y: {}", name), target});
    change(inputs.y, number);
    all.push_back({fmt::format("x and y: {}", name), inputs});
  }
}

inline void add_weights(std::vector<Extreme>& all) {
  const std::pair<const char*, Number> weights[] = {
      {"some 0", taking_turns({0, 1})},
      {"all 0", taking_turns({0})},
      {"all in one row", [](double, std::size_t r) { return r == 4 ? 1.0 : 0.0; }},
      {"all in two rows", [](double, std::size_t r) { return r == 4 || r == 9 ? 1.0 : 0.0; }},
      {"large", taking_turns({1e300})},
      {"too large", taking_turns({kMax})},
      {"one large", [](double, std::size_t r) { return r == 4 ? 1e300 : 1.0; }},
      {"large and small", taking_turns({1e300, 1e-300})},
      {"small", taking_turns({1e-60})},
      {"the smallest", taking_turns({kLeast})},
      {"negative", taking_turns({-1})}};
  for (const auto& [name, number] : weights) {
    for (const bool classes : {false, true}) {
      ExtremeRows rows;
      rows.weights.resize(kRows);
      change(rows.weights, number);
      if (classes) {
        rows.classes = {"no", "yes"};
        change(rows.y, taking_turns({0, 1, 1}));
      }
      all.push_back({fmt::format("{}weights: {}", classes ? "classes, " : "", name), rows});
    }
  }
}

inline void add_classes(std::vector<Extreme>& all) {
  const auto add = [&](const char* name, std::vector<std::string> classes, const Number& truth,
                       const Number& x) {
    ExtremeRows rows;
    rows.classes = std::move(classes);
    change(rows.y, truth);
    change(rows.x, x);
    all.push_back({fmt::format("classes: {}", name), rows});
  };
  const Number plain = [](double x, std::size_t) { return x; };
  add(
      "one row of its kind", {"a", "b"}, [](double, std::size_t r) { return r == 7 ? 1.0 : 0.0; },
      plain);
  add("one kind only", {"a", "b"}, taking_turns({0}), plain);
  add("far apart", {"a", "b"}, taking_turns({0, 1}), taking_turns({-1e6, 1e6}));
  add("at both ends", {"a", "b", "c"}, taking_turns({0, 1, 2}), taking_turns({-kMax, kMax, 0}));
  add("one far away", {"a", "b", "c"}, taking_turns({0, 1, 2}),
      [](double x, std::size_t r) { return r == 3 ? 1e300 : x; });
}

inline void add_shapes(std::vector<Extreme>& all) {
  for (const std::size_t rows : {0, 1, 2, 3}) {
    all.push_back({fmt::format("{} rows", rows), ExtremeRows(rows)});
  }
  ExtremeRows twice, same;
  change(twice.x, taking_turns({1, 2}));
  change(twice.z, taking_turns({2, 3}));
  change(twice.y, taking_turns({3, 4}));
  all.push_back({"two rows again and again", twice});
  change(same.x, taking_turns({1}));
  change(same.z, taking_turns({2}));
  all.push_back({"the same inputs in all rows", same});
}

inline std::vector<Extreme> extremes() {
  std::vector<Extreme> all = {{"plain", ExtremeRows()}};
  add_sizes(all);
  add_mixtures(all);
  add_weights(all);
  add_classes(all);
  add_shapes(all);
  return all;
}

}  // namespace knotwork::testing
