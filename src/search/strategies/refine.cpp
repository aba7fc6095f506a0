// SPDX-License-Identifier: MIT
// The refine strategy: a pattern search over the points of the ranges, from a coarse to a fine
// grid.
//
// At most 6 points of each range are tried first, evenly spaced and including both ends: every
// fifth point of 2^-20..2^5, so that two such ranges begin with 36 settings. Then the neighbors of
// the best point follow, diagonal ones too, at half the distance. While neighbors bring a better
// point, its own neighbors follow; otherwise the distance is halved, down to single steps. Lists
// have no neighbors: each combination of their values is a region that is refined around its own
// best point.
#include <algorithm>
#include <limits>
#include <set>

#include "base/fail.hpp"
#include "search/strategies/grid.hpp"
#include "search/strategies/strategy.hpp"

namespace knotwork::searching {
namespace {

using Indices = std::vector<std::size_t>;

constexpr std::size_t kCoarseSteps = 5;
constexpr std::size_t kMaxGrid = std::size_t{1} << 62;  // the points must be countable

std::size_t first_stride(const Dimension& dimension) {
  if (!dimension.range) return 1;
  return std::max<std::size_t>(1, (dimension.values.size() + kCoarseSteps - 2) / kCoarseSteps);
}

// Rounded up: if rounded down, steps of 5, 2 and 1 would never reach a point 4 away from the best.
std::size_t half(std::size_t stride) {
  return (stride + 1) / 2;
}

Indices coarse(std::size_t points, std::size_t stride) {
  Indices indices;
  for (std::size_t k = 0; k < points; k += stride) indices.push_back(k);
  if (indices.back() != points - 1) indices.push_back(points - 1);
  return indices;
}

Indices around(std::size_t center, std::size_t points, std::size_t stride) {
  Indices indices = {center - std::min(center, stride), center,
                     std::min(center + stride, points - 1)};
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

struct Region {
  GridPoint best;  // its indices of lists are the indices of the region
  std::size_t best_order = 0;
  double best_mean = std::numeric_limits<double>::infinity();
  Indices strides;
};

class Refine final : public Strategy {
 public:
  explicit Refine(const SearchOptions& options) : space_(options.space) {
    std::vector<Indices> lists;
    Indices strides;
    for (const Dimension& dimension : space_) {
      lists.push_back(dimension.range ? Indices{0} : coarse(dimension.values.size(), 1));
      strides.push_back(first_stride(dimension));
    }
    for (const GridPoint& point : combinations(lists)) {
      regions_.push_back({.best = point, .strides = strides});
    }
  }

  Wave next(const std::vector<double>& means) override {
    const bool first = means.empty();
    for (std::size_t k = 0; k < means.size(); ++k) take(asked_[k], means[k]);
    asked_.clear();
    Wave wave;
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      for (const GridPoint& point : first ? coarse_points(regions_[r]) : neighbors(regions_[r])) {
        asked_.push_back({r, point});
        wave.candidates.push_back({setting_at(space_, point), grid_order(space_, point)});
      }
    }
    return wave;
  }

 private:
  struct Asked {
    std::size_t region = 0;
    GridPoint point;
  };

  void take(const Asked& asked, double mean) {
    Region& region = regions_[asked.region];
    const std::size_t order = grid_order(space_, asked.point);
    if (mean < region.best_mean || (mean == region.best_mean && order < region.best_order)) {
      region.best = asked.point;
      region.best_order = order;
      region.best_mean = mean;
    }
  }

  std::vector<GridPoint> coarse_points(const Region& region) {
    std::vector<Indices> choices;
    for (std::size_t d = 0; d < space_.size(); ++d) {
      choices.push_back(space_[d].range ? coarse(space_[d].values.size(), region.strides[d])
                                        : Indices{region.best[d]});
    }
    return unseen(choices);
  }

  // Empty when the region is finished.
  std::vector<GridPoint> neighbors(Region& region) {
    if (region.best_mean == std::numeric_limits<double>::infinity()) return {};
    while (true) {
      std::vector<Indices> choices;
      for (std::size_t d = 0; d < space_.size(); ++d) {
        choices.push_back(space_[d].range
                              ? around(region.best[d], space_[d].values.size(), region.strides[d])
                              : Indices{region.best[d]});
      }
      std::vector<GridPoint> points = unseen(choices);
      const bool finest = std::all_of(region.strides.begin(), region.strides.end(),
                                      [](std::size_t stride) { return stride == 1; });
      if (!points.empty() || finest) return points;
      std::transform(region.strides.begin(), region.strides.end(), region.strides.begin(), half);
    }
  }

  std::vector<GridPoint> unseen(const std::vector<Indices>& choices) {
    std::vector<GridPoint> points = combinations(choices);
    std::erase_if(points, [&](const GridPoint& point) { return !seen_.insert(point).second; });
    return points;
  }

  std::vector<Dimension> space_;
  std::vector<Region> regions_;
  std::vector<Asked> asked_;
  std::set<GridPoint> seen_;
};

}  // namespace

std::unique_ptr<Strategy> make_refine(const SearchOptions& options) {
  std::size_t settings = 1;
  for (const Dimension& dimension : options.space) {
    settings *= coarse(dimension.values.size(), first_stride(dimension)).size();
    if (settings <= kMaxSettings && grid_size(options.space, kMaxGrid) <= kMaxGrid) continue;
    fail(ErrorKind::bad_option,
         "The space is too large to refine: its coarse grid alone has more than {} settings; "
         "search fewer options at a time, or use the strategy random.",
         kMaxSettings);
  }
  return std::make_unique<Refine>(options);
}

}  // namespace knotwork::searching
