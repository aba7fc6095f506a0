// SPDX-License-Identifier: MIT
// Checks that programs that link Knotwork::tools get its dependencies, above all ONNX.
#include <cstdio>

#include <knotwork/export_model.hpp>
#include <knotwork/knotwork.hpp>

int main() {
  knotwork::Model model;
  model.members.push_back(knotwork::make_network({2, 3, 1}, knotwork::make_spline_activation(),
                                                 knotwork::make_spline_activation()));
  model.members[0].initialize(1);
  model.inputs = {{.column = "a"}, {.column = "b"}};
  model.targets = {{.column = "y"}};
  const std::size_t onnx = knotwork::to_onnx(model).size(), c = knotwork::to_c(model).size();
  std::printf("%zu bytes of ONNX, %zu of C\n", onnx, c);
  return onnx > 1000 && c > 1000 ? 0 : 1;
}
