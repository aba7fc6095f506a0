// SPDX-License-Identifier: MIT
#include "search/strategies/grid.hpp"

#include <numeric>

#include "base/fail.hpp"
#include "search/strategies/strategy.hpp"

namespace knotwork {

using namespace searching;

std::size_t grid_size(const std::vector<Dimension>& space, std::size_t limit) {
  std::size_t size = 1;
  for (const Dimension& dimension : space) {
    if (dimension.values.size() > limit / size) return limit + 1;
    size *= dimension.values.size();
  }
  return size;
}

std::size_t searching::grid_order(const std::vector<Dimension>& space, const GridPoint& point) {
  std::size_t order = 0;
  for (std::size_t d = 0; d < space.size(); ++d) order = order * space[d].values.size() + point[d];
  return order;
}

Setting searching::setting_at(const std::vector<Dimension>& space, const GridPoint& point) {
  Setting setting;
  for (std::size_t d = 0; d < space.size(); ++d) {
    setting.emplace_back(space[d].option, space[d].values[point[d]]);
  }
  return setting;
}

std::vector<GridPoint> searching::combinations(
    const std::vector<std::vector<std::size_t>>& choices) {
  std::vector<GridPoint> points = {{}};
  for (const std::vector<std::size_t>& indices : choices) {
    std::vector<GridPoint> longer;
    longer.reserve(points.size() * indices.size());
    for (const GridPoint& point : points) {
      for (const std::size_t index : indices) {
        longer.push_back(point);
        longer.back().push_back(index);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<GridPoint> searching::grid_points(const std::vector<Dimension>& space) {
  std::vector<std::vector<std::size_t>> choices;
  for (const Dimension& dimension : space) {
    std::vector<std::size_t>& all = choices.emplace_back(dimension.values.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
  }
  return combinations(choices);
}

std::vector<Setting> grid_settings(const std::vector<Dimension>& space) {
  std::vector<Setting> settings;
  for (const GridPoint& point : grid_points(space)) settings.push_back(setting_at(space, point));
  return settings;
}

namespace {

class Grid final : public Strategy {
 public:
  explicit Grid(const SearchOptions& options) : space_(options.space) {}

  Wave next(const std::vector<double>& means) override {
    Wave wave;
    if (!means.empty()) return wave;
    for (const GridPoint& point : grid_points(space_)) {
      wave.candidates.push_back({setting_at(space_, point), grid_order(space_, point)});
    }
    return wave;
  }

 private:
  std::vector<Dimension> space_;
};

}  // namespace

std::unique_ptr<Strategy> searching::make_grid(const SearchOptions& options) {
  if (grid_size(options.space, kMaxSettings) > kMaxSettings) {
    fail(ErrorKind::bad_option,
         "The grid has more than {} settings; give fewer values, or use the strategy refine or "
         "random.",
         kMaxSettings);
  }
  return std::make_unique<Grid>(options);
}

}  // namespace knotwork
