// SPDX-License-Identifier: MIT
#include "experiments/grid_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/paper.hpp"
#include "experiments/protocols.hpp"

#include <knotwork/training.hpp>

namespace knotwork::experiments {
namespace {

std::string power_text(int exponent) {
  return fmt::format("{}", std::ldexp(1.0, exponent));
}

std::vector<Dimension> space_of(const GridTask& task) {
  Dimension values{"lambda-w", {}, {}};
  for (int exponent : grid_exponents(task.grid, task.step)) {
    values.values.push_back(power_text(exponent));
  }
  std::vector<Dimension> space = {values};
  if (task.network == "spline") {
    values.option = "lambda-q";
    space.push_back(values);
  }
  return space;
}

GridWinner read_winner(const TrialRecord& trial) {
  GridWinner winner;
  winner.nrmse = trial.mean;
  for (const auto& [option, value] : trial.setting) {
    const int exponent = std::ilogb(std::stod(value));
    if (option == "lambda-w") {
      winner.lambda_w = exponent;
    } else {
      winner.lambda_q = exponent;
    }
  }
  return winner;
}

bool is_printed(const GridWinner& point) {
  return point.lambda_w >= kPrintedLow && point.lambda_q.value_or(kPrintedLow) >= kPrintedLow;
}

GridResult read_result(const SearchResult& search, Grid grid) {
  GridResult result;
  if (grid == Grid::extended) result.extended = read_winner(*search.winner);
  result.printed.nrmse = std::numeric_limits<double>::infinity();
  for (const TrialRecord& trial : search.trials) {
    const GridWinner point = read_winner(trial);
    if (is_printed(point) && point.nrmse < result.printed.nrmse) result.printed = point;
    for (const FoldScore& fold : trial.scores) result.seconds += fold.seconds;
  }
  return result;
}

}  // namespace

std::vector<int> grid_exponents(Grid grid, std::size_t every) {
  const int step = static_cast<int>(every);
  std::vector<int> exponents;
  const int low = grid == Grid::printed ? kPrintedLow : kExtendedLow;
  for (int e = kPrintedLow; e >= low; e -= step) exponents.insert(exponents.begin(), e);
  for (int e = kPrintedLow + step; e <= kGridHigh; e += step) exponents.push_back(e);
  return exponents;
}

std::size_t grid_folds(const GridTask& task) {
  const std::size_t points = grid_exponents(task.grid, task.step).size();
  return kPaperFolds * points * (task.network == "spline" ? points : 1);
}

std::optional<GridResult> search_grid(const GridTask& task, Study& study, std::size_t threads,
                                      Tally& tally) {
  const PreparedData prepared = prepare_split(*task.dataset, task.split);
  const std::vector<std::size_t>& rows = prepared.partition().train;
  const std::vector<std::size_t> folds =
      training_folds(prepared.data(), rows, kPaperFolds, task.split);
  const TrainOptions base =
      options_for(network_options(task.network, {}, task.iterations), task.split);

  SearchOptions options;
  options.space = space_of(task);
  options.folds = kPaperFolds;
  options.threads = threads;
  const auto evaluate = [&](const FoldTask& fold) {
    TrainOptions own = base;
    for (const auto& [option, value] : fold.setting) set_option(own, option, value);
    return validate_fold(prepared.data(), rows, folds, fold.fold, own, fold.monitor).nrmse;
  };
  const std::string scope =
      fmt::format("{} {} split {}, grid for {}, {} iterations", task.dataset->name,
                  task.dataset->digest, task.split, task.network, task.iterations);
  const SearchResult result =
      search(options, study, scope, evaluate, std::make_shared<TallyMonitor>(tally));
  if (result.stopped) return std::nullopt;
  return read_result(result, task.grid);
}

}  // namespace knotwork::experiments
