// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "export/onnx/onnx_dates.hpp"
#include "export/onnx/onnx_parts.hpp"
#include "export/quantile_knots.hpp"

namespace knotwork::exporting {
namespace {

std::int64_t size_of(const auto& list) {
  return static_cast<std::int64_t>(list.size());
}

// The inputs of the networks are made in pieces of several inputs each, which are put into order at
// the end.
class Inputs {
 public:
  Inputs(OnnxGraph& graph, const Model& model, const ExportColumns& columns,
         const std::vector<std::string>& names)
      : graph_(graph), model_(model), columns_(columns), names_(names) {}

  OnnxValue build() {
    graph_.enter("inputs/");
    add_numbers();
    add_indicators();
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      if (model_.inputs[i].kind != InputKind::numeric || !has_quantiles(i)) continue;
      add_quantiles(i, filled({graph_, column_of(i), OnnxType::float32}, {i}, "cell"));
    }
    for (std::size_t c = 0; c < columns_.columns.size(); ++c) {
      const ExportColumn& column = columns_.columns[c];
      if (column.date) add_dates(c);
      if (column.levels) add_levels(c);
      if (!column.categories.empty()) add_categories(c);
    }
    const OnnxValue all = joined(pieces_, "pieces");
    if (std::is_sorted(order_.begin(), order_.end())) return all;
    std::vector<std::int64_t> places(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      places[order_[k]] = static_cast<std::int64_t>(k);
    }
    return graph_.columns(all, places, "x");
  }

 private:
  const std::string& column_of(std::size_t i) const { return names_[columns_.inputs[i].column]; }

  bool has_quantiles(std::size_t i) const { return !model_.inputs[i].scaling.quantiles.empty(); }

  OnnxValue joined(const std::vector<std::string>& names, const std::string& wish,
                   OnnxType type = OnnxType::float32) {
    if (names.size() == 1) return {graph_, names.front(), type};
    return {graph_, graph_.add("Concat", names, wish, {{"axis", std::int64_t{1}}}), type};
  }

  // The inputs of one kind side by side, in the order of the model.
  template <class Wanted>
  std::vector<std::size_t> inputs_where(const Wanted& wanted) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      if (wanted(i)) found.push_back(i);
    }
    return found;
  }
  std::vector<std::size_t> inputs_of(std::size_t column) const {
    return inputs_where([&](std::size_t i) { return columns_.inputs[i].column == column; });
  }
  OnnxValue raw(const std::vector<std::size_t>& inputs, const std::string& wish) {
    std::vector<std::string> cells;
    for (const std::size_t i : inputs) cells.push_back(column_of(i));
    return joined(cells, wish);
  }

  // A constant [1, n] over some inputs.
  template <class Number>
  OnnxValue row(const std::string& wish, const std::vector<std::size_t>& inputs,
                const Number& number) {
    std::vector<double> values;
    for (const std::size_t i : inputs) values.push_back(number(model_.inputs[i]));
    return {graph_, graph_.numbers(wish, {1, size_of(values)}, values, OnnxType::float64),
            OnnxType::float64};
  }

  OnnxValue scaled(const OnnxValue& x, const std::vector<std::size_t>& inputs,
                   const std::string& wish) {
    const OnnxValue offset =
        row(wish + "_offset", inputs, [](const InputColumn& i) { return i.scaling.offset; });
    const OnnxValue scale =
        row(wish + "_scale", inputs, [](const InputColumn& i) { return i.scaling.scale; });
    return (x - offset) * scale;
  }

  void add_piece(const OnnxValue& value, const std::vector<std::size_t>& inputs) {
    pieces_.push_back(value.name());
    order_.insert(order_.end(), inputs.begin(), inputs.end());
  }

  // A missing number in a column that must not have one stays NaN, because its fill value is NaN.
  OnnxValue filled(const OnnxValue& cells, const std::vector<std::size_t>& inputs,
                   const std::string& wish) {
    const OnnxCondition missing{&graph_, graph_.add("IsNaN", {cells.name()}, wish + "_missing")};
    const OnnxValue fill = row(wish + "_fill", inputs, [](const InputColumn& i) { return i.fill; });
    return graph_.select(missing, fill, graph_.cast(cells, OnnxType::float64));
  }

  void add_numbers() {
    const std::vector<std::size_t> inputs = inputs_where([this](std::size_t i) {
      return model_.inputs[i].kind == InputKind::numeric && !has_quantiles(i);
    });
    if (inputs.empty()) return;
    const OnnxValue x = filled(raw(inputs, "numbers"), inputs, "numbers");
    add_piece(graph_.cast(scaled(x, inputs, "numbers"), OnnxType::float32, "scaled_numbers"),
              inputs);
  }

  void add_indicators() {
    const std::vector<std::size_t> inputs = inputs_where([this](std::size_t i) {
      return model_.inputs[i].kind == InputKind::missing &&
             !columns_.columns[columns_.inputs[i].column].date;
    });
    if (inputs.empty()) return;
    add_indicators(graph_.add("IsNaN", {raw(inputs, "may_miss").name()}), inputs);
  }
  void add_indicators(const std::string& missing, const std::vector<std::size_t>& inputs) {
    const OnnxValue ones = graph_.cast({graph_, missing, OnnxType::truth}, OnnxType::float64);
    add_piece(graph_.cast(scaled(ones, inputs, "missing"), OnnxType::float32, "missing"), inputs);
  }

  void add_dates(std::size_t c) {
    OnnxDates dates(graph_, names_[c]);
    std::vector<std::string> parts;
    std::vector<std::size_t> inputs;
    for (const std::size_t i : inputs_of(c)) {
      const InputColumn& input = model_.inputs[i];
      if (input.kind == InputKind::missing) {
        add_indicators(dates.missing().name, {i});
        continue;
      }
      const OnnxValue part = dates.part(input.part);
      if (has_quantiles(i)) {
        const OnnxValue fill = row("fill", {i}, [](const InputColumn& one) { return one.fill; });
        add_quantiles(i, graph_.select(dates.missing(), fill, part));
        continue;
      }
      parts.push_back(part.name());
      inputs.push_back(i);
    }
    if (inputs.empty()) return;
    const OnnxValue fill = row("fill", inputs, [](const InputColumn& one) { return one.fill; });
    const OnnxValue x =
        graph_.select(dates.missing(), fill, joined(parts, "parts", OnnxType::float64));
    add_piece(graph_.cast(scaled(x, inputs, "dates"), OnnxType::float32, "scaled_dates"), inputs);
  }

  // A text has an index, and each index has a value for each input. The last two indices are any
  // other text and a missing one.
  void add_levels(std::size_t c) {
    const std::vector<std::size_t> inputs = inputs_of(c);
    std::vector<std::string> keys = *columns_.columns[c].levels;
    std::vector<std::int64_t> indices(keys.size());
    std::iota(indices.begin(), indices.end(), std::int64_t{0});
    const std::int64_t other = size_of(keys);
    std::vector<double> values;
    const auto add_row = [&](const auto& value_of) {
      for (const std::size_t i : inputs) {
        values.push_back(model_.inputs[i].scaling.apply(value_of(model_.inputs[i])));
      }
    };
    for (std::size_t k = 0; k < keys.size(); ++k) {
      add_row([&](const InputColumn& input) { return input.values[k]; });
    }
    add_row([](const InputColumn& input) { return input.unseen; });
    add_row([](const InputColumn& input) { return input.fill; });
    if (!std::binary_search(keys.begin(), keys.end(), "")) {
      keys.push_back("");
      indices.push_back(other + 1);
    }
    const std::string index = graph_.add(
        "LabelEncoder", {names_[c]}, "index",
        {{"keys_strings", std::move(keys)}, {"values_int64s", std::move(indices)},
         {"default_int64", other}},
        "ai.onnx.ml");
    const std::int64_t width = size_of(inputs), middle[] = {1};
    const std::string table =
        graph_.numbers("values", {other + 2, width}, values, OnnxType::float32);
    const std::string rows = graph_.add("Gather", {table, index}, "values_of_texts");
    const std::string axis = graph_.whole_numbers("middle", {1}, middle);
    add_piece({graph_, graph_.add("Squeeze", {rows, axis}, "texts"), OnnxType::float32}, inputs);
  }

  // ONNX represents a text that is in no category only as a row of zeros.
  void add_categories(std::size_t c) {
    const std::vector<std::string>& categories = columns_.columns[c].categories;
    const std::int64_t middle[] = {1};
    const std::string one_hot =
        graph_.add("OneHotEncoder", {names_[c]}, "",
                   {{"cats_strings", categories}, {"zeros", std::int64_t{1}}}, "ai.onnx.ml");
    graph_.declare(one_hot, OnnxType::float32, {0, 1, size_of(categories)});
    const std::string axis = graph_.whole_numbers("middle", {1}, middle);
    OnnxValue value(graph_, graph_.add("Squeeze", {one_hot, axis}, "categories"),
                    OnnxType::float32);
    const std::vector<std::size_t> inputs = inputs_of(c);
    const bool plain = std::all_of(inputs.begin(), inputs.end(), [&](std::size_t i) {
      return model_.inputs[i].scaling.is_identity();
    });
    if (!plain) {
      value = graph_.cast(scaled(graph_.cast(value, OnnxType::float64), inputs, "categories"),
                          OnnxType::float32);
    }
    add_piece(value, inputs);
  }

  // Works by ranks like scaling.cpp, but compares with all knots at once. x: double [N, 1]; numbers
  // were float, dates are exact.
  void add_quantiles(std::size_t i, const OnnxValue& x) {
    const Scaling& scaling = model_.inputs[i].scaling;
    const QuantileKnots knots = quantile_knots(scaling);
    if (knots.values.size() == 1) {
      const OnnxCondition nan{&graph_, graph_.add("IsNaN", {x.name()})};
      add_piece(graph_.cast(graph_.select(nan, x, 0), OnnxType::float32, "constant"), {i});
      return;
    }
    const bool was_float = model_.inputs[i].kind == InputKind::numeric;
    const OnnxValue p = probability(x, knots, was_float);
    if (scaling.kind == ScalingKind::uniform) {
      add_piece(graph_.cast(2 * p - 1, OnnxType::float32, "uniform"), {i});
      return;
    }
    constexpr double kLeast = 1e-7, kMost = 1 - kLeast;
    const OnnxValue within = graph_.select(p < kLeast, kLeast, graph_.select(p > kMost, kMost, p));
    add_piece(graph_.cast(onnx_normal_quantile(graph_, within), OnnxType::float32, "normal"), {i});
  }

  OnnxValue probability(const OnnxValue& cell, const QuantileKnots& knots, bool was_float) {
    const std::vector<double>& v = knots.values;
    const OnnxValue x =
        graph_.select(cell < v.front(), v.front(), graph_.select(cell > v.back(), v.back(), cell));
    // The number of inner knots that are at most x, which is the index of its interval.
    std::string interval;
    const std::int64_t zero[] = {0};
    if (v.size() > 2) {
      const std::span<const double> inner(v.begin() + 1, v.end() - 1);
      const OnnxValue bounds(graph_,
                             graph_.numbers("knots", {1, size_of(inner)}, inner, OnnxType::float64),
                             OnnxType::float64);
      const OnnxCondition reached = bounds <= x;
      const OnnxValue counted =
          graph_.cast({graph_, reached.name, OnnxType::truth}, OnnxType::whole);
      const std::int64_t last_axis[] = {1};
      const std::string axis = graph_.whole_numbers("axis", {1}, last_axis);
      interval = graph_.add("ReduceSum", {counted.name(), axis}, "interval");
    } else {
      interval = graph_.whole_numbers("interval", {1, 1}, zero);
    }
    std::vector<double> low, half_width, rank, rank_step;
    for (std::size_t k = 0; k + 1 < v.size(); ++k) {
      low.push_back(v[k] / 2);
      half_width.push_back(v[k + 1] / 2 - v[k] / 2);
      rank.push_back(knots.ranks[k]);
      rank_step.push_back(knots.ranks[k + 1] - knots.ranks[k]);
    }
    const auto look_up = [&](const std::string& wish, std::span<const double> values) {
      const std::string table =
          graph_.numbers(wish + "s", {size_of(values)}, values, OnnxType::float64);
      return OnnxValue(graph_, graph_.add("Gather", {table, interval}, wish), OnnxType::float64);
    };
    // Halves, because the full distance may overflow.
    OnnxValue share = (0.5 * x - look_up("half_low", low)) / look_up("half_width", half_width);
    const auto is_rounded = [](double knot) { return rounded_to_float(knot) != knot; };
    if (was_float && std::any_of(v.begin(), v.end(), is_rounded)) {
      // A cell that equals a knot rounded to float is treated as that knot.
      std::vector<double> knots_in_float;
      for (const double knot : v) knots_in_float.push_back(rounded_to_float(knot));
      const std::span<const double> all(knots_in_float);
      share = graph_.select(x == look_up("float_low", all.first(v.size() - 1)), 0,
                            graph_.select(x == look_up("float_high", all.subspan(1)), 1, share));
    }
    return (look_up("rank", rank) + share * look_up("rank_step", rank_step)) / knots.last_rank;
  }

  OnnxGraph& graph_;
  const Model& model_;
  const ExportColumns& columns_;
  const std::vector<std::string>& names_;
  std::vector<std::string> pieces_;
  std::vector<std::size_t> order_;  // the indices of the inputs in the pieces, in sequence
};

}  // namespace

OnnxValue onnx_inputs(OnnxGraph& graph, const Model& model, const ExportColumns& columns,
                      const std::vector<std::string>& names) {
  return Inputs(graph, model, columns, names).build();
}

}  // namespace knotwork::exporting
