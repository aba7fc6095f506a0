// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "features/encoding/encoding_fit.hpp"
#include "table/csv/cell_value.hpp"
#include "table/csv/number_lookalike.hpp"

namespace knotwork::features {
namespace {

using csv::shown;

// The text in lower case (of ASCII letters) and without blanks.
std::string folded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

// Explains why texts that mostly look like numbers are not numbers.
std::string disguise_among(const std::vector<std::string>& labels,
                           const std::vector<std::size_t>& counts) {
  std::size_t occurring = 0, disguised = 0;
  std::string first;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    if (counts[l] == 0) continue;
    ++occurring;
    const std::string_view why = csv::why_not_a_number(labels[l]);
    if (why.empty()) continue;
    if (disguised++ == 0) first = fmt::format("'{}' {}", shown(labels[l]), why);
  }
  return 2 * disguised > occurring ? first : "";
}

}  // namespace

// Writes the inputs and remarks of the columns, one after the other.
class EncodingFit::Writer {
 public:
  Writer(const EncodingFit& fit, Encoding& encoding) : fit_(fit), encoding_(encoding) {}

  void add_numbers(std::size_t column, const Numbers& numbers) {
    InputColumn input = {.column = fit_.description_.names[column]};
    input.low = numbers.low;
    input.high = numbers.high;
    const std::size_t missing = fit_.rows_ - numbers.values.seen();
    const bool indicate = is_often_missing(missing);
    if (numbers.values.seen() == 0) {
      leave_out(column, "it has no value in any training row");
      return;
    }
    if (input.low < input.high && are_ids(column, numbers, indicate)) {
      // Only whether a cell is missing may be an input.
    } else if (input.low < input.high) {
      input.fill = numbers.values.median();
      encoding_.inputs.push_back(input);
    } else if (indicate) {
      remark({},
             "Column '{}' has the same value in every training row where it is not missing; its "
             "only input is whether it is missing.",
             shown(input.column));
    } else {
      leave_out(column, "it has the same value in every training row");
    }
    if (indicate) {
      encoding_.inputs.push_back({.column = input.column, .kind = InputKind::missing});
    }
  }

  void add_texts(std::size_t column, const Texts& texts) {
    const std::string& name = fit_.description_.names[column];
    const std::vector<std::string>& labels = fit_.description_.labels[column];
    const std::vector<std::size_t>& counts = texts.counts;
    const auto different =
        counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u));
    const auto single = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 1u));
    // A column that was requested as text needs no further reason.
    const bool asked_for =
        contains(fit_.options_.keep, name);
    const std::string disguise = asked_for ? "" : disguise_among(labels, counts);
    if (texts.present == 0) {
      leave_out(column, "it has no value in any training row");
    } else if (different == 1 && texts.present == fit_.rows_) {
      leave_out(column, "it has the same value in every training row");
    } else if (2 * single > texts.present && !asked_for) {
      if (disguise.empty()) {
        leave_out(column, "most of its texts occur in one training row only",
                  {.purpose = "to keep it", .settings = {{"categorical", name}}});
      } else {
        leave_out(column, disguise);
      }
    } else {
      if (!disguise.empty()) {
        remark({}, "Column '{}' was read as text: {}.", shown(name), disguise);
      }
      remark_on_spellings(column, counts);
      if (different > fit_.options_.one_hot_max_size) {
        add_levels(column, texts, different);
        return;
      }
      for (std::size_t l = 0; l < labels.size(); ++l) {
        if (counts[l] == 0) continue;
        encoding_.inputs.push_back(
            {.column = name, .kind = InputKind::category, .category = labels[l]});
      }
    }
  }

  void add_dates(std::size_t column, const Numbers& numbers, const Dates& dates) {
    const std::string& name = fit_.description_.names[column];
    const std::size_t missing = fit_.rows_ - numbers.values.seen();
    if (numbers.values.seen() == 0) {
      leave_out(column, "it has no value in any training row");
      return;
    }
    const bool indicate = is_often_missing(missing);
    if (!(numbers.low < numbers.high) && !indicate) {
      leave_out(column, "it has the same value in every training row");
      return;
    }
    const double middle = numbers.values.median();
    const auto add = [&](DatePart part, double fill) {
      encoding_.inputs.push_back({.column = name,
                                  .kind = InputKind::date,
                                  .part = part,
                                  .fill = fill,
                                  .low = date_part(part, numbers.low),
                                  .high = date_part(part, numbers.high)});
    };
    // A missing date is in the middle of all circles.
    const auto add_pair = [&](double low, double high, DatePart sine, DatePart cosine) {
      if (!(low < high)) return;
      for (const DatePart part : {sine, cosine}) {
        add(part, 0);
        encoding_.inputs.back().low = -1;
        encoding_.inputs.back().high = 1;
      }
    };
    // Times of a single day differ in the hour only.
    const bool has_days = std::floor(numbers.low / kSecondsOfDay) !=
                          std::floor(numbers.high / kSecondsOfDay);
    if (has_days) add(DatePart::elapsed, date_part(DatePart::elapsed, middle));
    if (dates.low.year < dates.high.year) add(DatePart::year, date_part(DatePart::year, middle));
    add_pair(dates.low.month, dates.high.month, DatePart::month_sin, DatePart::month_cos);
    add_pair(dates.low.weekday, dates.high.weekday, DatePart::weekday_sin, DatePart::weekday_cos);
    add_pair(dates.low.hour, dates.high.hour, DatePart::hour_sin, DatePart::hour_cos);
    if (indicate) {
      encoding_.inputs.push_back({.column = name, .kind = InputKind::missing});
    }
  }

 private:
  // Whether the numbers only tell rows apart. Says so; numbers that merely may do that stay inputs.
  bool are_ids(std::size_t column, const Numbers& numbers, bool indicate) {
    const std::string& name = fit_.description_.names[column];
    const IdKind kind = id_kind(name, numbers.whole, numbers.values);
    const bool asked_for = contains(fit_.options_.keep, name);
    if (kind == IdKind::ids && !asked_for) {
      const Hint hint{.purpose = "to keep it", .settings = {{"numeric", name}}};
      if (indicate) {
        remark(hint,
               "The numbers of column '{}' are all different, and its name says that they are ids; "
               "its only input is whether it is missing.",
               shown(name));
      } else {
        leave_out(column, "its numbers are all different, and its name says that they are ids",
                  hint);
      }
      return true;
    }
    if (asked_for) return false;
    const Hint hint{.purpose = "to leave it out", .settings = {{"drop", name}}};
    if (numbers.look_like_row_numbers(fit_.rows_)) {
      remark(hint, "Column '{}' looks like a row number.", shown(name));
    } else if (kind == IdKind::rising_numbers && numbers.values.seen() == fit_.rows_) {
      remark(hint, "Column '{}' has whole numbers that rise with every row, as ids do.",
             shown(name));
    }
    return false;
  }

  bool is_often_missing(std::size_t missing) const {
    return static_cast<double>(missing) >
           kMissingIndicatorShare * static_cast<double>(fit_.rows_);
  }

  // A column with many texts becomes a few numbers.
  void add_levels(std::size_t column, const Texts& texts, std::size_t different) {
    const std::string& name = fit_.description_.names[column];
    const std::vector<std::string>& labels = fit_.description_.labels[column];
    // The rarest texts count as unseen if there are too many texts.
    std::size_t fewest = 1;
    if (different > kMaxLevels) {
      std::vector<std::size_t> sorted = texts.counts;
      std::nth_element(sorted.begin(), sorted.begin() + kMaxLevels, sorted.end(),
                       std::greater<>());
      fewest = sorted[kMaxLevels] + 1;
    }
    auto levels = std::make_shared<std::vector<std::string>>();
    InputColumn frequency = {.column = name, .kind = InputKind::frequency};
    for (std::size_t l = 0; l < labels.size(); ++l) {
      if (texts.counts[l] < fewest) continue;
      levels->push_back(labels[l]);
      frequency.values.push_back(std::log1p(static_cast<double>(texts.counts[l])));
    }
    if (levels->empty()) {
      leave_out(column, "most of its texts occur in one training row only");
      return;
    }
    for (const std::string& target : fit_.options_.means_of) {
      encoding_.inputs.push_back({.column = name,
                                  .kind = InputKind::target_mean,
                                  .category = target,
                                  .fill = 0,
                                  .levels = levels});
    }
    frequency.levels = levels;
    frequency.fill = std::log1p(static_cast<double>(fit_.rows_ - texts.present));
    encoding_.inputs.push_back(std::move(frequency));
    remark({.purpose = "to leave it out", .settings = {{"drop", name}}},
           "Column '{}' has {} different texts, so it becomes {}.", shown(name), different,
           fit_.options_.means_of.empty()
               ? "a number, the frequency of its text"
               : fmt::format("{} numbers: the mean of the target over the rows with the same text, "
                             "and the frequency of the text",
                             fit_.options_.means_of.size() + 1));
  }

  // Points out texts that differ in case or blanks only.
  void remark_on_spellings(std::size_t column, const std::vector<std::size_t>& counts) {
    constexpr std::size_t kShown = 3;
    const std::vector<std::string>& labels = fit_.description_.labels[column];
    std::map<std::string, std::vector<std::size_t>> spellings;
    for (std::size_t l = 0; l < labels.size(); ++l) {
      if (counts[l] > 0) spellings[folded(labels[l])].push_back(l);
    }
    std::string examples;
    std::size_t groups = 0;
    for (const auto& [text, same] : spellings) {
      if (same.size() < 2 || ++groups > kShown) continue;
      examples += fmt::format("{}'{}' and '{}'", examples.empty() ? "" : ", ",
                              shown(labels[same[0]]), shown(labels[same[1]]));
    }
    if (groups == 0) return;
    remark({}, "Column '{}' has texts that differ only in case or blanks: {}{}. They are different "
               "texts for the model.",
           shown(fit_.description_.names[column]), examples,
           groups > kShown ? fmt::format(" and {} more", groups - kShown) : "");
  }

  template <class... Args>
  void remark(Hint hint, fmt::format_string<Args...> text, Args&&... args) {
    encoding_.remarks.emplace_back(std::move(hint), fmt::format(text, std::forward<Args>(args)...));
  }
  void leave_out(std::size_t column, const std::string& why, Hint hint = {}) {
    const std::string& name = fit_.description_.names[column];
    remark(hint, "Column '{}' was left out: {}.", shown(name), why);
    encoding_.left_out.push_back({name, why, std::move(hint)});
  }

  const EncodingFit& fit_;
  Encoding& encoding_;
};

void EncodingFit::finish(Encoding& encoding) const {
  Writer writer(*this, encoding);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (description_.is_text(columns_[k])) {
      writer.add_texts(columns_[k], texts_[k]);
    } else if (description_.is_date(columns_[k])) {
      writer.add_dates(columns_[k], numbers_[k], dates_[k]);
    } else {
      writer.add_numbers(columns_[k], numbers_[k]);
    }
  }
}

}  // namespace knotwork::features
