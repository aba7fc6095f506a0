// SPDX-License-Identifier: MIT
#include "figures/drawing/row_frame.hpp"

#include <utility>

namespace knotwork::figures {
namespace {

constexpr double kWidth = 360;
constexpr double kEdge = 22;
constexpr double kLabelHeight = 18;
constexpr double kNameSize = 12;

}  // namespace

RowFrame::RowFrame(std::string_view title, std::string_view label, Axis axis, std::size_t rows,
                   std::vector<LegendEntry> entries)
    : title_(title),
      label_(label),
      axis_(std::move(axis)),
      heading_(title, std::move(entries), kWidth - 2 * kEdge),
      box_{kEdge, heading_.height() + 6, kWidth - 2 * kEdge, kRow * static_cast<double>(rows)} {}

Box RowFrame::row(std::size_t index) const {
  return {box_.left, box_.top + kRow * static_cast<double>(index), box_.width, kRow};
}

Svg RowFrame::begin(std::string_view kind, std::string_view description) const {
  const double label = label_.empty() ? 0 : kLabelHeight;
  Svg svg(kWidth, box_.bottom() + Frame::kBelow + label + kEdge / 2, title_.empty() ? kind : title_,
          description);
  heading_.draw(svg, kEdge);
  for (const Tick& tick : axis_.ticks()) {
    const double x = box_.left + tick.share * box_.width;
    svg.line(x, box_.top, x, box_.bottom(), {"#dddddd", 1, ""});
    svg.text(x, box_.bottom() + Frame::kBelow / 2, tick.name,
             {.size = Frame::kSize, .anchor = Anchor::middle});
  }
  return svg;
}

std::string RowFrame::finish(Svg svg) const {
  svg.line(box_.left, box_.bottom(), box_.right(), box_.bottom(), {});
  if (!label_.empty()) {
    svg.text(box_.left + box_.width / 2, box_.bottom() + Frame::kBelow + kLabelHeight / 2,
             fitting_text(label_, 12, box_.width), {.size = 12, .anchor = Anchor::middle});
  }
  return std::move(svg).finish();
}

void draw_row_name(Svg& svg, const Box& row, std::string_view name, std::string_view remark) {
  const double y = row.top + kNameSize / 2 + 3;
  const double taken = remark.empty() ? 0 : text_width(remark, kNameSize) + 12;
  svg.text(row.left, y, fitting_text(name, kNameSize, row.width - taken), {.size = kNameSize});
  if (remark.empty()) return;
  svg.text(row.right(), y, remark, {.size = kNameSize, .anchor = Anchor::end, .color = "#5a5a5a"});
}

}  // namespace knotwork::figures
