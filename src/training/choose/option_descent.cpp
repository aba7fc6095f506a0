// SPDX-License-Identifier: MIT
#include "training/choose/option_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/fail.hpp"
#include "parallel/message.hpp"
#include "parallel/thread_pool.hpp"
#include "scoring/units.hpp"
#include "training/data/scaled_samples.hpp"
#include "training/resume/checkpoint_state.hpp"

#include <knotwork/split.hpp>
#include <knotwork/training.hpp>

namespace knotwork::training {

OptionDescent::OptionDescent(const TrainingData& data, std::vector<std::size_t> rows,
                             const TrainOptions& options, DescentRule rule, Clock::time_point begin,
                             const TrainObserver& observer, FoldLosses kept, Ranks* ranks)
    : data_(data),
      options_(options),
      rule_(std::move(rule)),
      begin_(begin),
      observer_(observer),
      kept_(kept),
      ranks_(ranks),
      rows_(std::move(rows)) {
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

// What folds weigh and how far the targets spread, so that the errors of all folds can be put
// together as if they were those of one test part.
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

// All folds of all points side by side. A point that was not carried through does not count.
void OptionDescent::try_points(const std::vector<Point>& points) {
  std::vector<Point> fresh;
  for (const Point& point : points) {
    if (!scores_.contains(point)) fresh.push_back(point);
  }
  const std::size_t tasks = fresh.size() * rule_.folds;
  if (tasks == 0) return;
  planned_ += tasks;
  std::vector<std::optional<double>> losses(tasks);
  const std::size_t threads = parallel::ThreadPool::resolve(options_.threads);
  const std::size_t own_tasks =
      ranks_ ? (tasks + ranks_->size() - 1 - ranks_->rank()) / ranks_->size() : tasks;
  parallel::ThreadPool pool(std::min(threads, std::max<std::size_t>(1, own_tasks)));
  pool.run(tasks, [&](std::size_t task, std::size_t) {
    if (over() || (ranks_ && task % ranks_->size() != ranks_->rank())) return;
    losses[task] = fold_loss(fresh[task / rule_.folds], task % rule_.folds,
                             std::max<std::size_t>(1, threads / own_tasks));
  });
  if (ranks_) share_losses(fresh, losses);
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

// Every process has the losses of its own tasks, and gets those of the others.
void OptionDescent::share_losses(const std::vector<Point>& points,
                                 std::vector<std::optional<double>>& losses) {
  parallel::Packer own;
  for (std::size_t task = ranks_->rank(); task < losses.size(); task += ranks_->size()) {
    own.put(losses[task].has_value());
    own.put(losses[task].value_or(0));
  }
  const std::vector<Ranks::Bytes> all = ranks_->gather(own.take());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    parallel::Unpacker theirs(all[rank]);
    for (std::size_t task = rank; task < losses.size(); task += all.size()) {
      const bool carried_through = theirs.get<bool>();
      const auto loss = theirs.get<double>();
      losses[task] = carried_through ? std::optional(loss) : std::nullopt;
      if (rank == ranks_->rank() || !carried_through) continue;
      ++done_;
      if (kept_.checkpoints) {
        state_of(*kept_.checkpoints)
            .keep_fold_loss(name_of(points[task / rule_.folds], task % rule_.folds), loss);
      }
    }
  }
  best_model_.reset();
  ended_ = ranks_->any(ended_);
  out_of_time_ = ranks_->any(out_of_time_);
}

// Means of what validate() returns, as the scores of one test part.
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

// That of validate(), which need not be computed a second time.
std::optional<double> OptionDescent::fold_loss(const Point& point, std::size_t fold,
                                               std::size_t threads) {
  if (!kept_.checkpoints) return validate(point, fold, threads);
  const std::string name = name_of(point, fold);
  if (const std::optional<double> known = state_of(*kept_.checkpoints).fold_loss(name)) {
    const parallel::Lock lock(mutex_);
    ++done_;
    return known;
  }
  const std::optional<double> loss = validate(point, fold, threads);
  if (loss) state_of(*kept_.checkpoints).keep_fold_loss(name, *loss);
  return loss;
}

// The mean squared error on the rows of the fold, of classes the log loss, of quantiles the pinball
// loss; nothing if training was cut short.
std::optional<double> OptionDescent::validate(const Point& point, std::size_t fold,
                                              std::size_t threads) {
  TrainOptions own = options_at(point);
  own.threads = threads;
  own.ensemble = std::min(own.ensemble, rule_.members);
  own.refit = false;
  own.time_limit = 0;
  own.snapshots = 0;
  std::optional<Model> model;
  try {
    model = train(data_, fold_partition(rows_, folds_, fold), own,
                  [this](const TrainIteration&) { return go_on(); });
  } catch (const Error& error) {
    // A fold whose rows are all alike, or a training that left the finite numbers; if it is the
    // data as a whole, training will say so.
    if (error.kind() != ErrorKind::bad_data && error.kind() != ErrorKind::failed_run) throw;
  }
  const auto loss_of = [this](const Model& trained) {
    const Scores& scores = *trained.training.test;
    if (scores.classes) return scores.classes->log_loss;
    return scores.pinball ? scores.pinball->loss / unit_ : std::pow(scores.rmse / unit_, 2);
  };
  const double loss = model ? loss_of(*model) : std::numeric_limits<double>::infinity();
  const bool whole = !model || model->training.reason != StopReason::requested;
  const bool usable = model && model->training.iterations > 0 && std::isfinite(loss);
  const parallel::Lock lock(mutex_);
  if (usable && (!best_model_ || loss < loss_of(*best_model_))) {
    best_model_ = std::move(model);
  }
  if (!whole) return std::nullopt;
  ++done_;
  ++done_here_;
  if (!over()) report();
  return loss;
}

// Asked in every iteration of every training; the observer is asked ten times a second at most.
bool OptionDescent::go_on() {
  if (over()) return false;
  const parallel::TryLock lock(mutex_);
  if (!lock || seconds() - asked_ < 0.1) return true;
  asked_ = seconds();
  return report();
}

// With the mutex held.
bool OptionDescent::report() {
  // One training at least is carried through if the whole limit allows it: a run that goes on from
  // a checkpoint again and again would otherwise never get anywhere.
  const double share = kept_.checkpoints && done_here_ == 0 ? 1 : 0.5;
  if (options_.time_limit > 0 && seconds() > share * options_.time_limit) out_of_time_ = true;
  TrainIteration seen;
  seen.phase = TrainPhase::choosing;
  seen.iteration = rule_.before + done_;
  seen.total_iterations = rule_.before + planned_;
  seen.seconds = seconds();
  if (!scores_.empty() && std::isfinite(scores_.at(best_))) seen.validation = scores_.at(best_);
  if (!observer_) return !over();
  // Never ended for a moment only: trainings in other threads look at it meanwhile.
  try {
    if (!observer_(seen)) ended_ = true;
  } catch (...) {
    ended_ = true;
    throw;
  }
  return !over();
}

double OptionDescent::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace knotwork::training
