// SPDX-License-Identifier: MIT
#include "export/exportable.hpp"

#include "base/fail.hpp"
#include "export/export_formulas.hpp"

namespace knotwork::exporting {

void check_exportable(const Model& model) {
  model.check();
  const std::vector<Layer>& layers = model.members.front().layers();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (has_formula(layers[l].activation->name())) continue;
    fail(ErrorKind::bad_model,
         "The model cannot be exported: layer {} has the activation '{}', whose formula Knotwork "
         "does not know; only the activations in `knotwork help train` can be exported.",
         l + 1, layers[l].activation->name());
  }
}

}  // namespace knotwork::exporting
