// SPDX-License-Identifier: MIT
// A training that is ended in the middle and goes on from its checkpoint, to the bits of one that
// nothing disturbed.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include <knotwork/knotwork.hpp>

int main() {
  using namespace knotwork;
  try {
    const Table table = make_builtin("planted", 300);
    const PreparedTable prepared(table, {}, /*seed=*/1);
    TrainOptions options;
    options.iterations = 60;
    const std::string whole = train(prepared, options).parameters_sha256();

    const auto file = std::filesystem::temp_directory_path() / "knotwork_example.checkpoint";
    const auto save = [&](const TrainingState& state) { save_checkpoint(state, file); };
    Checkpoints checkpoints(save, 20);
    const auto until_35 = [](const TrainIteration& now) { return now.iteration < 35; };
    train(prepared, options, until_35, nullptr, &checkpoints);

    // Later, perhaps in another process:
    Checkpoints later(save, 20, load_checkpoint(file));
    const Model model = train(prepared, options, {}, nullptr, &later);
    std::filesystem::remove(file);

    std::printf("undisturbed  %s\ngone on      %s\n", whole.c_str(),
                model.parameters_sha256().c_str());
    return model.parameters_sha256() == whole ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
