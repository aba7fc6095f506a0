// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include <knotwork/search.hpp>

#include "base/fail.hpp"
#include "search/shared_folds.hpp"
#include "search/strategies/strategy.hpp"
#include "search/study/trial.hpp"
#include "search/task_runner.hpp"

namespace knotwork {

using namespace searching;
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
      const Evaluate& evaluate, const SearchObserver& observer, SharedFolds* shared)
      : options_(options),
        study_(study),
        scope_(scope),
        evaluate_(evaluate),
        observer_(observer),
        shared_(shared) {}

  std::vector<double> work_on(const Wave& wave);
  bool stopped() const { return stop_.stop_requested(); }
  SearchResult result() const;

 private:
  struct OpenFold {
    std::size_t trial = 0;
    std::size_t fold = 0;
    bool claimed = false;  // by this search; otherwise another process has begun it, too
  };
  enum class Begun { is_left, is_evaluated };  // a fold that another process has begun

  // Folds of the wave are numbered through, trial by trial.
  void work_through(const std::vector<std::size_t>& folds, Begun elsewhere);
  void work_together_through(const std::vector<std::size_t>& folds, Begun elsewhere);
  std::optional<OpenFold> open(std::size_t fold_of_wave, Begun elsewhere);
  void close(const OpenFold& opened, const std::optional<FoldScore>& score);
  void take(std::size_t trial, const FoldScore& score, bool found);
  [[noreturn]] void refuse_all_failed() const;

  const SearchOptions& options_;
  Study& study_;
  const std::string& scope_;
  const Evaluate& evaluate_;
  const SearchObserver& observer_;
  SharedFolds* shared_;  // null: this process is alone

  std::vector<Trial> trials_;  // grows only while no threads are at work
  std::size_t first_ = 0;      // trial of the current wave
  std::stop_source stop_;

  std::mutex mutex_;                 // for what follows, and for the trials' scores
  std::vector<std::size_t> left_;    // folds of the wave that another process has begun
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
    summarize(trials_.back().record, options_.folds);
  }
  // Processes divide the work: what another one has begun comes last. It is evaluated all the same
  // if it is not done by then, as nobody can tell a process that died from one that takes long.
  std::vector<std::size_t> folds(numbers.size() * options_.folds);
  std::iota(folds.begin(), folds.end(), std::size_t{0});
  work_through(folds, Begun::is_left);
  folds = std::exchange(left_, {});
  std::sort(folds.begin(), folds.end());
  work_through(folds, Begun::is_evaluated);
  std::vector<double> means;
  for (std::size_t k = first_; k < trials_.size(); ++k) means.push_back(trials_[k].record.mean);
  return means;
}

void Run::work_through(const std::vector<std::size_t>& folds, Begun elsewhere) {
  if (shared_) return work_together_through(folds, elsewhere);
  run_side_by_side(options_.threads, folds.size(), stop_, [&](std::size_t k) {
    const std::optional<OpenFold> fold = open(folds[k], elsewhere);
    if (!fold) return;
    const TrialRecord& trial = trials_[fold->trial].record;
    close(*fold,
          evaluate_fold(evaluate_, {trial.setting, fold->fold, trial.budget, stop_.get_token()}));
  });
}

void Run::work_together_through(const std::vector<std::size_t>& folds, Begun elsewhere) {
  for (auto next = folds.begin(); next != folds.end() && !stopped();) {
    std::vector<OpenFold> round;
    std::vector<FoldOrder> orders;
    while (next != folds.end() && round.size() < shared_->places() && !stopped()) {
      const std::optional<OpenFold> fold = open(*next++, elsewhere);
      if (!fold) continue;
      const TrialRecord& trial = trials_[fold->trial].record;
      round.push_back(*fold);
      orders.push_back({trial.setting, fold->fold, trial.budget});
    }
    // The observer may have stopped at what was found; then all that was opened is given up.
    FoldScores scores(round.size());
    if (!stopped()) scores = shared_->evaluate(orders, stop_);
    for (std::size_t k = 0; k < round.size(); ++k) close(round[k], scores[k]);
  }
}

// Nothing for a fold that is in the study, or that is left to the process that has begun it.
std::optional<Run::OpenFold> Run::open(std::size_t fold_of_wave, Begun elsewhere) {
  const std::size_t trial = first_ + fold_of_wave / options_.folds;
  const std::size_t fold = fold_of_wave % options_.folds;
  const std::int64_t number = trials_[trial].number;
  // Asked for each fold, not once: another process may have been here in the meantime.
  if (const std::optional<FoldScore> score = study_.find(number, fold)) {
    const std::lock_guard lock(mutex_);
    take(trial, *score, true);
    return std::nullopt;
  }
  const bool claimed = study_.claim(number, fold);
  if (claimed || elsewhere == Begun::is_evaluated) return OpenFold{trial, fold, claimed};
  const std::lock_guard lock(mutex_);
  left_.push_back(fold_of_wave);
  return std::nullopt;
}

void Run::close(const OpenFold& opened, const std::optional<FoldScore>& score) {
  const std::int64_t number = trials_[opened.trial].number;
  if (!score) {
    if (opened.claimed) study_.give_up(number, opened.fold);
    stop_.request_stop();
    return;
  }
  const std::lock_guard lock(mutex_);
  take(opened.trial, study_.store(number, *score), false);
}

void Run::take(std::size_t trial, const FoldScore& score, bool found) {
  TrialRecord& record = trials_[trial].record;
  const auto place = std::find_if(record.scores.begin(), record.scores.end(),
                                  [&](const FoldScore& other) { return other.fold > score.fold; });
  record.scores.insert(place, score);
  summarize(record, options_.folds);
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
                    const Evaluate& evaluate, const SearchObserver& observer, Ranks* ranks) {
  check(options);
  const std::unique_ptr<Strategy> strategy = make_strategy(options);
  std::optional<SharedFolds> shared;
  if (ranks && ranks->size() > 1) shared.emplace(*ranks, options.threads, evaluate);
  Run run(options, study, scope, evaluate, observer, shared ? &*shared : nullptr);
  std::vector<double> means;
  while (!run.stopped()) {
    const Wave wave = strategy->next(means);
    if (wave.candidates.empty()) break;
    means = run.work_on(wave);
  }
  SearchResult result = run.result();
  if (shared) shared->end(result);
  return result;
}

SearchResult serve_search(const SearchOptions& options, const Evaluate& evaluate, Ranks& ranks) {
  check(options);
  return SharedFolds(ranks, options.threads, evaluate).serve(options.folds);
}

}  // namespace knotwork
