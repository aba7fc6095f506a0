// SPDX-License-Identifier: MIT
// LabeledFrame is a frame with labels on its axes and a heading above; most figures consist of one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/drawing/axis.hpp"
#include "figures/drawing/legend.hpp"

namespace knotwork::figures {

struct Labels {
  std::string title = "", x = "", y = "";
};

class LabeledFrame {
 public:
  static constexpr Box kWide{0, 0, 460, 270};
  static constexpr Box kMiddle{0, 0, 400, 250};  // easier to read on a phone
  static constexpr Box kSquare{0, 0, 340, 340};

  // Only the size of the frame's box is used; its position is computed here.
  LabeledFrame(const Labels& labels, Frame frame, std::vector<LegendEntry> entries);

  const Frame& frame() const { return frame_; }
  // A page with the heading and the grid. `kind` is the title of a figure without a title.
  Svg begin(std::string_view kind, std::string_view description) const;
  // Draws the axes and their labels on top of everything drawn before.
  std::string finish(Svg svg) const;

 private:
  Labels labels_;
  Frame frame_;
  Heading heading_;
};

}  // namespace knotwork::figures
