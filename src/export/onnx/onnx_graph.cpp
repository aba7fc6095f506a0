// SPDX-License-Identifier: MIT
#include "export/onnx/onnx_graph.hpp"

#include <onnx/onnx_pb.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/fail.hpp"

#include <knotwork/version.hpp>

namespace knotwork::exporting {
namespace {

void set_attribute(onnx::NodeProto& node, const OnnxAttribute& attribute) {
  onnx::AttributeProto& proto = *node.add_attribute();
  proto.set_name(attribute.first);
  if (const auto* whole = std::get_if<std::int64_t>(&attribute.second)) {
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(*whole);
  } else if (const auto* text = std::get_if<std::string>(&attribute.second)) {
    proto.set_type(onnx::AttributeProto::STRING);
    proto.set_s(*text);
  } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute.second)) {
    proto.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : *list) proto.add_ints(value);
  } else {
    proto.set_type(onnx::AttributeProto::STRINGS);
    for (const std::string& value : std::get<std::vector<std::string>>(attribute.second)) {
      proto.add_strings(value);
    }
  }
}

// The bytes of numbers in ONNX order, lowest byte first.
template <class T>
void add_bytes(T value, std::string& bytes) {
  std::uint64_t bits = 0;
  if constexpr (sizeof(T) == 4) {
    bits = std::bit_cast<std::uint32_t>(value);
  } else {
    bits = std::bit_cast<std::uint64_t>(value);
  }
  for (std::size_t k = 0; k < sizeof(T); ++k) bytes += static_cast<char>(bits >> (8 * k) & 0xFF);
}

onnx::TensorProto::DataType onnx_type(OnnxType type) {
  switch (type) {
    case OnnxType::float32:
      return onnx::TensorProto::FLOAT;
    case OnnxType::float64:
      return onnx::TensorProto::DOUBLE;
    case OnnxType::whole:
      return onnx::TensorProto::INT64;
    case OnnxType::text:
      return onnx::TensorProto::STRING;
    case OnnxType::truth:
      return onnx::TensorProto::BOOL;
  }
  return onnx::TensorProto::UNDEFINED;
}

void describe(onnx::ValueInfoProto& info, const std::string& name, OnnxType type,
              const OnnxShape& shape) {
  info.set_name(name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx_type(type));
  for (const std::int64_t size : shape) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (size == 0) {
      dimension.set_dim_param("N");
    } else {
      dimension.set_dim_value(size);
    }
  }
}

void add_opset(onnx::ModelProto& model, const char* domain, std::int64_t version) {
  onnx::OperatorSetIdProto& set = *model.add_opset_import();
  set.set_domain(domain);
  set.set_version(version);
}

}  // namespace

// --- The graph

struct OnnxGraph::Proto {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
};

OnnxGraph::OnnxGraph() : proto_(std::make_unique<Proto>()) {
  constexpr std::int64_t kIrVersion = 7, kOpset = 13, kMlOpset = 2;
  proto_->model.set_ir_version(kIrVersion);
  proto_->model.set_producer_name("knotwork");
  proto_->model.set_producer_version(KNOTWORK_VERSION_STRING);
  add_opset(proto_->model, "", kOpset);
  add_opset(proto_->model, "ai.onnx.ml", kMlOpset);
  proto_->graph.set_name("knotwork");
}

OnnxGraph::~OnnxGraph() = default;

void OnnxGraph::add_input(const std::string& name, OnnxType type, const OnnxShape& shape,
                          const std::string& meaning) {
  onnx::ValueInfoProto& input = *proto_->graph.add_input();
  describe(input, name, type, shape);
  input.set_doc_string(meaning);
  names_.insert(name);
}

void OnnxGraph::add_output(const std::string& name, OnnxType type, const OnnxShape& shape) {
  describe(*proto_->graph.add_output(), name, type, shape);
  names_.insert(name);
}

void OnnxGraph::add_metadata(const std::string& key, const std::string& value) {
  onnx::StringStringEntryProto& entry = *proto_->model.add_metadata_props();
  entry.set_key(key);
  entry.set_value(value);
}

std::vector<std::uint8_t> OnnxGraph::bytes() const {
  const std::size_t size = proto_->model.ByteSizeLong();
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    fail(ErrorKind::bad_model,
         "The model cannot be exported as ONNX: the file would have {} bytes, but the limit is 2 "
         "GB.",
         size);
  }
  std::vector<std::uint8_t> all(size);
  if (!proto_->model.SerializeToArray(all.data(), static_cast<int>(size))) {
    fail(ErrorKind::failed_run, "The model could not be written as ONNX.");
  }
  return all;
}

std::string OnnxGraph::unused(const std::string& wish) {
  const std::string name = scope_ + wish;
  std::string result = name;
  while (!names_.insert(result).second) result = fmt::format("{}_{}", name, ++counts_[name] + 1);
  return result;
}

void OnnxGraph::add_node(const std::string& op, const std::vector<std::string>& inputs,
                         const std::string& output, const std::vector<OnnxAttribute>& attributes,
                         const std::string& domain) {
  onnx::NodeProto& node = *proto_->graph.add_node();
  node.set_op_type(op);
  node.set_name(output);
  if (!domain.empty()) node.set_domain(domain);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  for (const OnnxAttribute& attribute : attributes) set_attribute(node, attribute);
}

std::string OnnxGraph::add(const std::string& op, const std::vector<std::string>& inputs,
                           const std::string& wish, const std::vector<OnnxAttribute>& attributes,
                           const std::string& domain) {
  std::string name = wish;
  if (name.empty()) {
    name = op;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  name = unused(name);
  add_node(op, inputs, name, attributes, domain);
  return name;
}

void OnnxGraph::add_unused_output(const std::string& wish) {
  proto_->graph.mutable_node(proto_->graph.node_size() - 1)->add_output(unused(wish));
}

void OnnxGraph::declare(const std::string& name, OnnxType type, const OnnxShape& shape) {
  describe(*proto_->graph.add_value_info(), name, type, shape);
}

void OnnxGraph::finish(const std::string& op, const std::vector<std::string>& inputs,
                       const std::string& output, const std::vector<OnnxAttribute>& attributes,
                       const std::string& domain) {
  add_node(op, inputs, output, attributes, domain);
}

void OnnxGraph::finish_as_float(const OnnxValue& value, const std::string& output) {
  const std::int64_t to = onnx_type(OnnxType::float32);
  finish("Cast", {value.name()}, output, {{"to", to}});
}

OnnxValue OnnxGraph::renamed(const OnnxValue& value, const std::string& wish) {
  onnx::GraphProto& graph = proto_->graph;
  if (value.is_number() || graph.node_size() == 0) return value;
  onnx::NodeProto& last = *graph.mutable_node(graph.node_size() - 1);
  // A value from another part of the graph may be used there by its name.
  if (last.output(0) != value.name() || !value.name().starts_with(scope_)) return value;
  const std::string name = unused(wish);
  last.set_output(0, name);
  last.set_name(name);
  return {*this, name, value.type()};
}

std::string OnnxGraph::numbers(const std::string& wish, const OnnxShape& shape,
                               std::span<const double> values, OnnxType type) {
  onnx::TensorProto& tensor = *proto_->graph.add_initializer();
  tensor.set_name(unused(wish));
  tensor.set_data_type(onnx_type(type));
  for (const std::int64_t size : shape) tensor.add_dims(size);
  std::string& bytes = *tensor.mutable_raw_data();
  for (const double value : values) {
    if (type == OnnxType::float64) {
      add_bytes(value, bytes);
      continue;
    }
    const auto rounded = static_cast<float>(value);
    if (std::isfinite(value) && !std::isfinite(rounded)) {
      fail(ErrorKind::bad_model,
           "The model cannot be exported as ONNX: it holds the number {}, which is too large for "
           "float.",
           value);
    }
    add_bytes(rounded, bytes);
  }
  return tensor.name();
}

std::string OnnxGraph::whole_numbers(const std::string& wish, const OnnxShape& shape,
                                     std::span<const std::int64_t> values) {
  onnx::TensorProto& tensor = *proto_->graph.add_initializer();
  tensor.set_name(unused(wish));
  tensor.set_data_type(onnx_type(OnnxType::whole));
  for (const std::int64_t size : shape) tensor.add_dims(size);
  for (const std::int64_t value : values) add_bytes(value, *tensor.mutable_raw_data());
  return tensor.name();
}

std::string OnnxGraph::number(double value, OnnxType type) {
  const auto [place, is_new] = numbers_.try_emplace({value, type});
  if (is_new) {
    const std::string outer = std::exchange(scope_, "");
    if (type == OnnxType::whole) {
      const auto whole = static_cast<std::int64_t>(value);
      place->second = whole_numbers(fmt::format("int64_{}", whole), {}, {&whole, 1});
    } else {
      place->second =
          numbers(fmt::format("{}_{}", type == OnnxType::float64 ? "double" : "float", value), {},
                  {&value, 1}, type);
    }
    scope_ = outer;
  }
  return place->second;
}

OnnxValue OnnxGraph::unary(const std::string& op, const OnnxValue& a) {
  return {*this, add(op, {a.name()}), a.type()};
}

OnnxValue OnnxGraph::select(const OnnxCondition& condition, const OnnxValue& a,
                            const OnnxValue& b) {
  const OnnxType type = a.is_number() ? b.type() : a.type();
  return {*this, add("Where", {condition.name, a.in(*this, type), b.in(*this, type)}), type};
}

OnnxValue OnnxGraph::cast(const OnnxValue& a, OnnxType type, const std::string& wish) {
  const std::int64_t to = onnx_type(type);
  return {*this, add("Cast", {a.name()}, wish, {{"to", to}}), type};
}

OnnxValue OnnxGraph::columns(const OnnxValue& a, std::span<const std::int64_t> which,
                             const std::string& wish) {
  const auto count = static_cast<std::int64_t>(which.size());
  const std::string list = whole_numbers(wish + "_columns", {count}, which);
  return {*this, add("Gather", {a.name(), list}, wish, {{"axis", std::int64_t{1}}}), a.type()};
}

// --- Values

std::string OnnxValue::in(OnnxGraph& graph, OnnxType type) const {
  return is_number() ? graph.number(number_, type) : name_;
}

OnnxValue OnnxValue::combine(const char* op, const OnnxValue& a, const OnnxValue& b) {
  const OnnxValue& tensor = a.is_number() ? b : a;
  OnnxGraph& graph = tensor.graph();
  return {graph, graph.add(op, {a.in(graph, tensor.type_), b.in(graph, tensor.type_)}),
          tensor.type_};
}

OnnxCondition OnnxValue::compare(const char* op, const OnnxValue& a, const OnnxValue& b) {
  const OnnxValue value = combine(op, a, b);
  return {value.graph_, value.name_};
}

OnnxValue operator+(const OnnxValue& a, const OnnxValue& b) {
  if (a.is_number() && b.is_number()) return a.number_ + b.number_;
  if (a.is(0)) return b;
  return b.is(0) ? a : OnnxValue::combine("Add", a, b);
}

OnnxValue operator-(const OnnxValue& a, const OnnxValue& b) {
  if (a.is_number() && b.is_number()) return a.number_ - b.number_;
  return b.is(0) ? a : OnnxValue::combine("Sub", a, b);
}

OnnxValue operator*(const OnnxValue& a, const OnnxValue& b) {
  if (a.is_number() && b.is_number()) return a.number_ * b.number_;
  if (a.is(0) || b.is(0)) return 0;
  if (a.is(1)) return b;
  return b.is(1) ? a : OnnxValue::combine("Mul", a, b);
}

OnnxValue operator/(const OnnxValue& a, const OnnxValue& b) {
  return b.is(1) ? a : OnnxValue::combine("Div", a, b);
}

OnnxValue operator-(const OnnxValue& a) {
  return a.is_number() ? OnnxValue(-a.number_) : a.graph().unary("Neg", a);
}

OnnxCondition operator<(const OnnxValue& a, const OnnxValue& b) {
  return OnnxValue::compare("Less", a, b);
}
OnnxCondition operator>(const OnnxValue& a, const OnnxValue& b) {
  return OnnxValue::compare("Greater", a, b);
}
OnnxCondition operator<=(const OnnxValue& a, const OnnxValue& b) {
  return OnnxValue::compare("LessOrEqual", a, b);
}
OnnxCondition operator==(const OnnxValue& a, const OnnxValue& b) {
  return OnnxValue::compare("Equal", a, b);
}

}  // namespace knotwork::exporting
