// SPDX-License-Identifier: MIT
#include "training/data/scaled_samples.hpp"

#include "base/fail.hpp"

namespace knotwork::training {

void refuse_as_too_large(const std::string& column, std::size_t row, double value) {
  fail(ErrorKind::bad_data,
       "The value of column '{}' in row {} is {}, which is too large to be computed with; mend it, "
       "scale the column, or use double precision.",
       column, row, value);
}

std::vector<double> column_values(const AnyMatrixView& view, std::size_t column,
                                  std::span<const std::size_t> rows) {
  std::vector<double> values(rows.size());
  std::visit(
      [&](const auto& typed) {
        for (std::size_t k = 0; k < rows.size(); ++k) {
          values[k] = static_cast<double>(typed(rows[k], column));
        }
      },
      view);
  return values;
}

}  // namespace knotwork::training
