// SPDX-License-Identifier: MIT
#include "cli/output/tensor_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"

namespace knotwork::cli {
namespace {

// As few digits as are needed to read back the same number in the precision of the model.
std::string shortest(double value, Precision precision) {
  return precision == Precision::float32 ? fmt::format("{}", static_cast<float>(value))
                                         : fmt::format("{}", value);
}

std::size_t row_length(const ModelTensor& tensor) {
  return tensor.shape.size() < 2
             ? std::max<std::size_t>(1, tensor.shape.empty() ? 1 : tensor.shape[0])
             : tensor.shape[1];
}

// A vector as a list, a matrix as a list of its rows.
Json values_of(const ModelTensor& tensor) {
  const std::vector<double> values = tensor.values();
  if (tensor.shape.size() < 2) return values;
  Json rows = Json::array();
  const std::size_t length = row_length(tensor);
  for (std::size_t first = 0; first < values.size(); first += length) {
    program_monitor()->check();
    rows.push_back(
        std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                            values.begin() + static_cast<std::ptrdiff_t>(first + length)));
  }
  return rows;
}

}  // namespace

Json tensors_document(const Model& model, bool full) {
  Json list = Json::array();
  for (const ModelTensor& tensor : model_tensors(model)) {
    Json& json = list.emplace_back(Json{
        {"name", tensor.name}, {"type", to_string(tensor.precision)}, {"shape", tensor.shape}});
    if (full) json["values"] = values_of(tensor);
  }
  return list;
}

Lines describe_tensors(const Model& model, std::size_t width) {
  Lines text;
  for (const ModelTensor& tensor : model_tensors(model)) {
    add_lines(text, {"", fmt::format("{} [{}]", tensor.name, fmt::join(tensor.shape, ", "))});
    const std::vector<double> values = tensor.values();
    const std::size_t length = row_length(tensor);
    for (std::size_t first = 0; first < values.size(); first += length) {
      program_monitor()->check();
      std::vector<std::string> row;
      for (std::size_t k = first; k < first + length; ++k) {
        row.push_back(shortest(values[k], tensor.precision));
      }
      std::string indent = "  ";
      for (const std::string& line : flow(row, width - 4)) {
        text.push_back(indent + line);
        indent = "    ";
      }
    }
  }
  return text;
}

}  // namespace knotwork::cli
