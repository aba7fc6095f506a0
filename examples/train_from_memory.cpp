// SPDX-License-Identifier: MIT
// Trains and predicts with memory that the program already has, and saves a model file in between.
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <vector>

#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

class Printer : public Monitor {
 public:
  void see(const Progress& progress) override {
    if (!progress.iteration || progress.iteration->iteration % 100 != 0) return;
    std::printf("iteration %3zu  objective %.6f\n", progress.iteration->iteration,
                progress.iteration->objective.value);
    // request_stop() would end the training here, with the best point so far.
  }
};

}  // namespace

int main() {
  try {
    // Rows of three numbers and their targets, row after row.
    constexpr std::size_t kRows = 500, kInputs = 3;
    std::vector<float> inputs(kRows * kInputs), targets(kRows);
    const Random random(1, Purpose::builtin_inputs);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      inputs[k] = static_cast<float>(random.normal(k));
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const float* x = &inputs[r * kInputs];
      targets[r] = std::sin(2 * x[0]) + std::fabs(x[1] + x[2]);
    }

    TrainingData data;
    data.inputs = row_major(std::span<const float>(inputs), kRows, kInputs);
    data.targets = row_major(std::span<const float>(targets), kRows, 1);
    TrainOptions options;
    options.hidden = {6};
    options.iterations = 300;
    const Model model = train(data, options, {.monitor = std::make_shared<Printer>()});

    const auto path = std::filesystem::temp_directory_path() / "knotwork_example.safetensors";
    save_model(model, path);
    const Model loaded = load_model(path);
    std::filesystem::remove(path);

    std::vector<float> predictions(kRows);
    loaded.predict(row_major(std::span<const float>(inputs), kRows, kInputs),
                   row_major(std::span<float>(predictions), kRows, 1));
    std::printf("train NRMSE %.4f; first row: %.4f for %.4f\n", model.training.train->nrmse,
                static_cast<double>(predictions[0]), static_cast<double>(targets[0]));

    // Row by row, as a service does: prepared once, then below a microsecond, without allocation.
    Predictor predictor(loaded);
    float one = 0;
    predictor.predict(std::span<const float>(inputs).first(kInputs), std::span(&one, 1));
    std::printf("alone: %.4f\n", static_cast<double>(one));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_train_from_memory: %s\n", error.what());
    return 1;
  }
}
