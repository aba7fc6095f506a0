// SPDX-License-Identifier: MIT
#include "report/model/score_cells.hpp"

#include "report/wording.hpp"

namespace knotwork::report {
namespace {

bool predicts_quantiles(const Model& model) {
  return !model.targets.empty() && !model.targets.front().quantiles.empty();
}

}  // namespace

MainScore main_score(const Scores& scores) {
  if (scores.classes) return {"accuracy", scores.classes->accuracy, false};
  if (scores.pinball) return {"relative pinball loss", scores.pinball->relative()};
  return {"NRMSE", scores.nrmse};
}

std::vector<std::string> score_heads(const Model& model) {
  if (model.classifies()) return {"rows", "accuracy", "log loss", "AUC"};
  if (predicts_quantiles(model)) {
    return {"rows", "pinball loss", "relative", "within the interval", "interval's width", "MAE"};
  }
  return {"rows", "NRMSE", "RMSE", "MAE", "R²"};
}

std::vector<std::string> score_cells(const Model& model, const Scores& scores) {
  std::vector<std::string> cells = {std::to_string(scores.rows)};
  if (scores.classes) {
    cells.push_back(percent(scores.classes->accuracy));
    cells.push_back(short_number(scores.classes->log_loss));
    cells.push_back(short_number(scores.classes->auc));
  } else if (scores.pinball) {
    cells.push_back(short_number(scores.pinball->loss));
    cells.push_back(short_number(scores.pinball->relative()));
    cells.push_back(scores.intervals ? percent(scores.intervals->coverage) + " of " +
                                           percent(scores.intervals->share)
                                     : "–");
    cells.push_back(scores.intervals ? short_number(scores.intervals->width) : "–");
    cells.push_back(short_number(scores.mae));
  } else {
    for (const double value : {scores.nrmse, scores.rmse, scores.mae, scores.r2}) {
      cells.push_back(short_number(value));
    }
  }
  cells.resize(score_heads(model).size(), "–");
  return cells;
}

}  // namespace knotwork::report
