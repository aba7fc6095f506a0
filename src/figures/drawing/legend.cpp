// SPDX-License-Identifier: MIT
#include "figures/drawing/legend.hpp"

#include <utility>

namespace knotwork::figures {
namespace {

constexpr double kTop = 10;
constexpr double kTitleSize = 14;
constexpr double kTitleHeight = 24;
constexpr double kSize = 12;
constexpr double kRow = 20;
constexpr double kGap = 6;       // between a sample and its name
constexpr double kBetween = 18;  // between two entries

}  // namespace

Heading::Heading(std::string_view title, std::vector<LegendEntry> entries, double width)
    : title_(fitting_text(title, kTitleSize, width)), entries_(std::move(entries)) {
  height_ = kTop + (title_.empty() ? 0 : kTitleHeight);
  double across = 0;
  for (LegendEntry& entry : entries_) {
    entry.name = fitting_text(entry.name, kSize, width - LegendEntry::kWidth - kGap);
    const double needed = LegendEntry::kWidth + kGap + text_width(entry.name, kSize);
    if (across > 0 && across + needed > width) {
      across = 0;
      height_ += kRow;
    }
    places_.push_back({across, height_ + kRow / 2});
    across += needed + kBetween;
  }
  if (!entries_.empty()) height_ += kRow;
}

void Heading::draw(Svg& svg, double left) const {
  if (!title_.empty()) {
    svg.text(left, kTop + kTitleHeight / 2 - 2, title_, {.size = kTitleSize, .bold = true});
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const double x = left + places_[i].x, y = places_[i].y;
    entries_[i].draw(svg, x, y);
    svg.text(x + LegendEntry::kWidth + kGap, y, entries_[i].name, {.size = kSize});
  }
}

}  // namespace knotwork::figures
