// SPDX-License-Identifier: MIT
// These functions are shared by both forms of a heat map: the check, the scale of shades, the names
// of scores.
#pragma once

#include <string>
#include <vector>

#include <knotwork/figures.hpp>

namespace knotwork::figures {

void check_heat_map(const HeatMap& map);

// Maps scores to shades: 0 for the worst and 1 for the best. Only finite scores have a shade.
class ShadeScale {
 public:
  explicit ShadeScale(const HeatMap& map);

  bool empty() const { return scores_.empty(); }
  double share(double score) const;
  // The score at a share, or the nearest one; share(score_at(s)) is its exact share.
  double score_at(double share) const;
  double worst() const { return scores_.front(); }
  double best() const { return scores_.back(); }
  // With enough digits to tell apart the scores on a scale of five steps.
  std::string name(double score) const;

 private:
  std::vector<double> scores_;  // distinct, from the worst to the best
  Shading shading_;
  int digits_ = 3;
};

// "#rrggbb" from pale (0) to dark (1); every step is darker in gray too.
std::string shade_color(double share);

// "0.12 at x = 2^3, y = 2^-5"
std::string best_text(const HeatMap& map, const ShadeScale& scale);

}  // namespace knotwork::figures
