// SPDX-License-Identifier: MIT
// A model for other programs: C without dependencies, and ONNX. (to_onnx() is in Knotwork::tools,
// which needs Protobuf.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

// --- What goes in, and how exact it is -----------------------------------------------------------

// A column of a table that a model reads, as whoever runs it elsewhere must give it.
struct ExportColumn {
  std::string name;
  bool text = false;
  std::vector<std::string> categories = {};  // of a text, in the order of their inputs
  // Of numbers: what a missing one counts as, NaN if it may not be missing; what training has seen.
  double fill = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool indicated = false;  // whether it is missing is an input too

  bool may_be_missing() const { return text || indicated || fill == fill; }
};

// Where an input of the network comes from.
struct ExportInput {
  std::size_t column = 0;
  std::size_t category = 0;  // its number among those of a text column
};

struct ExportColumns {
  std::vector<ExportColumn> columns;  // in the order in which the inputs name them
  std::vector<ExportInput> inputs;    // one for each of Model::inputs
};

// Throws bad_model when a column would have to be text and numbers at once.
KNOTWORK_API ExportColumns export_columns(const Model& model);

// A sentence for each column whose numbers float cannot tell apart to 1e-5 of their spread, so that
// an export in float cannot keep to that either. `help` says what else there is than to train anew.
KNOTWORK_API std::vector<std::string> float_remarks(const Model& model,
                                                    const std::string& help = "");

// --- C -------------------------------------------------------------------------------------------
//
// A model as C: one header of C99 without dependencies and without allocation, which is C++ too.
//
//     static inline void predict(const float *in, float *out);
//
// `in` has one element for each column of a table, in the order that the comment at the top of the
// header lists: a number (NaN where it is missing), or the number of a text's category (any other
// number where it is missing or none of them). `out` is what Model::predict() gives: numbers in the
// units of the targets, ascending quantiles, or the probability of each class. predict_inputs and
// predict_outputs say how many elements they have.
//
// Weights and control points are constants. The network computes in the precision that is asked
// for; scaling, means over an ensemble and probabilities are in double, as in Model::predict(),
// from which the results differ by rounding alone.

struct CExportOptions {
  // Of the function, and what all other names begin with, so that several models fit into one
  // program. An identifier of C.
  std::string name = "predict";
  std::optional<Precision> precision = {};  // that of the model if it is left open
};

// Throws bad_option for a name that C does not allow, and bad_model for an activation that has no
// formula here (a program's own) or for numbers that are too large for float.
KNOTWORK_API std::string to_c(const Model& model, const CExportOptions& options = {});

// --- ONNX ----------------------------------------------------------------------------------------
//
// A model as ONNX, for onnxruntime and everything else that reads it: opset 13, ai.onnx.ml 2.
//
// The graph has one input for each column of a table, called like it, in the order of the model:
//   numbers   float [N, 1]; NaN is a missing one
//   texts     string [N, 1]; what training has not seen, "" too, counts as none of the categories
// N is any number of rows. Its outputs are what Model::predict() gives,
//   prediction      float [N, P]: numbers in the units of the targets, quantiles ascending
// or for classes
//   probabilities   float [N, K], in the order of the classes
//   label           string [N], the most probable one
// The metadata say what the columns, targets and classes are, as JSON.
//
// Scaling, means over an ensemble and probabilities are computed in double, the networks in float,
// also those that were trained in double: predictions are within 1e-5 of the target's standard
// deviation. What float cannot tell apart in an input (the 17th and the 18th million of seconds),
// such a graph cannot either.

// The bytes of the file. Throws bad_model for an activation that has no formula here (a program's
// own), for numbers that are too large for float, and for a model of more than 2 GB.
KNOTWORK_API std::vector<std::uint8_t> to_onnx(const Model& model);

struct OnnxNames {
  std::vector<std::string> inputs;   // called like their columns, unless an output has that name
  std::vector<std::string> outputs;  // prediction; or probabilities and label
};
KNOTWORK_API OnnxNames onnx_names(const Model& model, const ExportColumns& columns);

}  // namespace knotwork
