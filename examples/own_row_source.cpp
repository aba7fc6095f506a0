// SPDX-License-Identifier: MIT
// Trains on rows that are never in memory as a whole: a class computes them when they are needed,
// and PreparedData takes this class as a source. A database or a folder of files would look the
// same.
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <numbers>

#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

// A pendulum that is released at an angle and observed after some time: (angle, time) ->
// deflection.
class Pendulum final : public RowSource {
 public:
  const Schema& schema() const override { return schema_; }
  std::size_t rows() const override { return 200'000; }
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const override {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t r = 0; r < cells[k].size(); ++r) {
        cells[k][r] = cell(first_row + r, columns[k]);
      }
    }
  }

 private:
  double cell(std::size_t row, std::size_t column) const {
    const double angle = random_.uniform(2 * row), time = 3 * random_.uniform(2 * row + 1);
    if (column == 0) return angle;
    if (column == 1) return time;
    // A wide swing takes longer.
    return angle * std::cos(2 * std::numbers::pi * time / (2 + angle * angle / 8));
  }

  Random random_{1, Purpose::builtin_inputs};
  Schema schema_{.source = "pendulum", .names = {"angle", "time", "deflection"}};
};

}  // namespace

int main() {
  try {
    TrainOptions options;
    options.hidden = {8};
    options.iterations = 20;
    options.optimizer = "adam";
    options.batch = 1000;
    TableTask task;
    task.test_fraction = 0.1;
    const PreparedData data(std::make_shared<Pendulum>(), task, options.seed);
    const Model model = train(data, options);

    const Evaluation all = evaluate(model, Pendulum());
    std::printf("test NRMSE %.4f, of all %zu rows %.4f\n", model.training.test->nrmse,
                all.scores.rows, all.scores.nrmse);
    return model.training.test->nrmse < 0.5 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_own_row_source: %s\n", error.what());
    return 1;
  }
}
