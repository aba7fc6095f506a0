// SPDX-License-Identifier: MIT
// Times training on a table file, 8-5-1 with splines, float, one thread. PLACE is where the scaled
// rows are: "scratch" leaves the table in its file and puts the rows into a mapped scratch file,
// "memory" loads the table.
//   write-table ROWS FILE             the built-in set planted with two idle inputs
//   rows-gradient FILE PLACE          one pass over the rows, which are prepared
//   rows-epoch FILE PLACE BATCH       mini-batch Adam over prepared rows
//   training FILE PLACE ITERATIONS    of L-BFGS: everything, from the file to the model
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "job.hpp"
#include "problem.hpp"
#include "training/data/prepared_state.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/training.hpp>

namespace bench {
namespace {

using namespace knotwork;
using namespace knotwork::training;

void write_table(std::size_t rows, const std::filesystem::path& path) {
  const BuiltinSet& set = builtin_sets().at("planted");
  const auto part = [&](std::size_t first, std::size_t count) {
    Table table = set.part(first, count, 0);
    add_idle_inputs(table, 2, first, 0);
    return table;
  };
  TableWriter writer(path, part(0, 0));
  constexpr std::size_t kWindow = std::size_t{1} << 16;
  for (std::size_t row = 0; row < rows; row += kWindow) {
    writer.append(part(row, std::min(kWindow, rows - row)).columns);
  }
  writer.finish();
}

PreparedData prepare(const std::filesystem::path& file, const std::string& place) {
  TableTask task;
  task.kind = TaskKind::regression;
  const StoredTable stored(file);
  if (place == "memory") return {stored.load(), task, 0};
  if (place != "scratch") throw std::invalid_argument("'" + place + "' is no place for rows");
  TableStorage storage;
  storage.memory = 0;
  storage.scratch = file.parent_path();
  return {stored, {}, task, 0, nullptr, storage};
}

TrainOptions options_for(std::size_t batch) {
  TrainOptions options;
  options.hidden = {5};
  options.batch = batch;
  options.precision = Precision::float32;
  options.threads = 1;
  return options;
}

// Rows in the form that training uses, and a network to train.
struct ReadyRows {
  ReadyRows(const std::string& file, const std::string& place, std::size_t batch)
      : prepared(prepare(file, place)),
        options(options_for(batch)),
        rows(state_of(prepared).rows().divide(options)),
        network(make_network({8, 5, 1}, "spline", 21)) {
    model.inputs = rows->fit_inputs(options);
    model.targets = rows->fit_targets(options);
    samples = rows->samples<float>(Part::train, model, options);
    ObjectiveOptions settings;
    settings.batch = batch;
    objective = std::make_unique<Objective>(network, samples->view(), settings);
    gradient.resize(objective->size());
  }

  PreparedData prepared;
  TrainOptions options;
  std::unique_ptr<DividedRows> rows;
  Network network;
  Model model;  // only its columns are used
  std::unique_ptr<OwnedSamples<float>> samples;
  std::unique_ptr<Objective> objective;
  std::vector<double> gradient;
  std::unique_ptr<Optimizer> optimizer;
};

Job make_rows_gradient(Words words) {
  const auto ready = std::make_shared<ReadyRows>(words[1], words[2], 0);
  return {[=] { keep(ready->objective->evaluate(ready->network.parameters(), ready->gradient)); }};
}

Job make_rows_epoch(Words words) {
  const auto ready = std::make_shared<ReadyRows>(words[1], words[2], number(words[3]));
  ready->optimizer = builtin_optimizers().at("adam").make({});
  ready->optimizer->start(*ready->objective, ready->network.parameters());
  return {[=] { keep(ready->optimizer->iterate(*ready->objective)); }};
}

Job make_training(Words words) {
  TrainOptions options = options_for(0);
  options.iterations = number(words[3]);
  return {
      [options, file = words[1], place = words[2]] { keep(train(prepare(file, place), options)); }};
}

}  // namespace

Job make_training_job(Words words) {
  if (words[0] == "write-table" && words.size() == 3) {
    return {[rows = number(words[1]), path = words[2]] { write_table(rows, path); }};
  }
  if (words[0] == "rows-gradient" && words.size() == 3) return make_rows_gradient(words);
  if (words[0] == "rows-epoch" && words.size() == 4) return make_rows_epoch(words);
  if (words[0] == "training" && words.size() == 4) return make_training(words);
  return {};
}

}  // namespace bench
