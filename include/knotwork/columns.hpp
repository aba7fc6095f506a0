// SPDX-License-Identifier: MIT
// The columns of a model say what each input of its networks is and what each target means.
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
  std::string category = {};  // for the kind category
  // numeric: the value that replaces a missing cell. NaN: missing cells are refused.
  double fill = std::numeric_limits<double>::quiet_NaN();
  // numeric: smallest and largest value in training. Unknown if low > high.
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  Scaling scaling = {};
};

// What is predicted: a number, several of its quantiles, or class probabilities.
struct KNOTWORK_API TargetColumn {
  std::string column;
  Scaling scaling = {};
  std::vector<double> quantiles = {};     // levels, ascending
  std::vector<std::string> classes = {};  // at least two

  // Outputs of a network. Two classes need one output: the log-odds of the second class.
  std::size_t outputs() const {
    if (classes.size() == 2) return 1;
    return predictions();
  }
  // Number of prediction columns.
  std::size_t predictions() const {
    if (!classes.empty()) return classes.size();
    return quantiles.empty() ? 1 : quantiles.size();
  }
  // True if levels ascend between 0 and 1, and classes are different, at least two, and not scaled.
  bool is_complete() const;
};

}  // namespace knotwork
