// SPDX-License-Identifier: MIT
#include "table/csv/cells/column_decision.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace knotwork::csv {
namespace {

using Kind = ColumnReading::Kind;
using Reason = ColumnDecision::Reason;

// At least 95 % of the cells.
bool are_nearly_all(std::size_t cells, std::size_t all) {
  return 20 * cells >= 19 * all;
}

struct DateChoice {
  DateOrder order;
  std::size_t cells;  // that have this order
  bool is_doubtful = false;
};

DateChoice choose_order(const DateCounts& dates, const TableHabits& habits) {
  const std::size_t day = dates.day_first, month = dates.month_first;
  if (dates.time > std::max({dates.year_first, day, month})) {
    return {DateOrder::time_of_day, dates.time};
  }
  // 20-01-03 is more often a day than a year first.
  const std::size_t most = std::max(day, month);
  if (dates.year_first > most || (dates.year_first == most && dates.open == 0)) {
    return {DateOrder::year_first, dates.year_first};
  }
  if (day != month) return {day > month ? DateOrder::day_first : DateOrder::month_first, most};
  const bool with_slashes = 2 * dates.slashes > dates.open && !habits.decimal_comma;
  const DateOrder usual = with_slashes ? DateOrder::month_first : DateOrder::day_first;
  return {habits.order.value_or(usual), most, dates.doubtful > 0};
}

// One way to read numbers with signs, and how many cells it reads.
struct StyleChoice {
  const StyleCounts* style = nullptr;
  bool decimal_comma = false;
  GroupSign group = GroupSign::none;
  std::size_t own = 0;  // cells with the signs around the digits, or with any sign if there are none
  std::size_t total = 0;  // with cells without these signs
  bool is_doubtful = false;

  bool has_affix() const { return style && !(style->prefix.empty() && style->suffix.empty()); }
};

class StyleSearch {
 public:
  StyleSearch(const ColumnTally& tally, std::size_t plain, bool decimal_comma)
      : tally_(tally), plain_(plain), usual_comma_(decimal_comma) {
    for (const StyleCounts& style : tally.styles) {
      if (style.prefix.empty() && style.suffix.empty()) bare_ = &style;
    }
  }

  // The way that reads most cells. Of several, the one with the usual decimal sign, without groups,
  // and first by its signs.
  StyleChoice best() const {
    StyleChoice best;
    if (tally_.has_many_styles) return best;
    for (const StyleCounts& style : tally_.styles) {
      for (const bool comma : {usual_comma_, !usual_comma_}) {
        for (std::size_t g = 0; g < kGroupSignCount; ++g) {
          const StyleChoice choice = with(style, comma, static_cast<GroupSign>(g));
          if (!best.style || is_better(choice, best)) best = choice;
        }
      }
    }
    if (best.style && best.group == other_sign()) {
      const StyleChoice rival = with(*best.style, !usual_comma_, GroupSign::none);
      best.is_doubtful = best.decimal_comma == usual_comma_ && rival.own == best.own;
    }
    return best;
  }

 private:
  GroupSign other_sign() const { return usual_comma_ ? GroupSign::point : GroupSign::comma; }
  GroupSign usual_sign() const { return usual_comma_ ? GroupSign::comma : GroupSign::point; }

  static std::size_t count(const StyleCounts& style, bool comma, GroupSign group) {
    const auto& counts = style.with(comma);
    const std::size_t ungrouped = counts[0];
    return group == GroupSign::none ? ungrouped
                                    : ungrouped + counts[static_cast<std::size_t>(group)];
  }

  StyleChoice with(const StyleCounts& style, bool comma, GroupSign group) const {
    StyleChoice choice{&style, comma, group, count(style, comma, group)};
    choice.total = choice.own + plain_;
    if (bare_ && bare_ != &style) choice.total += count(*bare_, comma, group);
    if (comma == usual_comma_) return choice;
    // Plain numbers with a decimal sign have the usual one, unless it stands between groups.
    const bool groups = group == usual_sign() && style.with(comma)[std::size_t(group)] > 0;
    if (!groups) choice.total -= tally_.fractions;
    return choice;
  }

  static bool is_better(const StyleChoice& a, const StyleChoice& b) {
    if (a.total != b.total) return a.total > b.total;
    if (a.own != b.own) return a.own > b.own;
    return std::tie(a.style->prefix, a.style->suffix) < std::tie(b.style->prefix, b.style->suffix);
  }

  const ColumnTally& tally_;
  const std::size_t plain_;
  const bool usual_comma_;
  const StyleCounts* bare_ = nullptr;  // numbers without signs around them
};

ColumnFormat format_of(const StyleChoice& choice, bool decimal_comma) {
  ColumnFormat format{.column = {}, .decimal_comma = decimal_comma};
  if (!choice.style) return format;
  format.prefix = choice.style->prefix;
  format.suffix = choice.style->suffix;
  format.group = text_of(choice.group);
  format.decimal_comma = choice.decimal_comma;
  return format;
}

ColumnDecision as_dates(const DateChoice& choice) {
  return {{Kind::formatted, ColumnFormat{.column = {}, .date = choice.order}},
          choice.is_doubtful ? Reason::doubtful_dates : Reason::dates};
}

ColumnDecision as_styled(const StyleChoice& choice, bool decimal_comma) {
  return {{Kind::formatted, format_of(choice, decimal_comma)},
          choice.is_doubtful ? Reason::doubtful_groups : Reason::styled};
}

// The options or the model say the format. Plain numbers are already read.
ColumnDecision as_said(const ColumnFormat& format, const ColumnTally& tally,
                       const ColumnWish& wish, bool decimal_comma) {
  const bool is_read = !format.date && tally.others == 0 && format.decimal_comma == decimal_comma;
  return {{is_read ? Kind::numbers : Kind::formatted, format,
           wish.kind == ColumnWish::Kind::numbers},
          Reason::said};
}

bool has_few_levels(const ColumnTally& tally, std::size_t cells) {
  const std::size_t levels = tally.texts.values().size() + tally.numbers.values().size();
  return levels <= FewValues<double>::kMost && 2 * levels <= cells;
}

}  // namespace

ColumnDecision decide(const ColumnTally& tally, std::size_t rows, const ColumnWish& wish,
                      const TableHabits& habits) {
  const std::size_t cells = rows - tally.missing, plain = cells - tally.others;
  const DateChoice dates = choose_order(tally.dates, habits);
  if (wish.format) return as_said(*wish.format, tally, wish, habits.decimal_comma);
  if (wish.kind == ColumnWish::Kind::text) return {{Kind::text}, Reason::said};
  if (wish.kind == ColumnWish::Kind::dates) return as_dates(dates);
  if (tally.others == 0) return {};
  const StyleChoice style = StyleSearch(tally, plain, habits.decimal_comma).best();
  if (wish.kind == ColumnWish::Kind::numbers) {
    ColumnDecision decision = as_styled(style, habits.decimal_comma);
    decision.reading.is_strict = true;
    return decision;
  }
  if (!wish.no_dates && are_nearly_all(dates.cells, cells)) return as_dates(dates);
  const bool all_styled = are_nearly_all(style.has_affix() ? style.own : style.total, cells);
  if (style.style && all_styled) return as_styled(style, habits.decimal_comma);
  if (tally.words == 0) return {};
  if (has_few_levels(tally, cells)) {
    return {{Kind::text}, 2 * plain >= cells ? Reason::few_levels : Reason::usual};
  }
  // Numbers without the unit are numbers of this unit, except beside percent.
  const bool is_unit = style.has_affix() && style.style->suffix != "%" && 2 * style.own >= cells;
  if (is_unit && are_nearly_all(style.total, cells)) return as_styled(style, habits.decimal_comma);
  constexpr std::size_t kFewWords = 5;
  const bool mostly_numbers = 2 * plain >= cells;
  const bool few_words = 10 * tally.others < cells ||
                         (mostly_numbers && tally.numbers.is_full() &&
                          tally.texts.values().size() <= kFewWords);
  if (few_words) {
    return {{Kind::numbers, ColumnFormat{.column = {}, .decimal_comma = habits.decimal_comma}},
            Reason::few_words};
  }
  const bool mostly_dates = !wish.no_dates && 2 * dates.cells >= cells;
  return {{Kind::text},
          mostly_numbers ? Reason::many_words
                         : mostly_dates ? Reason::few_dates : Reason::usual};
}

}  // namespace knotwork::csv
