// SPDX-License-Identifier: MIT
#include "table/csv/cells/column_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quoting.hpp"
#include "table/csv/cells/date_seconds.hpp"

namespace knotwork::csv {
namespace {

using Reason = ColumnDecision::Reason;

class RemarkWriter {
 public:
  RemarkWriter(const std::string& column, const ColumnDecision& decision, const ColumnTally& tally,
               std::size_t rows, const FormattedCells* cells)
      : column_(column),
        name_(shown(column)),
        decision_(decision),
        tally_(tally),
        cells_(cells),
        count_(rows - tally.missing) {}

  std::optional<Remark> write() const {
    if (cells_ && cells_->example().empty()) return misfits_only();
    switch (decision_.reason) {
      case Reason::usual:
        return {};
      case Reason::said:
        return misfits_only();
      case Reason::dates:
        return dates();
      case Reason::doubtful_dates:
        return doubtful_dates();
      case Reason::styled:
        return numbers({.purpose = "to read it as text", .settings = {{"categorical", column_}}});
      case Reason::doubtful_groups:
        return doubtful_groups();
      case Reason::few_words:
        return few_words();
      case Reason::few_levels:
        return few_levels();
      case Reason::many_words:
        return Remark({}, fmt::format("Column '{}' is read as text, because {} of its {} cells, "
                                      "{}, are not numbers.",
                                      name_, tally_.others, count_, examples()));
      case Reason::few_dates:
        return few_dates();
    }
    return {};
  }

 private:
  // The rest of a sentence about cells that do not fit.
  std::string misfits() const {
    if (cells_->misfits() == 0) return "";
    return fmt::format(", and {} of its {} cells, such as '{}', {} as missing", cells_->misfits(),
                       count_, shown(cells_->misfit()), counts(cells_->misfits()));
  }
  static const char* counts(std::size_t cells) { return cells == 1 ? "counts" : "count"; }

  // The cells that are not plain numbers, or three of them.
  std::string examples() const {
    constexpr std::size_t kMost = 3;
    const std::size_t all = tally_.texts.values().size(), most = std::min(kMost, all);
    std::string list = all > kMost ? "such as " : "";
    for (std::size_t k = 0; k < most; ++k) {
      list += k == 0 ? "" : k + 1 == most ? " and " : ", ";
      list += fmt::format("'{}'", shown(tally_.texts.values()[k]));
    }
    return list;
  }

  // "'31/12/2020' is read as 2020-12-31"
  std::string example() const {
    const bool is_time = decision_.reading.format->date == DateOrder::time_of_day;
    const double value = cells_->example_value();
    std::string meaning = fmt::format("{}", value);
    if (is_time) meaning = fmt::format("{} seconds after midnight", value);
    if (decision_.reading.is_date() && !is_time) meaning = iso_date(value);
    return fmt::format("'{}' is read as {}", shown(cells_->example()), meaning);
  }

  std::optional<Remark> misfits_only() const {
    if (!cells_ || cells_->misfits() == 0) return {};
    return Remark({}, fmt::format("In column '{}' {} of {} cells, such as '{}', do not have the "
                                  "form of the column and count as missing.",
                                  name_, cells_->misfits(), count_, shown(cells_->misfit())));
  }

  Remark dates() const {
    const bool is_time = decision_.reading.format->date == DateOrder::time_of_day;
    return {{.purpose = "to read it as text", .settings = {{"no-date", column_}}},
            fmt::format("Column '{}' has {}: {}{}.", name_, is_time ? "times of the day" : "dates",
                        example(), misfits())};
  }

  Remark doubtful_dates() const {
    const bool day_first = decision_.reading.format->date == DateOrder::day_first;
    return {{.purpose = day_first ? "to read the month first" : "to read the day first",
             .settings = {{"date", column_ + (day_first ? "=mdy" : "=dmy")}}},
            fmt::format("Column '{}' has dates that do not show whether the day or the month comes "
                        "first: {}, the {} first{}.",
                        name_, example(), day_first ? "day" : "month", misfits())};
  }

  Remark numbers(Hint hint) const {
    return {std::move(hint), fmt::format("Column '{}' has numbers with signs: {}{}.", name_,
                                         example(), misfits())};
  }

  Remark doubtful_groups() const {
    const bool comma = decision_.reading.format->decimal_comma;
    return numbers({.purpose = comma ? "if the point is the decimal sign"
                                     : "if the comma is the decimal sign",
                    .settings = {{"decimal", comma ? "point" : "comma"}}});
  }

  Remark few_words() const {
    return {{.purpose = "to declare them missing or to read the column as text",
             .settings = {{"missing", tally_.texts.values().front()}, {"categorical", column_}}},
            fmt::format("In column '{}' {} of {} cells, {}, {} not {} and {} as missing.",
                        name_, tally_.others, count_, examples(),
                        tally_.others == 1 ? "is" : "are",
                        tally_.others == 1 ? "a number" : "numbers", counts(tally_.others))};
  }

  Remark few_levels() const {
    const bool is_one = tally_.texts.values().size() == 1;
    Hint hint;
    if (is_one) {
      hint = {.purpose = "to read it as numbers, with this text as missing",
              .settings = {{"missing", tally_.texts.values().front()}}};
    }
    return {std::move(hint),
            fmt::format("Column '{}' is read as text, because {} {}.", name_, examples(),
                        is_one ? "is not a number" : "are not numbers")};
  }

  Remark few_dates() const {
    const DateCounts& dates = tally_.dates;
    const std::size_t most =
        std::max({dates.year_first, dates.day_first, dates.month_first, dates.time});
    return {{.purpose = "to read it as dates, with the other cells as missing",
             .settings = {{"date", column_}}},
            fmt::format("Column '{}' is read as text, because only {} of its {} cells are dates.",
                        name_, most, count_)};
  }

  const std::string& column_;
  const std::string name_;
  const ColumnDecision& decision_;
  const ColumnTally& tally_;
  const FormattedCells* cells_;
  const std::size_t count_;  // of the cells that are not missing
};

}  // namespace

std::optional<Remark> remark_on(const std::string& column, const ColumnDecision& decision,
                                const ColumnTally& tally, std::size_t rows,
                                const FormattedCells* cells) {
  return RemarkWriter(column, decision, tally, rows, cells).write();
}

}  // namespace knotwork::csv
