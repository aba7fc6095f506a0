// SPDX-License-Identifier: MIT
// Every number of a model as text, for developers of other readers. A signal ends the work.
#pragma once

#include <cstddef>
#include <string>

#include "cli/output/printing.hpp"

#include <knotwork/model.hpp>

namespace knotwork::cli {

// Names, types and shapes of the tensors; with `full` also their numbers, row by row.
Json tensors_document(const Model& model, bool full);
// A heading for each tensor, and its rows in lines of at most `width` characters.
Lines describe_tensors(const Model& model, std::size_t width);

}  // namespace knotwork::cli
