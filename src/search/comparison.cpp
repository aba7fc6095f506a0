// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <knotwork/comparison.hpp>
#include <knotwork/training.hpp>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"
#include "parallel/processor_time.hpp"
#include "parallel/task_runner.hpp"
#include "parallel/watched_work.hpp"

namespace knotwork {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A trained variant in a round.
struct Trained {
  RoundResult result;
  std::size_t parameters = 0;
};

struct Round {
  std::size_t number = 0;
  Partition partition;
  std::vector<std::size_t> inner_folds;  // of the training rows
  std::vector<Setting> settings;         // of all penalties
};

// Scoring such a fold is impossible: NRMSE is undefined if the targets do not vary.
void check_can_be_scored(const TrainingData& data, const Partition& partition, std::size_t fold,
                         std::size_t folds) {
  if (!data.classes.empty()) return;
  for (std::size_t o = 0; o < columns_of(data.targets); ++o) {
    const double first = element(data.targets, partition.test.front(), o);
    for (const std::size_t row : partition.test) {
      if (element(data.targets, row, o) != first) return;
    }
  }
  fail(ErrorKind::bad_data,
       "The target is the same in all {} rows of fold {}, so the fold cannot be scored; use fewer "
       "than {} folds.",
       partition.test.size(), fold + 1, folds);
}

// One call of compare().
class Comparison {
 public:
  Comparison(const TrainingData& data, std::span<const std::size_t> rows,
             const std::vector<Variant>& variants, const ComparisonOptions& options,
             std::shared_ptr<Monitor> monitor)
      : data_(data),
        variants_(variants),
        options_(options),
        monitor_(std::move(monitor)),
        runner_(
            {.threads = options.threads, .monitor = monitor_, .look = [this] { return look(); }}) {
    make_rounds(rows);
    const std::size_t for_choosing = options.budget * options.inner_folds;
    for (const Variant& variant : variants) {
      planned_ += rounds_.size() * (1 + (is_tuned(variant) ? for_choosing : 0));
    }
    result_.classes = !data.classes.empty();
    result_.score_name = compared_score(variants.front().options, result_.classes);
    result_.rows = rows.size();
    result_.trainings = planned_;
  }

  ComparisonResult run();

 private:
  bool is_tuned(const Variant& variant) const {
    return options_.budget > 0 && !variant.tuned.empty();
  }
  void make_rounds(std::span<const std::size_t> rows);
  std::vector<std::size_t> inner_folds(const Round& round) const;
  std::vector<std::optional<Trained>> train_all();
  Trained finish(const Round& round, const Variant& variant,
                 const std::shared_ptr<Monitor>& monitor);
  Setting choose(const Round& round, const Variant& variant, const TrainOptions& options,
                 const std::shared_ptr<Monitor>& monitor);
  double validate(const Round& round, const TrainOptions& options,
                  const std::shared_ptr<Monitor>& monitor);
  void count_training();
  bool look();
  void test_variants();
  void rank_variants();

  const TrainingData& data_;
  const std::vector<Variant>& variants_;
  const ComparisonOptions& options_;
  std::shared_ptr<Monitor> monitor_;
  std::vector<Round> rounds_;
  ComparisonResult result_;
  std::size_t done_ = 0, planned_ = 0;
  parallel::TaskRunner runner_;
};

// Anything wrong is reported before the first training.
void Comparison::make_rounds(std::span<const std::size_t> rows) {
  const bool any_tuned = std::any_of(variants_.begin(), variants_.end(),
                                     [&](const Variant& variant) { return is_tuned(variant); });
  for (std::size_t repeat = 0; repeat < options_.repeats; ++repeat) {
    const std::vector<std::size_t> folds =
        training_folds(data_, rows, options_.folds, options_.seed + repeat);
    for (std::size_t fold = 0; fold < options_.folds; ++fold) {
      Round& round = rounds_.emplace_back();
      round.number = rounds_.size() - 1;
      round.partition = fold_partition(rows, folds, fold);
      check_can_be_scored(data_, round.partition, fold, options_.folds);
      if (!any_tuned) continue;
      round.inner_folds = inner_folds(round);
      round.settings = draw_penalties(options_, round.number);
    }
  }
}

std::vector<std::size_t> Comparison::inner_folds(const Round& round) const {
  try {
    return training_folds(data_, round.partition.train, options_.inner_folds,
                          options_.seed + round.number);
  } catch (const Error& error) {
    throw of_part(error, "Penalties cannot be chosen inside the training rows of a fold");
  }
}

ComparisonResult Comparison::run() {
  for (const Variant& variant : variants_) {
    result_.variants.push_back({.variant = variant, .rounds = {}});
    result_.variants.back().rounds.resize(rounds_.size());
    if (!is_tuned(variant)) result_.variants.back().variant.tuned.clear();
  }
  std::vector<std::optional<Trained>> trained = train_all();
  for (std::size_t task = 0; task < trained.size(); ++task) {
    if (!trained[task]) {
      fail(ErrorKind::stopped, "The comparison was stopped after {} of {} trainings.", done_,
           planned_);
    }
    VariantResult& variant = result_.variants[task % variants_.size()];
    variant.parameters = std::max(variant.parameters, trained[task]->parameters);
    variant.rounds[task / variants_.size()] = std::move(trained[task]->result);
  }
  for (VariantResult& variant : result_.variants) {
    std::vector<double> scores, accuracies, seconds;
    for (const RoundResult& round : variant.rounds) {
      scores.push_back(round.score);
      if (round.accuracy) accuracies.push_back(*round.accuracy);
      seconds.push_back(round.seconds);
      variant.tuning_seconds += round.tuning_seconds;
    }
    variant.score = mean_deviation(scores);
    if (!std::isfinite(variant.score.mean)) variant.score = {kInfinity, kInfinity};
    if (accuracies.size() == rounds_.size()) variant.accuracy = mean_deviation(accuracies);
    variant.seconds = mean_deviation(seconds);
  }
  rank_variants();
  test_variants();
  return std::move(result_);
}

// The variants of a round are consecutive, so that the remaining tasks cost about as much as the
// finished ones.
std::vector<std::optional<Trained>> Comparison::train_all() {
  parallel::Tasks<Trained> tasks;
  tasks.count = rounds_.size() * variants_.size();
  tasks.evaluate = [this](std::size_t task, const parallel::TaskShare& share) {
    return std::optional(finish(rounds_[task / variants_.size()],
                                variants_[task % variants_.size()], share.monitor));
  };
  return runner_.run(tasks);
}

Trained Comparison::finish(const Round& round, const Variant& variant,
                           const std::shared_ptr<Monitor>& monitor) {
  Trained trained;
  RoundResult& result = trained.result;
  TrainOptions options = variant.options;
  options.seed += round.number;
  options.threads = 1;
  options.refit = false;
  options.snapshots = 0;
  const double begin = processor_seconds();
  if (is_tuned(variant)) {
    result.chosen = choose(round, variant, options, monitor);
    for (const auto& [option, value] : result.chosen) set_option(options, option, value);
  }
  const double chosen = processor_seconds();
  result.tuning_seconds = chosen - begin;
  result.score = kInfinity;
  parallel::check_stop(monitor.get());
  try {
    const Model model = train({data_, round.partition}, options, TrainContext{.monitor = monitor});
    if (model.training.reason == StopReason::requested) parallel::check_stop(monitor.get());
    if (!model.training.test)
      fail(ErrorKind::stopped, "The training was stopped before it was scored.");
    const Scores& scores = *model.training.test;
    trained.parameters = model.members.size() * model.members.front().parameters().size();
    if (std::isfinite(scores.to_compare())) {
      result.score = scores.to_compare();
      if (scores.classes) result.accuracy = scores.classes->accuracy;
    } else {
      result.failure = fmt::format("The score is {}.", scores.to_compare());
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::failed_run) throw;
    result.failure = error.what();
  }
  result.seconds = processor_seconds() - chosen;
  count_training();
  return trained;
}

// The best setting of the variant's own penalties; the first of equally good settings.
Setting Comparison::choose(const Round& round, const Variant& variant, const TrainOptions& options,
                           const std::shared_ptr<Monitor>& monitor) {
  Setting best;
  double best_score = kInfinity;
  for (const Setting& drawn : round.settings) {
    Setting own;
    TrainOptions tried = options;
    for (const auto& [option, value] : drawn) {
      if (std::find(variant.tuned.begin(), variant.tuned.end(), option) == variant.tuned.end()) {
        continue;
      }
      own.emplace_back(option, value);
      set_option(tried, option, value);
    }
    const double score = validate(round, tried, monitor);
    if (best.empty() || score < best_score) {
      best = std::move(own);
      best_score = score;
    }
  }
  return best;
}

// The mean over the inner folds; a fold that cannot be trained on or scored makes it infinite.
double Comparison::validate(const Round& round, const TrainOptions& options,
                            const std::shared_ptr<Monitor>& monitor) {
  double sum = 0;
  for (std::size_t fold = 0; fold < options_.inner_folds; ++fold) {
    parallel::check_stop(monitor.get());
    try {
      sum += validate_fold(data_, round.partition.train, round.inner_folds, fold, options, monitor)
                 .to_compare();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::failed_run && error.kind() != ErrorKind::bad_data) throw;
      sum = kInfinity;
    }
    count_training();
  }
  return std::isnan(sum) ? kInfinity : sum / static_cast<double>(options_.inner_folds);
}

void Comparison::count_training() {
  runner_.tell([this] { ++done_; });
}

bool Comparison::look() {
  if (monitor_) {
    monitor_->see({.phase = Phase::comparing,
                   .share = static_cast<double>(done_) / static_cast<double>(planned_),
                   .done = done_,
                   .planned = planned_});
  }
  return true;
}

void Comparison::rank_variants() {
  for (VariantResult& variant : result_.variants) {
    variant.rank =
        1 + static_cast<std::size_t>(std::count_if(
                result_.variants.begin(), result_.variants.end(),
                [&](const VariantResult& other) { return other.score.mean < variant.score.mean; }));
  }
}

void Comparison::test_variants() {
  std::size_t tested = 0, trained = 0;
  for (const Round& round : rounds_) {
    tested += round.partition.test.size();
    trained += round.partition.train.size();
  }
  const double ratio = static_cast<double>(tested) / static_cast<double>(trained);
  const VariantResult& first = result_.variants.front();
  std::vector<double> p;
  for (VariantResult& variant : result_.variants) {
    if (&variant == &first || !std::isfinite(first.score.mean) ||
        !std::isfinite(variant.score.mean)) {
      continue;
    }
    std::vector<double> differences;
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      differences.push_back(variant.rounds[r].score - first.rounds[r].score);
    }
    variant.against_first = corrected_t_test(differences, ratio);
    p.push_back(variant.against_first->p);
  }
  const std::vector<double> adjusted = holm_adjusted(p);
  auto next = adjusted.begin();
  for (VariantResult& variant : result_.variants) {
    if (variant.against_first) variant.adjusted_p = *next++;
  }
}

void check_variants(const std::vector<Variant>& variants) {
  if (variants.size() < 2) {
    fail(ErrorKind::bad_option, "There must be at least two variants to compare, not {}.",
         variants.size());
  }
  std::set<std::string> names;
  for (const Variant& variant : variants) {
    if (!names.insert(variant.name).second) {
      fail(ErrorKind::bad_option, "Two variants have the name '{}'; give each a different name.",
           variant.name);
    }
    check(variant.options);
    if (!scored_alike(variant.options, variants.front().options)) {
      fail(ErrorKind::bad_option,
           "The variants '{}' and '{}' cannot be compared: the pinball loss of quantiles can only "
           "be compared for equal quantiles.",
           variants.front().name, variant.name);
    }
    for (const std::string& option : variant.tuned) {
      const auto& known = penalty_options();
      if (std::find(known.begin(), known.end(), option) != known.end()) continue;
      throw Error(ErrorKind::bad_option, unknown_name_message("penalty", option, known));
    }
  }
}

}  // namespace

ComparisonResult compare(const TrainingData& data, std::span<const std::size_t> rows,
                         const std::vector<Variant>& variants, const ComparisonOptions& options,
                         const std::shared_ptr<Monitor>& monitor) {
  check(options);
  check_variants(variants);
  return Comparison(data, rows, variants, options, monitor).run();
}

}  // namespace knotwork
