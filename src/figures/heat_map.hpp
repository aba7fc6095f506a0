// SPDX-License-Identifier: MIT
// What the two forms of a heat map share: the check, the scale of shades, the names of scores.
#pragma once

#include <string>
#include <vector>

#include <knotwork/figures.hpp>

namespace knotwork::figures {

void check_heat_map(const HeatMap& map);

// From scores to shades: 0 for the worst and 1 for the best. Only finite scores have one.
class ShadeScale {
 public:
  explicit ShadeScale(const HeatMap& map);

  bool empty() const { return scores_.empty(); }
  double share(double score) const;
  // The score at, or next to, a share; share(score_at(s)) says exactly where it is.
  double score_at(double share) const;
  double worst() const { return scores_.front(); }
  double best() const { return scores_.back(); }
  // With so many digits that the scores on a scale of five steps can be told apart.
  std::string name(double score) const;

 private:
  std::vector<double> scores_;  // all different, from the worst to the best
  Shading shading_;
  int digits_ = 3;
};

// "#rrggbb" from pale (0) to dark (1); darker in grey, too, with every step.
std::string shade_color(double share);

// "0.12 at x = 2^3, y = 2^-5"
std::string best_text(const HeatMap& map, const ShadeScale& scale);

}  // namespace knotwork::figures
