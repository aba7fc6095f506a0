// SPDX-License-Identifier: MIT
// Checks that the analysis of a model needs no library beyond those of Knotwork::knotwork.
#include <cstdio>
#include <string>

#include <knotwork/export_model.hpp>
#include <knotwork/knotwork.hpp>
#include <knotwork/model_report.hpp>
#include <knotwork/neurons.hpp>

int main() {
  const knotwork::Table table = knotwork::make_builtin("sinc", 200);
  knotwork::TrainOptions options;
  options.hidden = {5};
  options.iterations = 20;
  const knotwork::Model model = knotwork::train({table, {}, options.seed}, options);
  const std::size_t moved = knotwork::moved_activations(model).size();
  const std::size_t c = knotwork::to_c(model).size();
  knotwork::ReportOptions shown;
  shown.table = &table;
  const std::size_t page = knotwork::report_page(knotwork::look_at(model, shown)).size();
  std::printf("%zu curves, %zu bytes of C, %zu of a page\n", moved, c, page);
  return moved > 0 && c > 1000 && page > 10'000 ? 0 : 1;
}
