// SPDX-License-Identifier: MIT
// Trains in steps: the program looks at a curve between steps, saves the state, and resumes it with
// another trainer, with the bits of an uninterrupted training.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>

#include <knotwork/knotwork.hpp>

namespace {

// Draws the first neuron's curve at a few places.
void draw_curve(const knotwork::Network& network) {
  const knotwork::SplineLayer splines(network, 0);
  const knotwork::Knots knots = splines.knots(0);
  const auto points = splines.control_points(0);
  for (std::size_t k = 0; k < points.size(); k += points.size() / 5) {
    std::printf("  (%.2f, %.2f)", knots.at(k), points[k]);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  using namespace knotwork;
  try {
    const Table table = make_builtin("planted", 300);
    const PreparedData prepared(table, {}, /*seed=*/1);
    TrainOptions options;
    options.hidden = {4};
    options.iterations = 60;

    Trainer trainer(prepared, options);
    for (int look = 0; look < 3; ++look) {
      trainer.step(10);  // ten iterations: epochs, or line searches
      const TrainIteration& now = trainer.latest();
      std::printf("iteration %zu  objective %.6f", now.iteration, now.objective.value);
      draw_curve(trainer.network());
    }
    const auto file = std::filesystem::temp_directory_path() / "knotwork_steps.checkpoint";
    save_checkpoint(trainer.state(), file);

    // Later, perhaps in another process:
    const auto saved = std::make_shared<Checkpoints>(nullptr, 0, load_checkpoint(file));
    Trainer later(prepared, options, {.checkpoints = saved});
    while (later.step(10) == StopReason::none) {
    }
    const Model model = later.finish();
    std::filesystem::remove(file);

    const std::string whole = train(prepared, options).parameters_sha256();
    std::printf("in one go  %s\nin steps   %s\n", whole.c_str(), model.parameters_sha256().c_str());
    return model.parameters_sha256() == whole ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
