// SPDX-License-Identifier: MIT
// A program that uses only the installed headers and libraries.
#include <cstdio>
#include <string>
#include <vector>

#include <knotwork/knotwork.hpp>

namespace {

struct Entry {
  std::string name;
};

bool philox_gives_its_known_value() {
  return knotwork::philox({0, 0, 0, 0}, {0, 0})[0] == 0x6627e8d5;
}

// The exception crosses the library's boundary and keeps its type.
bool errors_are_caught_by_type() {
  const knotwork::NamedTable<Entry> table("activation", {{"tanh"}, {"spline"}});
  try {
    table.at("tanhh");
  } catch (const knotwork::Error& error) {
    return error.kind() == knotwork::ErrorKind::bad_option &&
           std::string(error.what()).find("did you mean 'tanh'?") != std::string::npos;
  }
  return false;
}

// Uses the whole library: data, training, a file, predictions.
bool a_trained_model_survives_its_file() {
  const knotwork::Table table = knotwork::make_builtin("sinc", 200);
  knotwork::TrainOptions options;
  options.hidden = {5};
  options.iterations = 100;
  knotwork::TableTask task;
  task.test_fraction = 0.3;
  const knotwork::Model model = knotwork::train({table, task, options.seed}, options);
  const char* path = "outside.safetensors";
  knotwork::save_model(model, path);
  const knotwork::Model loaded = knotwork::load_model(path);
  std::remove(path);
  return model.training.test->nrmse < 0.5 && loaded.predict(table) == model.predict(table);
}

bool check(bool passed, const char* what) {
  if (!passed) std::printf("failed: %s\n", what);
  return passed;
}

}  // namespace

int main() {
  std::printf("Knotwork %s from outside\n", KNOTWORK_VERSION_STRING);
  const bool passed =
      check(philox_gives_its_known_value(), "philox gives its known value") &
      check(errors_are_caught_by_type(), "errors are caught by type") &
      check(a_trained_model_survives_its_file(), "a trained model survives its file");
  return passed ? 0 : 1;
}
