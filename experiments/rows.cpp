// SPDX-License-Identifier: MIT
#include "experiments/rows.hpp"

#include <algorithm>

namespace knotwork::experiments {

std::size_t splits_of(const ExperimentOptions& options, const Dataset& dataset, std::size_t most) {
  if (dataset.name != "california") return options.splits;
  return options.california_splits.value_or(std::min(options.splits, most));
}

PlannedRow plan_row(const std::string& scenario, const Dataset& dataset, const std::string& network,
                    const std::string& optimizer, const TrainOptions& options, std::size_t splits) {
  PlannedRow planned;
  planned.row.scenario = scenario;
  planned.row.dataset = dataset.name;
  planned.row.network = network;
  planned.row.optimizer = optimizer;
  planned.row.splits = splits;
  planned.row.paper = paper_errors(scenario, dataset.name, network);
  for (std::size_t split = 1; split <= splits; ++split) {
    planned.trainings.push_back({&dataset, split, options});
  }
  return planned;
}

std::size_t count_trainings(const std::vector<PlannedRow>& plan) {
  std::size_t count = 0;
  for (const PlannedRow& planned : plan) count += planned.trainings.size();
  return count;
}

std::optional<std::vector<Row>> fill_rows(std::vector<PlannedRow> plan, Study& study,
                                          std::size_t threads, Tally& tally) {
  std::vector<Training> all;
  for (const PlannedRow& planned : plan) {
    all.insert(all.end(), planned.trainings.begin(), planned.trainings.end());
  }
  const auto outcomes = run_trainings(all, study, threads, tally);
  if (std::any_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return !o; })) {
    return std::nullopt;
  }
  std::vector<Row> rows;
  auto next = outcomes.begin();
  for (PlannedRow& planned : plan) {
    std::vector<double> train, test;
    for (std::size_t k = 0; k < planned.trainings.size(); ++k, ++next) {
      train.push_back((*next)->train);
      test.push_back((*next)->test);
      planned.row.seconds += (*next)->seconds;
    }
    planned.row.errors = {mean_deviation(train), mean_deviation(test)};
    rows.push_back(std::move(planned.row));
  }
  return rows;
}

}  // namespace knotwork::experiments
