// SPDX-License-Identifier: MIT
// Scaled rows in the precision of the arithmetic, owned or in the caller's memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/aligned.hpp"
#include "base/any_matrix.hpp"

#include <knotwork/model.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// The given rows of one column, in double.
std::vector<double> column_values(const AnyMatrixView& view, std::size_t column,
                                  std::span<const std::size_t> rows);

// A number that scaling or float makes infinite.
[[noreturn]] void refuse_as_too_large(const std::string& column, std::size_t row, double value);

// A table of this size is not copied to be scaled, but scaled block by block, if that will do.
inline constexpr std::size_t kLargeTable = std::size_t{64} << 20;

// A column-major matrix of T: the caller's memory if that will do, else a scaled copy.
template <class T>
class ScaledColumns {
 public:
  // Columns are InputColumn or TargetColumn.
  template <class Columns>
  ScaledColumns(const AnyMatrixView& source, std::span<const std::size_t> rows,
                const Columns& scalings, std::size_t large = kLargeTable) {
    if (const auto* same = std::get_if<MatrixView<const T>>(&source)) {
      const auto all = [&](const auto& condition) {
        return std::all_of(scalings.begin(), scalings.end(),
                           [&](const auto& column) { return condition(column.scaling); });
      };
      const bool usable = same->columns_contiguous() && rows.size() == same->rows;
      const bool unscaled = all([](const Scaling& scaling) { return scaling.is_identity(); });
      const bool linear = all([](const Scaling& scaling) { return scaling.quantiles.empty(); });
      const std::size_t bytes = rows.size() * scalings.size() * sizeof(T);
      if (usable && (unscaled || (linear && bytes >= large))) {
        view_ = *same;
        if (unscaled) return;
        for (const auto& column : scalings) {
          const Scaling& own = column.scaling;
          scales_.push_back(own.is_identity() ? ColumnScale{} : ColumnScale{own.offset, own.scale});
        }
        return;
      }
    }
    owned_.resize(rows.size() * scalings.size());
    view_ = {owned_.data(), rows.size(), scalings.size(), 1, rows.size()};
    std::visit(
        [&](const auto& typed) {
          for (std::size_t c = 0; c < scalings.size(); ++c) {
            const Scaling& scaling = scalings[c].scaling;
            T* out = owned_.data() + c * rows.size();
            for (std::size_t k = 0; k < rows.size(); ++k) {
              const auto x = static_cast<double>(typed(rows[k], c));
              out[k] = static_cast<T>(scaling.apply(x));
              if (!std::isfinite(out[k])) refuse_as_too_large(scalings[c].column, rows[k], x);
            }
          }
        },
        source);
  }

  // The view points into the object's own memory.
  ScaledColumns(const ScaledColumns&) = delete;
  ScaledColumns& operator=(const ScaledColumns&) = delete;

  MatrixView<const T> view() const { return view_; }
  std::span<const ColumnScale> scales() const { return scales_; }  // still to be applied

 private:
  AlignedVector<T> owned_;
  std::vector<ColumnScale> scales_;
  MatrixView<const T> view_;
};

}  // namespace knotwork::training
