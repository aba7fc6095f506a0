// SPDX-License-Identifier: MIT
// The columns of a model: what each input of its networks is, and what each target means.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/scaling.hpp>

namespace knotwork {

enum class InputKind { numeric, category, missing };
template <>
struct EnumNames<InputKind> {
  static constexpr EnumFamily family{"kind of input", ErrorKind::bad_model};
  static constexpr EnumName<InputKind> all[] = {
      {InputKind::numeric, "numeric"},
      {InputKind::category, "category"},
      {InputKind::missing, "missing"},
  };
};
[[deprecated("is from_string<InputKind>() now")]] inline InputKind input_kind_from_name(
    std::string_view name) {
  return from_string<InputKind>(name);
}

// One input of a network.
struct InputColumn {
  std::string column = {};
  InputKind kind = InputKind::numeric;
  std::string category = {};  // of kind category
  // numeric: what a missing cell counts as. NaN: missing cells are refused.
  double fill = std::numeric_limits<double>::quiet_NaN();
  // numeric: smallest and largest value in training. Unknown if low > high.
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  Scaling scaling = {};
};

// What is predicted: a number, several quantiles of it, or probabilities of classes.
struct KNOTWORK_API TargetColumn {
  std::string column;
  Scaling scaling = {};
  std::vector<double> quantiles = {};     // levels, ascending
  std::vector<std::string> classes = {};  // at least two

  // Outputs of a network: two classes need one, the logarithm of the odds of the second.
  std::size_t outputs() const {
    if (classes.size() == 2) return 1;
    return predictions();
  }
  // Columns of a prediction.
  std::size_t predictions() const {
    if (!classes.empty()) return classes.size();
    return quantiles.empty() ? 1 : quantiles.size();
  }
  // Levels ascend between 0 and 1; classes are different, at least two, and not scaled.
  bool is_complete() const;
};

}  // namespace knotwork
