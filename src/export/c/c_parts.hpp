// SPDX-License-Identifier: MIT
// These functions write the parts of an exported C header.
#pragma once

#include <string>

#include "parallel/watched_work.hpp"

#include <knotwork/export_model.hpp>
#include <knotwork/model.hpp>

namespace knotwork::exporting {

inline constexpr Precision kDouble = Precision::float64;

struct CContext {
  const Model& model;
  const ExportColumns& columns;
  std::string name;             // prefix of all names
  Precision precision;          // of the network
  Precision type;               // of the elements of `in` and `out`
  parallel::WatchedWork& work;  // a step for each number of the networks
};

// The comment at the top: a description of the model and of every element of `in` and `out`.
std::string c_comment(const CContext& context);
// NAME_text_K(text) for each text column: gives the element in[K]; empty without such columns.
std::string c_text_columns(const CContext& context);
// NAME_encode(in, x): converts the cells of a row to inputs of the network.
std::string c_inputs(const CContext& context);
// NAME_network(x, y): evaluates a network; for an ensemble, the first argument selects the network.
std::string c_network(const CContext& context);
// NAME(in, out): the prediction.
std::string c_predict(const CContext& context);

}  // namespace knotwork::exporting
