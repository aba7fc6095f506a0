// SPDX-License-Identifier: MIT
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
#pragma once

#include <optional>
#include <string>

#include <knotwork/export.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

struct CExportOptions {
  // Of the function, and what all other names begin with, so that several models fit into one
  // program. An identifier of C.
  std::string name = "predict";
  std::optional<Precision> precision = {};  // that of the model if it is left open
};

// Throws bad_option for a name that C does not allow, and bad_model for an activation that has no
// formula here (a program's own) or for numbers that are too large for float.
KNOTWORK_API std::string to_c(const Model& model, const CExportOptions& options = {});

}  // namespace knotwork
