// SPDX-License-Identifier: MIT
// to_c() and to_onnx() export a model for other programs: as C without dependencies, and as ONNX.
// (to_onnx() and onnx_names() are in Knotwork::tools, which needs Protobuf.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>

namespace knotwork {

// --- Inputs, and their precision -----------------------------------------------------------------

// A table column that a model reads, as another program that runs the model must supply it.
struct ExportColumn {
  std::string name;
  bool text = false;
  bool date = false;                         // cells are seconds since 1970-01-01 UTC
  std::vector<std::string> categories = {};  // of a text column, in the order of their inputs
  // Of a text column with many texts: all that have values, sorted by bytes.
  std::shared_ptr<const std::vector<std::string>> levels = {};
  // Numeric columns: the value that replaces a missing number; NaN if none may be missing.
  double fill = std::numeric_limits<double>::quiet_NaN();
  bool filled = false;  // columns of dates: whether the parts of a missing date have values
  // Numbers and dates: the range seen in training.
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool indicated = false;  // whether the network has an input for "is missing"

  bool may_be_missing() const { return text || indicated || filled || fill == fill; }
  // The texts that the model knows, in the order of their indices; empty for other columns.
  const std::vector<std::string>& texts() const { return levels ? *levels : categories; }
};

// Where a network input comes from.
struct ExportInput {
  std::size_t column = 0;
  std::size_t category = 0;  // its index among the categories of a text column
};

struct ExportColumns {
  std::vector<ExportColumn> columns;  // in the order in which the inputs first use them
  std::vector<ExportInput> inputs;    // one for each of Model::inputs
};

// Throws bad_model when a column would have to be two of text, numbers and dates, or would need two
// lists of texts.
KNOTWORK_API ExportColumns export_columns(const Model& model);

// One sentence for each column whose numbers are too close together for float: the step between
// float values exceeds 1e-5 of the column's spread, so an export in float is less exact. `help` is
// appended as an alternative to training again. Dates are never read as float.
KNOTWORK_API std::vector<std::string> float_remarks(const Model& model,
                                                    const std::string& help = "");

// --- C -------------------------------------------------------------------------------------------
//
// A model as C: one C99 header without dependencies and without allocation, which is also valid
// C++.
//
//     static inline void predict(const double *in, double *out);
//
// `in` has one element for each column of a table, in the order listed in the comment at the top of
// the header; NaN is a missing cell. The element is
//   - a number;
//   - for a column of dates, the seconds since 1970-01-01 UTC, whole or with a fraction;
//   - for a column of texts, the index of the text among those that the model knows, or -1 for any
//     other text. For column c of the table, predict_text_c("some text") gives the element.
// `out` is what Model::predict() gives: numbers in the units of the targets, ascending quantiles,
// or the probability of each class. predict_inputs and predict_outputs are the numbers of elements
// of `in` and `out`.
//
// Weights and control points are constants. The network computes in the requested precision;
// scaling, ensemble means and probabilities are in double, as in Model::predict(). The results
// differ from those of Model::predict() by rounding alone. The signature does not depend on the
// precision of the model: `in` and `out` are double unless float is requested. Float cannot hold
// the seconds of a date, so a model with dates needs double.

struct CExportOptions {
  // The name of the function, and the prefix of all other names, so that several models fit into
  // one program. Must be a C identifier.
  std::string name = "predict";
  std::optional<Precision> precision = {};  // of the network; empty: the precision of the model
  Precision type = Precision::float64;      // of the elements of `in` and `out`
  std::shared_ptr<Monitor> monitor = {};
};

// Throws bad_option for a name that C does not allow and for `in` in float if the model reads
// dates, and bad_model for an activation without a formula here (a program's own) or for numbers
// that are too large for float.
KNOTWORK_API std::string to_c(const Model& model, const CExportOptions& options = {});

// --- ONNX ----------------------------------------------------------------------------------------
//
// A model as ONNX, for onnxruntime and every other ONNX reader: opset 13, ai.onnx.ml 2.
//
// The graph has one input for each column of a table, with the column's name, in the order of the
// model:
//   numbers   float [N, 1]; NaN is a missing number
//   texts     string [N, 1]; "" is a missing text
//   dates     int64 [N, 1], seconds since 1970-01-01 UTC; the smallest int64 is a missing date
// N is any number of rows. The outputs are what Model::predict() gives,
//   prediction      float [N, P]: numbers in the units of the targets, quantiles ascending
// or for classes
//   probabilities   float [N, K], in the order of the classes
//   label           string [N], the most probable class
// The metadata describe the columns, targets and classes as JSON.
//
// Scaling, ensemble means and probabilities are computed in double, the networks in float, even if
// they were trained in double: predictions are within 1e-5 of the target's standard deviation.
// Numbers are read as float, so those that differ only beyond the 7th digit are equal for the graph
// (16777216 and 16777217). Dates are exact to the second.

// The bytes of the file. Throws bad_model for an activation that has no formula here (a program's
// own), for numbers that are too large for float, and for a model of more than 2 GB. The Monitor is
// only used during the call.
KNOTWORK_API std::vector<std::uint8_t> to_onnx(const Model& model, Monitor* monitor = nullptr);

struct OnnxNames {
  std::vector<std::string> inputs;   // named like their columns, unless an output has that name
  std::vector<std::string> outputs;  // prediction; or probabilities and label
};
KNOTWORK_API OnnxNames onnx_names(const Model& model, const ExportColumns& columns);

}  // namespace knotwork
