// SPDX-License-Identifier: MIT
#include "tests/reproducibility/runs.hpp"
#include "training/run/test_trainings.hpp"

#include <cmath>
#include <limits>

#include <knotwork/builtin_data.hpp>
#include <knotwork/training.hpp>

namespace knotwork {
namespace {

// Every seventh cell of the second column is missing, and the target is low, middle or high.
void into_gaps_and_classes(Table& table) {
  for (std::size_t r = 0; r < table.rows(); r += 7) {
    table.columns[1][r] = std::numeric_limits<double>::quiet_NaN();
  }
  table.labels.assign(table.columns.size(), {});
  table.labels.back() = {"high", "low", "middle"};
  for (double& y : table.columns.back()) y = y > 17 ? 0 : y < 12 ? 1 : 2;
}

}  // namespace

const std::vector<ReferenceRun>& reference_runs() {
  static const std::vector<ReferenceRun> runs = {
      {"paper, conjugate gradient", "paper", "sinc", 200, {{"iterations", "40"}}},
      {"ensemble, L-BFGS",
       "",
       "planted",
       400,
       {{"hidden", "6"}, {"ensemble", "3"}, {"iterations", "25"}}},
      {"mini-batches of Adam in float",
       "",
       "planted",
       600,
       {{"hidden", "8"}, {"optimizer", "adam"}, {"batch", "64"}, {"iterations", "6"}}},
      {"deep and residual, AdamW",
       "",
       "friedman1",
       500,
       {{"hidden", "5,5,5"},
        {"residual", "true"},
        {"basis", "b-spline"},
        {"tails", "constant"},
        {"optimizer", "adamw"},
        {"weight-decay", "0.01"},
        {"schedule", "cosine"},
        {"dropout", "0.1"},
        {"batch", "50"},
        {"lambda-w1", "1e-4"},
        {"iterations", "6"},
        {"precision", "double"}}},
      {"historical, gradient descent", "historical", "sinc", 150, {{"iterations", "5"}}},
      {"warm path of tanh",
       "",
       "friedman1",
       300,
       {{"activation", "tanh"},
        {"hidden", "6"},
        {"optimizer", "cg"},
        {"warm-path", "0.01,0.1"},
        {"iterations", "30"}}},
      {"two classes, GELU in float",
       "",
       "spirals",
       300,
       {{"activation", "gelu"}, {"hidden", "8"}, {"precision", "float"}, {"iterations", "25"}}},
      {"three classes and missing cells",
       "",
       "friedman1",
       300,
       {{"hidden", "4"}, {"class-weights", "balanced"}, {"iterations", "20"}},
       into_gaps_and_classes},
      {"quantiles with input splines",
       "",
       "friedman1",
       400,
       {{"loss", "quantile"},
        {"input-splines", "2"},
        {"scale-inputs", "uniform"},
        {"optimizer", "adam"},
        {"rate", "0.01"},
        {"batch", "100"},
        {"hidden", "6"},
        {"iterations", "5"}}},
      {"kernel activations, validated",
       "",
       "planted",
       300,
       {{"activation", "kaf"},
        {"output-activation", "spline"},
        {"hidden", "4"},
        {"fit-range", "neuron"},
        {"halve-step", "1"},
        {"validation-fraction", "0.2"},
        {"iterations", "20"}}},
  };
  return runs;
}

Model train(const ReferenceRun& run, std::size_t threads) {
  TrainOptions options;
  if (!run.preset.empty()) options = training_presets().at(run.preset).options();
  for (const auto& [name, value] : run.options) set_option(options, name, value);
  options.seed = 1;
  options.threads = threads;
  Table table = make_builtin(run.set, run.rows);
  if (run.change) run.change(table);
  return train(table, {}, options);
}

}  // namespace knotwork
