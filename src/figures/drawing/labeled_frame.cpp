// SPDX-License-Identifier: MIT
#include "figures/drawing/labeled_frame.hpp"

#include <utility>

namespace knotwork::figures {
namespace {

constexpr double kEdge = 12;
constexpr double kLabelHeight = 20;

double room_for(const std::string& label) {
  return label.empty() ? 0 : kLabelHeight;
}

Frame moved_right(Frame frame, const Labels& labels) {
  frame.box.left = kEdge + room_for(labels.y) + Frame::kTick + frame.y.widest_name(Frame::kSize);
  return frame;
}

}  // namespace

LabeledFrame::LabeledFrame(const Labels& labels, Frame frame, std::vector<LegendEntry> entries)
    : labels_(labels),
      frame_(moved_right(std::move(frame), labels)),
      heading_(labels.title, std::move(entries), frame_.box.right()) {
  frame_.box.top = heading_.height() + 10;
}

Svg LabeledFrame::begin(std::string_view kind, std::string_view description) const {
  const Box& box = frame_.box;
  const double height = box.bottom() + frame_.below() + room_for(labels_.x) + kEdge / 2;
  Svg svg(box.right() + 2 * kEdge, height, labels_.title.empty() ? kind : labels_.title,
          description);
  heading_.draw(svg, kEdge);
  frame_.draw_grid(svg);
  return svg;
}

std::string LabeledFrame::finish(Svg svg) const {
  const Box& box = frame_.box;
  frame_.draw_axes(svg);
  if (!labels_.y.empty()) {
    svg.text(kEdge + kLabelHeight / 2 - 4, box.top + box.height / 2,
             fitting_text(labels_.y, 12, box.height),
             {.size = 12, .anchor = Anchor::middle, .upwards = true});
  }
  if (!labels_.x.empty()) {
    svg.text(box.left + box.width / 2, box.bottom() + frame_.below() + 10,
             fitting_text(labels_.x, 12, box.width), {.size = 12, .anchor = Anchor::middle});
  }
  return std::move(svg).finish();
}

}  // namespace knotwork::figures
