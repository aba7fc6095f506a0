// SPDX-License-Identifier: MIT
#include "training/choose/option_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"
#include "scoring/units.hpp"
#include "training/resume/checkpoint_state.hpp"

#include <knotwork/split.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

// Fold losses in the checkpoint, for points that were not tried before.
class OptionDescent::LossStore final : public parallel::ResultStore<double> {
 public:
  LossStore(const OptionDescent& descent, const std::vector<Point>& points)
      : descent_(descent), points_(points), checkpoints_(*descent.kept_.checkpoints) {}

  std::optional<double> find(std::size_t task) override {
    return state_of(checkpoints_).fold_loss(name_of(task));
  }
  double keep(std::size_t task, double loss) override {
    state_of(checkpoints_).keep_fold_loss(name_of(task), loss);
    return loss;
  }

 private:
  std::string name_of(std::size_t task) const {
    const std::size_t folds = descent_.rule_.folds;
    return descent_.name_of(points_[task / folds], task % folds);
  }

  const OptionDescent& descent_;
  const std::vector<Point>& points_;
  Checkpoints& checkpoints_;
};

OptionDescent::OptionDescent(const TrainingData& data, std::vector<std::size_t> rows,
                             const TrainOptions& options, DescentRule rule, Clock::time_point begin,
                             std::shared_ptr<Monitor> monitor, FoldLosses kept, Ranks* ranks)
    : data_(data),
      options_(options),
      rule_(std::move(rule)),
      begin_(begin),
      monitor_(std::move(monitor)),
      kept_(kept),
      has_best_model_(!ranks || ranks->size() == 1),
      rows_(std::move(rows)),
      runner_({options.threads, ranks, monitor_, [this] { return look(); }}) {
  // Comparing settings needs fewer rows than training with them.
  if (rows_.size() > rule_.rows) {
    const double share = static_cast<double>(rule_.rows) / static_cast<double>(rows_.size());
    rows_ = split_rows(rows_, share, options.seed, Purpose::folds).held_out;
  }
  rule_.folds = std::min(rule_.folds, rows_.size());
  if (!data.groups.empty()) {
    std::set<double> groups;
    for (std::size_t row : rows_) groups.insert(data.groups[row]);
    rule_.folds = std::min(rule_.folds, groups.size());
  }
  if (rule_.folds < 2) return;
  folds_ = training_folds(data, rows_, rule_.folds, options.seed);
  measure_targets();
}

// The weights of the folds and the variance of the targets, with which the errors of all folds are
// combined as if they were errors of one test part.
void OptionDescent::measure_targets() {
  const auto weight = [&](std::size_t row) {
    return data_.weights.empty() ? 1 : data_.weights[row];
  };
  shares_.assign(rule_.folds, 0);
  double mass = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    shares_[folds_[k]] += weight(rows_[k]);
    mass += weight(rows_[k]);
  }
  for (double& share : shares_) share /= mass;
  unit_ = std::visit([](const auto& targets) { return scoring::unit_of_squares(targets); },
                     data_.targets);
  const auto target = [&](std::size_t row, std::size_t output) {
    return element(data_.targets, row, output) / unit_;
  };
  const std::size_t outputs = columns_of(data_.targets);
  for (std::size_t o = 0; o < outputs; ++o) {
    double mean = 0, squares = 0;
    for (std::size_t row : rows_) mean += weight(row) / mass * target(row, o);
    for (std::size_t row : rows_) {
      const double distance = target(row, o) - mean;
      squares += weight(row) / mass * distance * distance;
    }
    variance_ += squares / static_cast<double>(outputs);
  }
}

std::optional<TrainOptions> OptionDescent::choose() {
  if (rule_.folds < 2) return std::nullopt;
  try_points(first_points());
  if (scores_.empty() || !std::isfinite(scores_.at(best_))) return std::nullopt;
  while (!over()) {
    const std::size_t before = scores_.size();
    try_points(neighbors(best_));
    if (scores_.size() == before) break;
  }
  return options_at(best_);
}

std::vector<TriedSetting> OptionDescent::tried() const {
  std::vector<TriedSetting> list;
  for (const Point& point : order_) {
    TriedSetting& setting = list.emplace_back();
    for (std::size_t a = 0; a < point.size(); ++a) {
      setting.options.emplace_back(rule_.axes[a].option, rule_.axes[a].values[point[a]]);
    }
    setting.score = scores_.at(point);
  }
  return list;
}

std::vector<OptionDescent::Point> OptionDescent::first_points() const {
  std::vector<Point> points = {{}};
  for (const OptionAxis& axis : rule_.axes) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (std::size_t value : axis.first) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<OptionDescent::Point> OptionDescent::neighbors(const Point& point) const {
  std::vector<Point> found;
  for (std::size_t a = 0; a < point.size(); ++a) {
    for (const int step : {-1, 1}) {
      const auto value = static_cast<std::ptrdiff_t>(point[a]) + step;
      if (value < 0 || value >= std::ssize(rule_.axes[a].values)) continue;
      found.push_back(point);
      found.back()[a] = static_cast<std::size_t>(value);
    }
  }
  return found;
}

TrainOptions OptionDescent::options_at(const Point& point) const {
  TrainOptions options = options_;
  for (std::size_t a = 0; a < point.size(); ++a) {
    set_option(options, rule_.axes[a].option, rule_.axes[a].values[point[a]]);
  }
  return options;
}

// Trains all folds of all points. A point counts only if all its folds are done.
void OptionDescent::try_points(const std::vector<Point>& points) {
  std::vector<Point> fresh;
  for (const Point& point : points) {
    if (!scores_.contains(point)) fresh.push_back(point);
  }
  if (fresh.empty()) return;
  const auto losses = fold_losses(fresh);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    const std::span own(losses.begin() + static_cast<std::ptrdiff_t>(k * rule_.folds), rule_.folds);
    if (std::find(own.begin(), own.end(), std::nullopt) != own.end()) continue;
    double mean = 0;
    for (std::size_t fold = 0; fold < rule_.folds; ++fold) mean += shares_[fold] * *own[fold];
    const double score = relative(mean);
    scores_[fresh[k]] = std::isnan(score) ? std::numeric_limits<double>::infinity() : score;
    order_.push_back(fresh[k]);
    if (best_.empty() || scores_[fresh[k]] < scores_[best_]) best_ = fresh[k];
  }
}

// For all folds of the points, point by point.
std::vector<std::optional<double>> OptionDescent::fold_losses(const std::vector<Point>& points) {
  parallel::Tasks<double> tasks;
  tasks.count = points.size() * rule_.folds;
  tasks.evaluate = [&](std::size_t task, const parallel::TaskShare& share) {
    return validate(points[task / rule_.folds], task % rule_.folds, share);
  };
  std::optional<LossStore> store;
  if (kept_.checkpoints) tasks.store = &store.emplace(*this, points);
  tasks.done = [this](std::size_t, double, bool found) {
    ++done_;
    if (!found) ++done_here_;
  };
  tasks.pack = [](double loss, parallel::Packer& to) { to.put(loss); };
  tasks.unpack = [](parallel::Unpacker& from) { return from.get<double>(); };
  planned_ += tasks.count;
  return runner_.run(tasks);
}

// Means of the results of validate(), like scores of one test part.
double OptionDescent::relative(double mean) const {
  if (!data_.classes.empty()) return mean;
  return predicts_quantiles(options_) ? mean / std::sqrt(variance_) : std::sqrt(mean / variance_);
}

std::string OptionDescent::name_of(const Point& point, std::size_t fold) const {
  std::string name = fmt::format("network {}", kept_.design);
  for (std::size_t a = 0; a < point.size(); ++a) {
    name += fmt::format(", {} {}", rule_.axes[a].option, rule_.axes[a].values[point[a]]);
  }
  return name + fmt::format(", fold {} of {}", fold + 1, rule_.folds);
}

// The mean squared error on the rows of the fold, for classes the log loss, for quantiles the
// pinball loss; empty if training was stopped.
std::optional<double> OptionDescent::validate(const Point& point, std::size_t fold,
                                              const parallel::TaskShare& share) {
  TrainOptions own = options_at(point);
  own.threads = share.threads;
  own.ensemble = std::min(own.ensemble, rule_.members);
  own.refit = false;
  own.time_limit = 0;
  own.snapshots = 0;
  std::optional<Model> model;
  try {
    model = train({data_, fold_partition(rows_, folds_, fold)}, own,
                  TrainContext{.monitor = share.monitor});
  } catch (const Error& error) {
    // The fold has equal rows only, or its numbers became infinite. If that is so for all the data,
    // training will report it.
    if (error.kind() != ErrorKind::bad_data && error.kind() != ErrorKind::failed_run) throw;
  }
  const auto loss_of = [this](const Model& trained) {
    // A stopped training may have no scores.
    if (!trained.training.test) return std::numeric_limits<double>::infinity();
    const Scores& scores = *trained.training.test;
    if (scores.classes) return scores.classes->log_loss;
    return scores.pinball ? scores.pinball->loss / unit_ : std::pow(scores.rmse / unit_, 2);
  };
  const double loss = model ? loss_of(*model) : std::numeric_limits<double>::infinity();
  // Only a stop leaves a training without the scores of its test part.
  const bool whole = !model || (model->training.reason != StopReason::requested &&
                                model->training.test.has_value());
  const bool usable = model && model->training.iterations > 0 && std::isfinite(loss);
  if (usable && has_best_model_) {
    const parallel::Lock lock(mutex_);
    if (!best_model_ || loss < loss_of(*best_model_)) best_model_ = std::move(model);
  }
  return whole ? std::optional(loss) : std::nullopt;
}

// Whether there is time for more trainings.
bool OptionDescent::look() {
  // At least one training is completed if the whole limit allows it: otherwise a run that is
  // resumed again and again would never progress.
  const double share = kept_.checkpoints && done_here_ == 0 ? 1 : 0.5;
  const bool in_time = options_.time_limit == 0 || seconds() <= share * options_.time_limit;
  if (!monitor_) return in_time;
  TrainIteration seen;
  seen.phase = Phase::choosing;
  seen.iteration = rule_.before + done_;
  seen.total_iterations = rule_.before + planned_;
  seen.seconds = seconds();
  if (!scores_.empty() && std::isfinite(scores_.at(best_))) seen.validation = scores_.at(best_);
  monitor_->see(
      {.phase = Phase::choosing,
       .share = static_cast<double>(seen.iteration) / static_cast<double>(seen.total_iterations),
       .iteration = &seen});
  return in_time;
}

double OptionDescent::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace knotwork::training
