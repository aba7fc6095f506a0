// SPDX-License-Identifier: MIT
// Stops a training in the middle and resumes it from its checkpoint, with the same bits as an
// uninterrupted training.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include <knotwork/knotwork.hpp>

namespace {

using namespace knotwork;

// Stops a training after 35 iterations.
class Until35 : public Monitor {
 public:
  void see(const Progress& progress) override {
    if (progress.iteration && progress.iteration->iteration >= 35) request_stop();
  }
};

}  // namespace

int main() {
  try {
    const Table table = make_builtin("planted", 300);
    const PreparedData prepared(table, {}, /*seed=*/1);
    TrainOptions options;
    options.iterations = 60;
    const std::string whole = train(prepared, options).parameters_sha256();

    const auto file = std::filesystem::temp_directory_path() / "knotwork_example.checkpoint";
    const auto save = [&](const TrainingState& state) { save_checkpoint(state, file); };
    train(prepared, options,
          {.checkpoints = std::make_shared<Checkpoints>(save, 20),
           .monitor = std::make_shared<Until35>()});

    // Later, perhaps in another process:
    const auto later = std::make_shared<Checkpoints>(save, 20, load_checkpoint(file));
    const Model model = train(prepared, options, {.checkpoints = later});
    std::filesystem::remove(file);

    std::printf("undisturbed  %s\nresumed      %s\n", whole.c_str(),
                model.parameters_sha256().c_str());
    return model.parameters_sha256() == whole ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
