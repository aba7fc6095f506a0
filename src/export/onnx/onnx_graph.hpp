// SPDX-License-Identifier: MIT
// Building an ONNX graph node by node, and values of it that can be computed with. What Protobuf
// makes of it stays in one file.
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

using OnnxShape = std::vector<std::int64_t>;  // of inputs and outputs, 0 is the number of rows
using OnnxAttribute =
    std::pair<std::string, std::variant<std::int64_t, std::string, std::vector<std::int64_t>,
                                        std::vector<std::string>>>;

class OnnxGraph;

struct OnnxCondition {
  OnnxGraph* graph;
  std::string name;
};

// A tensor of float or double, or a number that takes the type of what it meets.
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
  // As an input of a node of that graph.
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

  // First of all, since their names keep others away.
  void add_input(const std::string& name, OnnxType type, const OnnxShape& shape,
                 const std::string& meaning);
  void add_output(const std::string& name, OnnxType type, const OnnxShape& shape);
  void add_metadata(const std::string& key, const std::string& value);
  // The whole model as a file. Throws bad_model for one of more than 2 GB.
  std::vector<std::uint8_t> bytes() const;

  // What names of tensors begin with from here on, as in "layer1/".
  void enter(std::string scope) { scope_ = std::move(scope); }

  // Adds a node; its (first) output is called by the wish or, without one, by the operator.
  std::string add(const std::string& op, const std::vector<std::string>& inputs,
                  const std::string& wish = "", const std::vector<OnnxAttribute>& attributes = {},
                  const std::string& domain = "");
  // The other output of the last node, of which nobody has use.
  void add_unused_output(const std::string& wish);
  // Says what a tensor is where that cannot be found out.
  void declare(const std::string& name, OnnxType type, const OnnxShape& shape);
  // A node whose output leaves the graph under exactly that name.
  void finish(const std::string& op, const std::vector<std::string>& inputs,
              const std::string& output, const std::vector<OnnxAttribute>& attributes = {},
              const std::string& domain = "");
  void finish_as_float(const OnnxValue& value, const std::string& output);
  // The value by another name, if the last node has just made it and belongs to the scope.
  OnnxValue renamed(const OnnxValue& value, const std::string& wish);

  // Constants. Throws bad_model for a number that float does not have.
  std::string numbers(const std::string& wish, const OnnxShape& shape,
                      std::span<const double> values, OnnxType type);
  std::string whole_numbers(const std::string& wish, const OnnxShape& shape,
                            std::span<const std::int64_t> values);
  std::string number(double value, OnnxType type);  // equal ones are one constant

  OnnxValue unary(const std::string& op, const OnnxValue& a);
  OnnxValue select(const OnnxCondition& condition, const OnnxValue& a, const OnnxValue& b);
  OnnxValue cast(const OnnxValue& a, OnnxType type, const std::string& wish = "");
  // Columns of a matrix, in that order.
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
