// SPDX-License-Identifier: MIT
#include "table/csv/cells/date_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "table/csv/cell_scanner.hpp"

namespace knotwork::csv {
namespace {

using namespace std::string_view_literals;

constexpr std::array kMonths{"january"sv, "february"sv, "march"sv,     "april"sv,
                             "may"sv,     "june"sv,     "july"sv,      "august"sv,
                             "september"sv, "october"sv, "november"sv, "december"sv};
constexpr std::array kWeekdays{"monday"sv, "tuesday"sv,  "wednesday"sv, "thursday"sv,
                               "friday"sv, "saturday"sv, "sunday"sv};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return small_letter(a) == b; });
}

// The position from 1 of a name, in full or as its first three letters (and "sept"); 0 if there is
// none.
template <class Names>
int name_number(std::string_view word, const Names& names) {
  constexpr std::size_t kFewest = 3;
  if (word.size() < kFewest) return 0;
  const bool is_short = word.size() == kFewest || is_word(word, "sept");
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (small_letter(word[0]) != names[k][0]) continue;
    if (is_word(word, is_short ? names[k].substr(0, word.size()) : names[k])) {
      return static_cast<int>(k) + 1;
    }
  }
  return 0;
}

// Takes the parts of a text one after the other. Every step returns false if the text has another
// form.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  std::optional<DateText> read() {
    skip_weekday();
    const bool is_time = !rest_.empty() && starts_with_time();
    if (is_time ? !take_time() : !take_date_part() || !take_time_part()) return {};
    // A time alone is at a fixed place of the day, whatever the zone.
    if (!rest_.empty() || (is_time && date_.zone != 0)) return {};
    return date_;
  }

 private:
  struct Digits {
    int value = 0;
    std::size_t count = 0;
  };

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_blanks() {
    const std::size_t before = rest_.size();
    while (take(' ')) {
    }
    return rest_.size() != before;
  }
  std::size_t count_digits() const {
    return static_cast<std::size_t>(
        std::find_if_not(rest_.begin(), rest_.end(), is_digit) - rest_.begin());
  }
  // All digits here, if they are at most eight.
  Digits take_digits() {
    Digits digits{0, count_digits()};
    if (digits.count > 8) return {};
    for (std::size_t k = 0; k < digits.count; ++k) digits.value = 10 * digits.value + rest_[k] - '0';
    rest_.remove_prefix(digits.count);
    return digits;
  }
  std::string_view peek_word() const {
    return rest_.substr(0, static_cast<std::size_t>(
                               std::find_if_not(rest_.begin(), rest_.end(), is_letter) -
                               rest_.begin()));
  }
  bool take_word(std::string_view lower) {
    if (!is_word(rest_.substr(0, lower.size()), lower)) return false;
    rest_.remove_prefix(lower.size());
    return true;
  }

  void skip_weekday() {
    const std::string_view word = peek_word();
    if (word.empty() || name_number(word, kWeekdays) == 0) return;
    rest_.remove_prefix(word.size());
    if (!take(',')) take('.');
    take_blanks();
  }

  bool starts_with_time() const {
    const std::size_t digits = count_digits();
    if (digits == 0 || digits > 2) return false;
    std::string_view after = rest_.substr(digits);
    if (after.starts_with(':')) return true;
    while (after.starts_with(' ')) after.remove_prefix(1);
    return !after.empty() && (small_letter(after[0]) == 'a' || small_letter(after[0]) == 'p') &&
           DateReader(after).has_half_day();
  }
  bool has_half_day() { return take_half_day() && rest_.empty(); }

  bool take_date_part() {
    if (!rest_.empty() && is_letter(rest_.front())) return take_month_first();
    const Digits first = take_digits();
    if (first.count == 8) return take_compact(first.value);
    if (first.count == 4) return take_year_first(first.value);
    if (first.count == 1 || first.count == 2) return take_short_first(first);
    return false;
  }

  // 20200131
  bool take_compact(int digits) {
    if (!rest_.empty() && small_letter(rest_.front()) != 't') return false;
    return fix(digits / 10'000, digits / 100 % 100, digits % 100);
  }

  // 2020-01-31, 2020-Jan-31, 2020-01
  bool take_year_first(int year) {
    const char sign = take_sign();
    if (sign == 0) return false;
    if (const int month = take_month(); month != 0) {
      const Digits day = take(sign) ? take_digits() : Digits{};
      return day.count >= 1 && day.count <= 2 && fix(year, month, day.value);
    }
    if (sign == ' ') return false;
    const Digits month = take_digits();
    if (month.count < 1 || month.count > 2) return false;
    if (rest_.empty() && month.count == 2 && sign != '.') return fix(year, month.value, 1);
    const Digits day = take(sign) ? take_digits() : Digits{};
    return day.count >= 1 && day.count <= 2 && fix(year, month.value, day.value);
  }

  // 31.1.2020, 1/31/20, 12 Jan 2020, 12th January, 2020, 12Jan2020
  bool take_short_first(Digits first) {
    const bool is_ordinal =
        take_word("st"sv) || take_word("nd"sv) || take_word("rd"sv) || take_word("th"sv);
    const char sign = take_sign();
    if (const int month = take_month(); month != 0) {
      take(',');
      if (sign != 0 && sign != ' ') {
        if (!take(sign)) return false;
      } else {
        take_blanks();
      }
      return take_year_after(month, first.value);
    }
    if (is_ordinal || sign == 0 || sign == ' ') return false;
    const Digits second = take_digits();
    if (second.count < 1 || second.count > 2 || !take(sign)) return false;
    const Digits third = take_digits();
    if (third.count != 2 && third.count != 4) return false;
    date_.form = DateText::Form::open;
    date_.first = first.value;
    date_.second = second.value;
    date_.third = full_year(third.value, third.count);
    date_.is_short = first.count == 2 && second.count == 2 && third.count == 2;
    date_.separator = sign;
    return true;
  }

  // Jan 12, 2020, Jan-12-2020, January 2020, Jan-20
  bool take_month_first() {
    const int month = take_month();
    if (month == 0) return false;
    const char sign = take_sign();
    const Digits next = sign != 0 ? take_digits() : Digits{};
    if (next.count == 4) return fix(next.value, month, 1);
    if (next.count != 1 && next.count != 2) return false;
    if (rest_.empty()) {
      return sign == '-' && next.count == 2 && fix(full_year(next.value, 2), month, 1);
    }
    if (!take_word("st"sv) && !take_word("nd"sv) && !take_word("rd"sv)) take_word("th"sv);
    if (rest_.empty()) return false;
    if (sign == ' ' ? !take(',') && rest_.front() != ' ' : !take(sign)) return false;
    take_blanks();
    return take_year_after(month, next.value);
  }

  bool take_year_after(int month, int day) {
    const Digits year = take_digits();
    if (year.count != 2 && year.count != 4) return false;
    return fix(full_year(year.value, year.count), month, day);
  }

  bool fix(int year, int month, int day) {
    date_.form = DateText::Form::fixed;
    date_.first = year;
    date_.second = month;
    date_.third = day;
    return true;
  }

  // The sign between two parts of a date; ' ' for any number of blanks, 0 if there is none.
  char take_sign() {
    for (const char sign : {'-', '/', '.'}) {
      if (take(sign)) return sign;
    }
    return take_blanks() ? ' ' : '\0';
  }

  int take_month() {
    const std::string_view word = peek_word();
    const int month = name_number(word, kMonths);
    if (month == 0) return 0;
    rest_.remove_prefix(word.size());
    if (word.size() <= 4) take('.');
    return month;
  }

  bool take_time_part() {
    if (rest_.empty()) return true;
    if (take('T') || take('t')) return count_digits() > 2 ? take_compact_time() : take_time();
    take(',');
    return take_blanks() && take_time();
  }

  // 161300, 1613
  bool take_compact_time() {
    Digits digits = take_digits();
    if (digits.count == 4) digits = {digits.value * 100, 6};
    if (digits.count != 6) return false;
    return set_time(digits.value / 10'000, digits.value / 100 % 100, digits.value % 100) &&
           take_fraction() && take_zone();
  }

  bool take_time() {
    const Digits hour = take_digits();
    if (hour.count < 1 || hour.count > 2) return false;
    if (!take(':')) {
      take_blanks();
      const std::optional<int> later = take_half_day();
      return later && hour.value >= 1 && hour.value <= 12 &&
             set_time(hour.value % 12 + *later, 0, 0);
    }
    const Digits minute = take_digits();
    Digits second{0, 2};
    if (minute.count != 2) return false;
    if (take(':')) {
      second = take_digits();
      if (second.count != 2 || !take_fraction()) return false;
    }
    const std::string_view before = rest_;
    take_blanks();
    if (const std::optional<int> later = take_half_day()) {
      if (hour.value < 1 || hour.value > 12) return false;
      return set_time(hour.value % 12 + *later, minute.value, second.value) && take_zone();
    }
    rest_ = before;
    return set_time(hour.value, minute.value, second.value) && take_zone();
  }

  bool set_time(int hour, int minute, int second) {
    date_.seconds = (hour * 60 + minute) * 60 + second;
    return hour < 24 && minute < 60 && second < 60;
  }

  bool take_fraction() {
    if (!rest_.starts_with('.') && !rest_.starts_with(',')) return true;
    rest_.remove_prefix(1);
    const std::size_t count = count_digits();
    date_.fraction = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return count >= 1 && count <= kMostFractionDigits;
  }

  // AM and PM, as the hours to add.
  std::optional<int> take_half_day() {
    if (take_word("am"sv) || take_word("a.m."sv)) return 0;
    if (take_word("pm"sv) || take_word("p.m."sv)) return 12;
    return {};
  }

  bool take_zone() {
    if (rest_.empty()) return true;
    take_blanks();
    if (take_word("utc"sv) || take_word("gmt"sv) || take_word("z"sv)) return true;
    const bool is_behind = rest_.starts_with('-');
    if (!take('+') && !take('-')) return false;
    Digits hours = take_digits();
    Digits minutes{0, 2};
    if (hours.count == 4) {
      minutes.value = hours.value % 100;
      hours = {hours.value / 100, 2};
    } else if (take(':')) {
      minutes = take_digits();
    }
    if (hours.count != 2 || minutes.count != 2 || hours.value > 15 || minutes.value > 59) {
      return false;
    }
    const int zone = (hours.value * 60 + minutes.value) * 60;
    date_.zone = is_behind ? -zone : zone;
    return true;
  }

  std::string_view rest_;
  DateText date_ = {};
};

}  // namespace

std::optional<DateText> take_date(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  if (text.size() < 3 || text.size() > kLongest) return {};
  return DateReader(text).read();
}

}  // namespace knotwork::csv
