// SPDX-License-Identifier: MIT
// Prints hashes of results that must be the same in every build: parameters, an export, a table
// file.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <knotwork/export_model.hpp>
#include <knotwork/knotwork.hpp>
#include <knotwork/model_report.hpp>

namespace {

// FNV-1a.
unsigned long long hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

void print(const char* name, const knotwork::Model& model) {
  std::printf("%s %s\n", name, model.parameters_sha256().c_str());
}

}  // namespace

int main() {
  const knotwork::Table table = knotwork::make_builtin("planted", 150);
  knotwork::TableTask task;
  task.test_fraction = 0.3;
  knotwork::TrainOptions options;
  options.hidden = {4};
  options.iterations = 20;
  options.threads = 4;
  options.ensemble = 2;
  options.seed = 3;
  const knotwork::Model model = knotwork::train({table, task, options.seed}, options);
  print("ensemble", model);
  options.optimizer = "adam";
  options.batch = 32;
  options.ensemble = 1;
  print("batches", knotwork::train({table, task, options.seed}, options));
  options = {};
  options.iterations = 5;
  options.threads = 4;
  const std::vector<std::string> given = {"iterations", "threads"};
  print("chosen", knotwork::train_automatically({table, task, options.seed}, options, given));

  std::printf("C %llx\n", hash_of(knotwork::to_c(model)));
  knotwork::ReportOptions shown;
  shown.table = &table;
  shown.threads = 4;
  const knotwork::ModelReport report = knotwork::look_at(model, shown);
  std::string figures;
  for (const knotwork::NamedFigure& figure : knotwork::report_figures(report)) {
    figures += figure.svg;
  }
  std::printf("figures %llx\n", hash_of(figures));

  const char* path = "bits.table";
  knotwork::write_table_file(table, path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::printf("table %llx of %zu bytes\n", hash_of(bytes), bytes.size());
  file.close();
  std::remove(path);
  return 0;
}
