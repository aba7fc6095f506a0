// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include <knotwork/search.hpp>

#include "base/fail.hpp"
#include "parallel/task_runner.hpp"
#include "search/strategies/strategy.hpp"
#include "search/study/trial.hpp"

namespace knotwork {

using namespace searching;
namespace {

struct Trial {
  std::size_t order = 0;
  TrialRecord record;
};

// A score with a larger budget counts more than a better score with a smaller one.
bool is_better(const Trial& a, const Trial& b) {
  if (a.record.budget != b.record.budget) return a.record.budget > b.record.budget;
  if (a.record.mean != b.record.mean) return a.record.mean < b.record.mean;
  return a.order < b.order;
}

void pack(const FoldScore& score, parallel::Packer& to) {
  to.put(score.fold).put(score.score).put(score.seconds).put(std::string_view(score.message));
}
FoldScore unpack(parallel::Unpacker& from) {
  FoldScore score;
  score.fold = from.get<std::size_t>();
  score.score = from.get<double>();
  score.seconds = from.get<double>();
  score.message = from.get_text();
  return score;
}

// The folds of a wave in the study, numbered consecutively trial by trial.
class WaveStore final : public parallel::ResultStore<FoldScore> {
 public:
  WaveStore(Study& study, std::vector<std::int64_t> trials, std::size_t folds)
      : study_(study), trials_(std::move(trials)), folds_(folds) {}

  std::optional<FoldScore> find(std::size_t task) override {
    return study_.find(trials_[task / folds_], task % folds_);
  }
  FoldScore keep(std::size_t task, FoldScore score) override {
    return study_.store(trials_[task / folds_], score);
  }
  bool is_shared() const override { return true; }
  bool claim(std::size_t task) override {
    return study_.claim(trials_[task / folds_], task % folds_);
  }
  void give_up(std::size_t task) override { study_.give_up(trials_[task / folds_], task % folds_); }

 private:
  Study& study_;
  std::vector<std::int64_t> trials_;
  std::size_t folds_;
};

// One call of search(), or of serve_search() if there is no study, with all trials so far.
class Run {
 public:
  Run(const SearchOptions& options, Study* study, const std::string& scope,
      const Evaluate& evaluate, const std::shared_ptr<Monitor>& monitor, Ranks* ranks)
      : options_(options),
        study_(study),
        scope_(scope),
        evaluate_(evaluate),
        monitor_(monitor),
        runner_({.threads = options.threads, .ranks = ranks, .monitor = monitor}) {}

  SearchResult go_through(Strategy& strategy);

 private:
  std::vector<double> work_on(const Wave& wave);
  void take(std::size_t trial, const FoldScore& score, bool found);
  SearchResult result() const;
  [[noreturn]] void refuse_all_failed() const;

  const SearchOptions& options_;
  Study* study_;
  const std::string& scope_;
  const Evaluate& evaluate_;
  const std::shared_ptr<Monitor>& monitor_;
  parallel::TaskRunner runner_;

  std::vector<Trial> trials_;
  std::optional<std::size_t> best_;  // among the complete trials without a failed fold
  std::size_t done_ = 0;
  std::size_t evaluated_ = 0;                // by all ranks
  std::atomic<std::size_t> own_scores_ = 0;  // by this rank
};

SearchResult Run::go_through(Strategy& strategy) {
  std::vector<double> means;
  while (!runner_.stopped()) {
    const Wave wave = strategy.next(means);
    if (wave.candidates.empty()) break;
    means = work_on(wave);
  }
  return result();
}

std::vector<double> Run::work_on(const Wave& wave) {
  std::vector<Setting> settings;
  for (const Candidate& candidate : wave.candidates) settings.push_back(candidate.setting);
  std::optional<WaveStore> store;
  if (study_) {
    store.emplace(*study_, study_->begin(scope_, settings, wave.budget, options_.folds),
                  options_.folds);
  }
  const std::size_t first = trials_.size();
  for (const Candidate& candidate : wave.candidates) {
    Trial& trial = trials_.emplace_back();
    trial.order = candidate.order;
    trial.record.setting = candidate.setting;
    trial.record.budget = wave.budget;
    summarize(trial.record, options_.folds);
  }
  parallel::Tasks<FoldScore> tasks;
  tasks.count = settings.size() * options_.folds;
  tasks.store = store ? &*store : nullptr;
  tasks.evaluate = [&](std::size_t task, const parallel::TaskShare& share) {
    const auto score = evaluate_fold(
        evaluate_,
        {settings[task / options_.folds], task % options_.folds, wave.budget, share.monitor});
    if (score) ++own_scores_;
    return score;
  };
  tasks.done = [&](std::size_t task, const FoldScore& score, bool found) {
    take(first + task / options_.folds, score, found);
  };
  tasks.pack = pack;
  tasks.unpack = unpack;
  runner_.run(tasks);
  std::vector<double> means;
  for (std::size_t k = first; k < trials_.size(); ++k) means.push_back(trials_[k].record.mean);
  return means;
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
  if (!monitor_) return;
  const SearchProgress fold{record.setting, record.budget, score, found,
                            best_ ? &trials_[*best_].record : nullptr};
  const std::size_t planned = trials_.size() * options_.folds;
  monitor_->see({.phase = Phase::comparing,
                 .share = static_cast<double>(done_) / static_cast<double>(planned),
                 .done = done_,
                 .planned = planned,
                 .fold = &fold});
}

SearchResult Run::result() const {
  SearchResult result;
  result.stopped = runner_.stopped();
  result.evaluated = study_ ? evaluated_ : own_scores_.load();
  for (const Trial& trial : trials_) result.trials.push_back(trial.record);
  if (best_) result.winner = trials_[*best_].record;
  if (!best_ && !result.stopped) refuse_all_failed();
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
                    const Evaluate& evaluate, const std::shared_ptr<Monitor>& monitor,
                    Ranks* ranks) {
  check(options);
  return Run(options, &study, scope, evaluate, monitor, ranks).go_through(*make_strategy(options));
}

SearchResult serve_search(const SearchOptions& options, const Evaluate& evaluate, Ranks& ranks,
                          const std::shared_ptr<Monitor>& monitor) {
  check(options);
  return Run(options, nullptr, "", evaluate, monitor, &ranks).go_through(*make_strategy(options));
}

}  // namespace knotwork
