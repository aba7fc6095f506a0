// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "experiments/paper.hpp"
#include "experiments/report.hpp"

namespace knotwork::experiments {
namespace {

Json to_json(const MeanDeviation& value) {
  return {{"mean", value.mean}, {"std", value.deviation}};
}

Json to_json(const Timing& timing) {
  return {{"best", timing.best}, {"median", timing.median}};
}

void add_lambda(Json& row, const std::string& name, const std::optional<LambdaSummary>& lambda) {
  row[name] = lambda ? Json(lambda->geometric_mean) : Json();
  row[name + "_median_exponent"] = lambda ? Json(lambda->median_exponent) : Json();
}

Json to_json(const Row& row) {
  Json json = {{"scenario", row.scenario},
               {"dataset", row.dataset},
               {"network", row.network},
               {"optimizer", row.optimizer},
               {"splits", row.splits},
               {"train", to_json(row.errors.train)},
               {"test", to_json(row.errors.test)},
               {"paper", nullptr},
               {"seconds", row.seconds}};
  if (row.paper) {
    json["paper"] = {{"train", to_json(row.paper->train)}, {"test", to_json(row.paper->test)}};
  }
  if (!row.grid.empty()) {
    json["grid"] = row.grid;
    add_lambda(json, "lambda_w", row.lambda_w);
    add_lambda(json, "lambda_q", row.lambda_q);
  }
  if (!row.factor.empty()) {
    json["factor"] = row.factor;
    json["value"] = row.value;
  }
  return json;
}

Json to_json(const CostRow& row) {
  return {{"scenario", "cost"},
          {"network", row.network},
          {"precision", row.precision},
          {"rows", row.rows},
          {"tanh_seconds", to_json(row.tanh)},
          {"spline_seconds", to_json(row.spline)},
          {"ratio",
           {{"best", row.spline.best / row.tanh.best},
            {"median", row.spline.median / row.tanh.median}}},
          {"paper", kPaperCost}};
}

}  // namespace

Json to_json(const Report& report) {
  Json rows = Json::array();
  for (const Row& row : report.rows) rows.push_back(to_json(row));
  for (const CostRow& row : report.costs) rows.push_back(to_json(row));
  return rows;
}

}  // namespace knotwork::experiments
