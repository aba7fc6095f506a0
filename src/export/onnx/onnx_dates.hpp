// SPDX-License-Identifier: MIT
// OnnxDates computes the parts of dates in a graph.
#pragma once

#include <optional>
#include <string>

#include "export/onnx/onnx_graph.hpp"

#include <knotwork/columns.hpp>

namespace knotwork::exporting {

// Of an input of the graph: int64 [N, 1], seconds since 1970-01-01 UTC; the smallest int64 is a
// missing date.
class OnnxDates {
 public:
  OnnxDates(OnnxGraph& graph, const std::string& input);

  const OnnxCondition& missing() const { return missing_; }
  // What date_part() gives, as double [N, 1]; some number where the date is missing.
  OnnxValue part(DatePart part);

 private:
  struct Month {
    OnnxValue year, month;  // the month from 0
  };
  const OnnxValue& day();
  const Month& month();
  OnnxValue elapsed() const;
  OnnxValue time_of_day() const;
  OnnxValue remainder(const OnnxValue& a, double divisor) const;
  OnnxValue look_up(const OnnxValue& place, int places, double turn, const std::string& wish);

  OnnxGraph& graph_;
  OnnxValue seconds_;
  OnnxCondition missing_;
  std::optional<OnnxValue> day_;
  std::optional<Month> month_;
};

}  // namespace knotwork::exporting
