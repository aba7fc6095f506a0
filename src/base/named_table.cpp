// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/fail.hpp"
#include "base/quoting.hpp"

#include <knotwork/names.hpp>

namespace knotwork {
namespace {

// Number of letters inserted, omitted, replaced, or swapped with a neighbor.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string closest_name(std::string_view wanted, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& name : known) {
    // A very long name, from a file, is not worth comparing.
    if (wanted.size() >= name.size() + best_distance) continue;
    const std::size_t distance = edit_distance(wanted, name);
    // A replacement of every letter is not a similar name.
    if (distance < best_distance && distance < wanted.size()) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string unknown_name_message(std::string_view family, std::string_view wanted,
                                 const std::vector<std::string>& known) {
  const std::string close = closest_name(wanted, known);
  if (!close.empty()) {
    return fmt::format("There is no {} called '{}'; did you mean '{}'?", family, shown(wanted),
                       close);
  }
  return fmt::format("There is no {} called '{}'; there are {}.", family, shown(wanted),
                     fmt::join(known, ", "));
}

void fail_unknown_value(const EnumFamily& family, long long value, std::size_t known) {
  fail(ErrorKind::bad_option, "There is no {} with number {}; there are only {}.", family.name,
       value, known);
}

void fail_unknown_word(const EnumFamily& family, std::string_view word,
                       const std::vector<std::string>& known) {
  throw Error(family.error, unknown_name_message(family.name, word, known));
}

}  // namespace knotwork
