// SPDX-License-Identifier: MIT
// What a header of C is put together from.
#pragma once

#include <string>

#include <knotwork/export_model.hpp>
#include <knotwork/model.hpp>

namespace knotwork::exporting {

inline constexpr Precision kDouble = Precision::float64;

struct CContext {
  const Model& model;
  const ExportColumns& columns;
  std::string name;  // all names begin with it
  Precision precision;
};

// The comment at the top: what the model is, and what every element of `in` and `out` means.
std::string c_comment(const CContext& context);
// NAME_encode(in, x): cells of a row to inputs of the network.
std::string c_inputs(const CContext& context);
// NAME_network(x, y): a network, or with a first argument one of those of an ensemble.
std::string c_network(const CContext& context);
// NAME(in, out).
std::string c_predict(const CContext& context);

}  // namespace knotwork::exporting
