// SPDX-License-Identifier: MIT
#include <knotwork/export_model.hpp>

#include "base/fail.hpp"
#include "export/c/c_names.hpp"
#include "export/c/c_parts.hpp"
#include "export/c/c_text.hpp"
#include "export/exportable.hpp"

namespace knotwork {

using namespace exporting;

namespace {

// Neighboring floats are two minutes apart at the seconds of today.
void check_dates(const ExportColumns& columns, Precision type) {
  if (type == Precision::float64) return;
  for (const ExportColumn& column : columns.columns) {
    if (!column.date) continue;
    fail(ErrorKind::bad_option,
         "type must be double, because column '{}' contains dates, whose seconds float cannot "
         "represent.",
         column.name);
  }
}

}  // namespace

std::string to_c(const Model& model, const CExportOptions& options) {
  check_c_name(options.name);
  check_exportable(model);
  const ExportColumns columns = export_columns(model);
  check_dates(columns, options.type);
  parallel::WatchedWork work(
      options.monitor.get(), Phase::writing,
      static_cast<double>(model.members.size() * model.members.front().parameters().size()));
  const CContext context{model,        columns,
                         options.name, options.precision.value_or(model.precision),
                         options.type, work};
  std::string text = c_comment(context);
  append(text, "#ifndef KNOTWORK_{0}_H\n#define KNOTWORK_{0}_H\n\n#include <math.h>\n\n",
         options.name);
  append(text, "enum {{ {0}_inputs = {1}, {0}_outputs = {2} }};\n\n", options.name,
         columns.columns.size(), model.predictions());
  text += c_text_columns(context) + c_inputs(context) + c_network(context) + c_predict(context);
  return text + "\n#endif\n";
}

}  // namespace knotwork
