// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "export/c/c_math.hpp"
#include "export/c/c_parts.hpp"
#include "export/export_formulas.hpp"

namespace knotwork::exporting {
namespace {

class NetworkText {
 public:
  explicit NetworkText(const CContext& context)
      : context_(context),
        network_(context.model.members.front()),
        type_(c_type(context.precision)),
        ensemble_(context.model.members.size() > 1) {}

  std::string write() {
    for (std::size_t l = 0; l < network_.layers().size(); ++l) {
      add_arrays(l);
      add_function(l);
      add_layer(l);
    }
    return arrays_ + functions_ +
           fmt::format("static inline void {}_network({}const {} *x, {} *y) {{\n{}{}}}\n\n",
                       context_.name, ensemble_ ? "int m, " : "", type_, type_, buffers(), body_);
  }

 private:
  const Layer& layer(std::size_t l) const { return network_.layers()[l]; }

  std::string array_name(std::size_t l, std::string_view what) const {
    return fmt::format("{}_layer{}_{}", context_.name, l + 1, what);
  }

  // The numbers of each member of an ensemble, member by member.
  template <class Values>
  void add_array(std::size_t l, std::string_view what, std::size_t rows, std::size_t columns,
                 const Values& values_of) {
    std::vector<double> all;
    for (const Network& member : context_.model.members) {
      const auto values = values_of(member);
      all.insert(all.end(), values.begin(), values.end());
    }
    const std::size_t each = rows * columns;
    const std::string members = ensemble_ ? fmt::format("[{}]", context_.model.members.size()) : "";
    arrays_ += c_array(fmt::format("{}{}[{}]", array_name(l, what), members, each), all,
                       context_.precision, context_.work, ensemble_ ? each : 0);
  }

  void add_arrays(std::size_t l) {
    const std::size_t rows = layer(l).outputs;
    append(arrays_, "/* Layer {}: {} to {}, {}. */\n", l + 1, layer(l).inputs, rows,
           layer(l).activation->name());
    if (layer(l).kind == LayerKind::dense) {
      const auto tensor = [&](const char* which) {
        return [&, which](const Network& member) {
          return member.values(member.tensor(fmt::format("layers.{}.{}", l, which)));
        };
      };
      add_array(l, "weights", rows, layer(l).inputs, tensor("weight"));
      add_array(l, "biases", rows, 1, tensor("bias"));
    }
    if (network_.owner_of(l) == l) {
      for (const Parameter& parameter : layer_parameters(network_, l)) {
        add_array(l, parameter.name, network_.own_activations(l), parameter.size,
                  [&](const Network& member) {
                    return parameter_of(layer_parameters(member, l), parameter.name).values;
                  });
      }
    }
    arrays_ += '\n';
  }

  // Layers with the same activation and equal settings call one function.
  void add_function(std::size_t l) {
    const Activation& activation = *layer(l).activation;
    for (std::size_t k = 0; k < l; ++k) {
      const Activation& other = *layer(k).activation;
      if (other.name() == activation.name() && other.settings() == activation.settings()) {
        calls_.push_back(calls_[k]);
        return;
      }
    }
    const std::vector<Parameter> parameters = layer_parameters(network_, l);
    CMath math(parameters, context_.precision);
    const CValue s = math.variable("s");
    const std::string result =
        apply_formula(math, activation, s).in(context_.precision, CValue::kChoice);
    if (result == "s") {
      calls_.emplace_back();
      return;
    }
    std::string name = context_.name + "_" + c_name_part(activation.name());
    if (const int number = ++used_[name]; number > 1) name += std::to_string(number);
    calls_.push_back(name);
    append(functions_, "static inline {} {}({} s", type_, name, type_);
    for (const Parameter& parameter : parameters) {
      append(functions_, ", {}{}{}", parameter.size > 1 ? "const " : "", type_,
             parameter.size > 1 ? " *" + parameter.name : " " + parameter.name);
    }
    append(functions_, ") {{\n{}  return {};\n}}\n\n", math.body(), result);
  }

  // phi(s) of neuron j.
  std::string call(std::size_t l, const std::string& s) const {
    if (calls_[l].empty()) return s;
    const std::size_t owner = network_.owner_of(l);
    std::string text = calls_[l] + "(" + s;
    for (const Parameter& parameter : layer_parameters(network_, l)) {
      const std::string array = array_name(owner, parameter.name) + (ensemble_ ? "[m]" : "");
      const bool own = layer(l).sharing == Sharing::neuron;
      if (parameter.size == 1) {
        append(text, ", {}[{}]", array, own ? "j" : "0");
      } else if (own) {
        append(text, ", {} + {} * j", array, parameter.size);
      } else {
        append(text, ", {}", array);
      }
    }
    return text + ")";
  }

  std::string source(std::size_t l) const { return l == 0 ? "x" : buffer(l - 1); }
  std::string buffer(std::size_t l) const {
    if (l + 1 == network_.layers().size()) return "y";
    return l % 2 == 0 ? "a" : "b";
  }

  // Layers alternate between the two buffers.
  std::string buffers() const {
    std::size_t sizes[2] = {0, 0};
    for (std::size_t l = 0; l + 1 < network_.layers().size(); ++l) {
      sizes[l % 2] = std::max(sizes[l % 2], layer(l).outputs);
    }
    std::string text;
    if (sizes[0] > 0) append(text, "  {} a[{}];\n", type_, sizes[0]);
    if (sizes[1] > 0) append(text, "  {} b[{}];\n", type_, sizes[1]);
    return text;
  }

  void add_layer(std::size_t l) {
    const std::string from = source(l), to = buffer(l), member = ensemble_ ? "[m]" : "";
    const std::size_t inputs = layer(l).inputs, outputs = layer(l).outputs;
    append(body_, "  for (int j = 0; j < {}; ++j) {{\n", outputs);
    std::string s = "s";
    if (layer(l).kind == LayerKind::dense) {
      append(body_, "    const {} *w = {}{} + {} * j;\n", type_, array_name(l, "weights"), member,
             inputs);
      append(body_, "    {} s = {}{}[j];\n", type_, array_name(l, "biases"), member);
      append(body_, "    for (int i = 0; i < {}; ++i) s += w[i] * {}[i];\n", inputs, from);
    } else {
      const std::size_t units = outputs / inputs;
      s = units == 1 ? from + "[j]" : fmt::format("{}[j / {}]", from, units);
    }
    append(body_, "    {}[j] = {}{};\n  }}\n", to, call(l, s),
           layer(l).residual ? " + " + from + "[j]" : "");
  }

  const CContext& context_;
  const Network& network_;
  std::string_view type_;
  bool ensemble_;
  std::string arrays_, functions_, body_;
  std::vector<std::string> calls_;  // the function of each layer; empty: s itself
  std::map<std::string, int> used_;
};

}  // namespace

std::string c_network(const CContext& context) {
  return NetworkText(context).write();
}

}  // namespace knotwork::exporting
