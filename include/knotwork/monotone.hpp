// SPDX-License-Identifier: MIT
// Is a model monotone in a column? Looked at from outside, through its predictions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

struct MonotoneCheck {
  std::string column;
  std::size_t rows = 0;
  std::size_t values = 0;  // that each row was given, in turn, in the column
  // The largest step of a prediction against the direction from one value to the next, in the units
  // of the target; of two classes the probability of the second. 0: none was found.
  double largest_violation = 0;
};

// Gives the column of every row the values of a grid, which reaches beyond what training saw by a
// quarter of its range on both sides, and compares the predictions. Rows are raw inputs in the
// order of model.inputs. Throws bad_option if the model has no such column of numbers.
KNOTWORK_API MonotoneCheck check_monotone(const Model& model, std::string_view column, bool rising,
                                          MatrixView<const double> rows, std::size_t values = 50,
                                          std::size_t threads = 1);

}  // namespace knotwork
