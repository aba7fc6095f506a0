// SPDX-License-Identifier: MIT
// OnnxGraph builds an ONNX graph node by node, with values that support arithmetic. Only its source
// file uses Protobuf.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace knotwork::exporting {

enum class OnnxType { float32, float64, whole, text, truth };

using OnnxShape = std::vector<std::int64_t>;  // of inputs and outputs; 0: the number of rows
using OnnxAttribute =
    std::pair<std::string, std::variant<std::int64_t, std::string, std::vector<std::int64_t>,
                                        std::vector<std::string>>>;

class OnnxGraph;

struct OnnxCondition {
  OnnxGraph* graph;
  std::string name;
};

// A tensor of float, double or int64, or a number that takes the type of the tensor it is combined
// with.
class OnnxValue {
 public:
  OnnxValue(double number) : number_(number) {}
  OnnxValue(OnnxGraph& graph, std::string name, OnnxType type)
      : graph_(&graph), name_(std::move(name)), type_(type) {}

  bool is_number() const { return !graph_; }
  bool is(double number) const { return is_number() && number_ == number; }
  OnnxGraph& graph() const { return *graph_; }
  OnnxType type() const { return type_; }
  const std::string& name() const { return name_; }
  // Its name as an input of a node of the graph.
  std::string in(OnnxGraph& graph, OnnxType type) const;

  friend OnnxValue operator+(const OnnxValue& a, const OnnxValue& b);
  friend OnnxValue operator-(const OnnxValue& a, const OnnxValue& b);
  friend OnnxValue operator*(const OnnxValue& a, const OnnxValue& b);
  friend OnnxValue operator/(const OnnxValue& a, const OnnxValue& b);
  friend OnnxValue operator-(const OnnxValue& a);
  friend OnnxCondition operator<(const OnnxValue& a, const OnnxValue& b);
  friend OnnxCondition operator>(const OnnxValue& a, const OnnxValue& b);
  friend OnnxCondition operator<=(const OnnxValue& a, const OnnxValue& b);
  friend OnnxCondition operator==(const OnnxValue& a, const OnnxValue& b);

 private:
  static OnnxValue combine(const char* op, const OnnxValue& a, const OnnxValue& b);
  static OnnxCondition compare(const char* op, const OnnxValue& a, const OnnxValue& b);

  OnnxGraph* graph_ = nullptr;
  std::string name_;
  OnnxType type_ = OnnxType::float32;
  double number_ = 0;
};

class OnnxGraph {
 public:
  OnnxGraph();
  ~OnnxGraph();
  OnnxGraph(const OnnxGraph&) = delete;
  OnnxGraph& operator=(const OnnxGraph&) = delete;

  // Call before anything else: no other tensor may use the names of inputs.
  void add_input(const std::string& name, OnnxType type, const OnnxShape& shape,
                 const std::string& meaning);
  void add_output(const std::string& name, OnnxType type, const OnnxShape& shape);
  void add_metadata(const std::string& key, const std::string& value);
  // The whole model as a file. Throws bad_model for one of more than 2 GB.
  std::vector<std::uint8_t> bytes() const;

  // Sets the prefix of the names of tensors from here on, as in "layer1/".
  void enter(std::string scope) { scope_ = std::move(scope); }

  // Adds a node; its (first) output gets the wished name or, without one, that of the operator.
  std::string add(const std::string& op, const std::vector<std::string>& inputs,
                  const std::string& wish = "", const std::vector<OnnxAttribute>& attributes = {},
                  const std::string& domain = "");
  // Adds the second output of the last node, which is not used.
  void add_unused_output(const std::string& wish);
  // Declares the type and shape of a tensor where they cannot be inferred.
  void declare(const std::string& name, OnnxType type, const OnnxShape& shape);
  // Adds a node whose output is an output of the graph under exactly that name.
  void finish(const std::string& op, const std::vector<std::string>& inputs,
              const std::string& output, const std::vector<OnnxAttribute>& attributes = {},
              const std::string& domain = "");
  void finish_as_float(const OnnxValue& value, const std::string& output);
  // Renames the value, if the last node has just produced it within the scope.
  OnnxValue renamed(const OnnxValue& value, const std::string& wish);

  // Constants. Throws bad_model for a number that is too large for float.
  std::string numbers(const std::string& wish, const OnnxShape& shape,
                      std::span<const double> values, OnnxType type);
  std::string whole_numbers(const std::string& wish, const OnnxShape& shape,
                            std::span<const std::int64_t> values);
  std::string number(double value, OnnxType type);  // equal numbers share one constant

  OnnxValue unary(const std::string& op, const OnnxValue& a);
  OnnxValue select(const OnnxCondition& condition, const OnnxValue& a, const OnnxValue& b);
  OnnxValue cast(const OnnxValue& a, OnnxType type, const std::string& wish = "");
  // The given columns of a matrix, in that order.
  OnnxValue columns(const OnnxValue& a, std::span<const std::int64_t> which,
                    const std::string& wish);

 private:
  struct Proto;

  std::string unused(const std::string& wish);
  void add_node(const std::string& op, const std::vector<std::string>& inputs,
                const std::string& output, const std::vector<OnnxAttribute>& attributes,
                const std::string& domain);

  std::unique_ptr<Proto> proto_;
  std::set<std::string> names_;
  std::map<std::string, int> counts_;
  std::map<std::pair<double, OnnxType>, std::string> numbers_;
  std::string scope_;
};

}  // namespace knotwork::exporting
