// SPDX-License-Identifier: MIT
#include <knotwork/guarantees.hpp>

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "features/column_roles.hpp"

namespace knotwork {

MonotoneCheck check_monotone(const Model& model, std::string_view column, bool rising,
                             MatrixView<const double> rows, std::size_t values,
                             std::size_t threads) {
  model.check();
  if (rows.columns != model.inputs.size()) {
    fail(ErrorKind::bad_data, "A model with {} inputs cannot be checked on rows with {} columns.",
         model.inputs.size(), rows.columns);
  }
  const std::size_t input = features::numeric_input(model.inputs, column);
  MonotoneCheck check{std::string(column), rows.rows, values, 0};
  if (rows.rows == 0 || values < 2) return check;
  double low = model.inputs[input].low, high = model.inputs[input].high;
  if (low > high) {  // unknown: use the range of the rows
    for (std::size_t r = 0; r < rows.rows; ++r) {
      low = std::min(low, rows(r, input));
      high = std::max(high, rows(r, input));
    }
  }
  const double reach = (high - low) / 4;
  const std::size_t inputs = rows.columns, count = rows.rows, outputs = model.predictions();
  std::vector<double> given(count * inputs), before(count * outputs), now(count * outputs);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < inputs; ++c) given[r * inputs + c] = rows(r, c);
  }
  for (std::size_t k = 0; k < values; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(values - 1);
    const double value = std::lerp(low - reach, high + reach, share);
    for (std::size_t r = 0; r < count; ++r) given[r * inputs + input] = value;
    model.predict(row_major(std::span<const double>(given), count, inputs),
                  row_major(std::span<double>(now), count, outputs), threads);
    for (std::size_t p = 0; p < now.size() && k > 0; ++p) {
      if (model.classifies() && p % outputs + 1 != outputs) continue;
      const double against = rising ? before[p] - now[p] : now[p] - before[p];
      check.largest_violation = std::max(check.largest_violation, against);
    }
    before.swap(now);
  }
  return check;
}

}  // namespace knotwork
