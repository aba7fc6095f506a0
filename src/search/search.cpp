// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include <knotwork/search.hpp>

#include "base/fail.hpp"
#include "base/processor_time.hpp"
#include "search/strategy.hpp"
#include "search/trial.hpp"
#include "search/workers.hpp"

namespace knotwork {
namespace {

struct Trial {
  std::int64_t number = 0;  // in the study
  std::size_t order = 0;
  TrialRecord record;
};

// A larger budget tells more than a better score with a smaller one.
bool is_better(const Trial& a, const Trial& b) {
  if (a.record.budget != b.record.budget) return a.record.budget > b.record.budget;
  if (a.record.mean != b.record.mean) return a.record.mean < b.record.mean;
  return a.order < b.order;
}

// One call of search(): all trials so far, and the threads that work on the latest wave.
class Run {
 public:
  Run(const SearchOptions& options, Study& study, const std::string& scope,
      const Evaluate& evaluate, const SearchObserver& observer)
      : options_(options), study_(study), scope_(scope), evaluate_(evaluate), observer_(observer) {}

  std::vector<double> work_on(const Wave& wave);
  bool stopped() const { return stop_.stop_requested(); }
  SearchResult result() const;

 private:
  enum class FoldEnd { finished, given_up, begun_elsewhere };
  enum class Begun { is_left, is_evaluated };  // a fold that another process has begun
  FoldEnd finish_fold(std::size_t trial, std::size_t fold, Begun elsewhere);
  std::optional<FoldScore> evaluate(const TrialRecord& trial, std::size_t fold) const;
  void take(std::size_t trial, const FoldScore& score, bool found);
  [[noreturn]] void refuse_all_failed() const;

  const SearchOptions& options_;
  Study& study_;
  const std::string& scope_;
  const Evaluate& evaluate_;
  const SearchObserver& observer_;

  std::vector<Trial> trials_;  // grows only while no threads are at work
  std::size_t first_ = 0;      // trial of the current wave
  std::stop_source stop_;

  std::mutex mutex_;                 // for what follows, and for the trials' scores
  std::optional<std::size_t> best_;  // of the complete trials without a failed fold
  std::size_t done_ = 0;
  std::size_t evaluated_ = 0;
};

std::vector<double> Run::work_on(const Wave& wave) {
  std::vector<Setting> settings;
  for (const Candidate& candidate : wave.candidates) settings.push_back(candidate.setting);
  const std::vector<std::int64_t> numbers =
      study_.begin(scope_, settings, wave.budget, options_.folds);
  first_ = trials_.size();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    trials_.push_back({numbers[k], wave.candidates[k].order, {}});
    trials_.back().record.setting = std::move(settings[k]);
    trials_.back().record.budget = wave.budget;
    summarise(trials_.back().record, options_.folds);
  }
  // Processes divide the work: what another one has begun comes last. It is evaluated all the same
  // if it is not done by then, as nobody can tell a process that died from one that takes long.
  std::vector<std::size_t> left;
  const auto work = [&](std::size_t k, Begun elsewhere) {
    const FoldEnd end = finish_fold(first_ + k / options_.folds, k % options_.folds, elsewhere);
    if (end == FoldEnd::given_up) stop_.request_stop();
    if (end != FoldEnd::begun_elsewhere) return;
    const std::lock_guard lock(mutex_);
    left.push_back(k);
  };
  run_side_by_side(options_.threads, numbers.size() * options_.folds, stop_,
                   [&](std::size_t k) { work(k, Begun::is_left); });
  std::sort(left.begin(), left.end());
  run_side_by_side(options_.threads, left.size(), stop_,
                   [&](std::size_t k) { work(left[k], Begun::is_evaluated); });
  std::vector<double> means;
  for (std::size_t k = first_; k < trials_.size(); ++k) means.push_back(trials_[k].record.mean);
  return means;
}

Run::FoldEnd Run::finish_fold(std::size_t trial, std::size_t fold, Begun elsewhere) {
  const std::int64_t number = trials_[trial].number;
  // Asked for each fold, not once: another process may have been here in the meantime.
  std::optional<FoldScore> score = study_.find(number, fold);
  const bool found = score.has_value();
  const bool claimed = !found && study_.claim(number, fold);
  if (!found && !claimed && elsewhere == Begun::is_left) return FoldEnd::begun_elsewhere;
  if (!found) score = evaluate(trials_[trial].record, fold);
  if (!score) {
    if (claimed) study_.give_up(number, fold);
    return FoldEnd::given_up;
  }
  std::lock_guard lock(mutex_);
  if (!found) score = study_.store(number, *score);
  take(trial, *score, found);
  return FoldEnd::finished;
}

std::optional<FoldScore> Run::evaluate(const TrialRecord& trial, std::size_t fold) const {
  FoldScore score{fold, std::numeric_limits<double>::infinity(), 0, ""};
  const double begin = processor_seconds();
  try {
    const std::optional<double> value =
        evaluate_({trial.setting, fold, trial.budget, stop_.get_token()});
    if (!value) return std::nullopt;
    if (std::isfinite(*value)) {
      score.score = *value;
    } else {
      score.message = fmt::format("The score is {}.", *value);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::failed_run) throw;
    score.message = error.what();
  }
  score.seconds = processor_seconds() - begin;
  return score;
}

void Run::take(std::size_t trial, const FoldScore& score, bool found) {
  TrialRecord& record = trials_[trial].record;
  const auto place = std::find_if(record.scores.begin(), record.scores.end(),
                                  [&](const FoldScore& other) { return other.fold > score.fold; });
  record.scores.insert(place, score);
  summarise(record, options_.folds);
  ++done_;
  if (!found) ++evaluated_;
  if (record.complete && std::isfinite(record.mean) &&
      (!best_ || is_better(trials_[trial], trials_[*best_]))) {
    best_ = trial;
  }
  if (!observer_) return;
  const TrialRecord* best = best_ ? &trials_[*best_].record : nullptr;
  const std::size_t planned = trials_.size() * options_.folds;
  if (!observer_({done_, planned, record.setting, record.budget, score, found, best})) {
    stop_.request_stop();
  }
}

SearchResult Run::result() const {
  SearchResult result;
  result.stopped = stopped();
  result.evaluated = evaluated_;
  for (const Trial& trial : trials_) result.trials.push_back(trial.record);
  if (best_) result.winner = trials_[*best_].record;
  if (!best_ && !stopped()) refuse_all_failed();
  return result;
}

void Run::refuse_all_failed() const {
  for (const FoldScore& score : trials_.front().record.scores) {
    if (std::isfinite(score.score)) continue;
    fail(ErrorKind::failed_run, "All {} trials failed, the first one on fold {} with: {}",
         trials_.size(), score.fold + 1, score.message);
  }
  fail(ErrorKind::failed_run,
       "All {} trials failed; the scores of the first one are too large to be averaged.",
       trials_.size());
}

}  // namespace

SearchResult search(const SearchOptions& options, Study& study, const std::string& scope,
                    const Evaluate& evaluate, const SearchObserver& observer) {
  check(options);
  const std::unique_ptr<Strategy> strategy = make_strategy(options);
  Run run(options, study, scope, evaluate, observer);
  std::vector<double> means;
  while (!run.stopped()) {
    const Wave wave = strategy->next(means);
    if (wave.candidates.empty()) break;
    means = run.work_on(wave);
  }
  return run.result();
}

}  // namespace knotwork
