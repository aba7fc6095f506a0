// SPDX-License-Identifier: MIT
#include "training/run/ensemble.hpp"

#include <algorithm>
#include <cmath>

#include "base/fail.hpp"
#include "options/option_text.hpp"
#include "parallel/thread_pool.hpp"
#include "parallel/threads.hpp"
#include "training/resume/checkpoint_state.hpp"
#include "training/run/loss_choice.hpp"
#include "training/run/network_design.hpp"
#include "training/run/stage_runner.hpp"

#include <knotwork/random.hpp>

namespace knotwork::training {
namespace {

// Members differ in their initial parameters and in the order of their mini-batches.
std::uint64_t member_seed(std::uint64_t seed, std::size_t member) {
  return member == 0 ? seed : Random(seed, Purpose::members).bits(member);
}

// Rounds to the model's precision, so that a saved model equals the model in memory.
void round_to_precision(Network& network, Precision precision) {
  if (precision == Precision::float64) return;
  for (std::span<double> values : {network.parameters(), network.constants()}) {
    for (double& value : values) value = static_cast<double>(static_cast<float>(value));
  }
}

// Snapshots with numbers that are not finite are dropped.
void keep_usable_snapshots(Summary& summary, Precision precision) {
  std::erase_if(summary.snapshots, [precision](Snapshot& snapshot) {
    round_to_precision(snapshot.network, precision);
    const std::span<const double> values = snapshot.network.parameters();
    return !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  });
}

// Combines the iterations of members that are trained in parallel into one sequence.
class SharedCourse {
 public:
  SharedCourse(TrainingWatch& watch, Phase phase, std::size_t members, std::size_t iterations)
      : watch_(watch), phase_(phase), total_(members * iterations), latest_(members) {}

  // For a member that was trained in an earlier run.
  void count(std::size_t member, const Summary& done) {
    const parallel::Lock lock(mutex_);
    latest_[member].iteration = done.iterations;
    latest_[member].evaluations = done.evaluations;
  }
  // For an iteration of a member, with the counts of that member.
  void see(std::size_t member, TrainIteration now) {
    now.member = member;
    now.phase = phase_;
    const parallel::Lock lock(mutex_);
    latest_[member] = now;
    // After a stop the other members are about to end.
    if (watch_.wish() == StopReason::requested) return;
    now.iteration = now.evaluations = 0;
    for (const TrainIteration& one : latest_) {
      now.iteration += one.iteration;
      now.evaluations += one.evaluations;
    }
    now.total_iterations = total_;
    const auto total = static_cast<double>(std::max<std::size_t>(1, total_));
    try {
      watch_.see({phase_, std::min(1.0, static_cast<double>(now.iteration) / total), &now});
    } catch (...) {
      watch_.end();
      throw;
    }
  }
  const TrainIteration& latest(std::size_t member) const { return latest_[member]; }

 private:
  TrainingWatch& watch_;
  Phase phase_;
  std::size_t total_;
  parallel::Mutex mutex_;
  std::vector<TrainIteration> latest_;
};

bool had_not_begun(const Summary& member) {
  return member.iterations == 0 && is_from_outside(member.reason);
}

// Leaves out members that had not begun; if no member had begun, the first one stays.
void leave_out_untrained(Model& model, std::vector<Summary>& summaries,
                         const TrainOptions& options) {
  const std::size_t wanted = summaries.size();
  const auto begun = static_cast<std::size_t>(
      std::count_if(summaries.begin(), summaries.end(),
                    [](const Summary& member) { return !had_not_begun(member); }));
  if (begun == wanted || wanted == 1) return;
  const bool late = summaries.back().reason == StopReason::time;
  for (std::size_t m = wanted; m-- > 0;) {
    if (!had_not_begun(summaries[m]) || summaries.size() == 1) continue;
    const auto at = static_cast<std::ptrdiff_t>(m);
    summaries.erase(summaries.begin() + at);
    model.members.erase(model.members.begin() + at);
  }
  TrainOptions there = options;
  there.ensemble = model.members.size();
  record_option(model.training, option_field(&TrainOptions::ensemble), there);
  model.training.remarks.push_back(
      fmt::format("Training was stopped {} when {} of {} networks had begun; {}.",
                  late ? "by the time limit" : "on request", begun, wanted,
                  begun > 0 ? "the model has only these networks" : "the model is not trained"));
}

// The reason of the first member, unless another one was ended from outside, even before it began.
StopReason reason_of(const std::vector<Summary>& members) {
  const auto ended = std::find_if(members.rbegin(), members.rend(), [](const Summary& member) {
    return is_from_outside(member.reason);
  });
  return ended == members.rend() ? members.front().reason : ended->reason;
}

// Adds counts and averages objectives.
void merge(Summary& all, const std::vector<Summary>& members) {
  const auto count = static_cast<double>(members.size());
  for (std::size_t m = 0; m < members.size(); ++m) {
    const Summary& one = members[m];
    all.iterations += one.iterations;
    all.evaluations += one.evaluations;
    all.objective.value += one.objective.value / count;
    all.objective.parts.resize(one.objective.parts.size());
    for (std::size_t k = 0; k < one.objective.parts.size(); ++k) {
      all.objective.parts[k].first = one.objective.parts[k].first;
      all.objective.parts[k].second += one.objective.parts[k].second / count;
    }
    for (StageSummary stage : one.stages) {
      stage.member = m;
      all.stages.push_back(stage);
    }
    all.history.parts = one.history.parts;
    for (HistoryPoint point : one.history.points) {
      point.member = m;
      all.history.points.push_back(std::move(point));
    }
    for (Snapshot snapshot : one.snapshots) {
      snapshot.member = m;
      all.snapshots.push_back(std::move(snapshot));
    }
  }
}

template <class T>
class EnsembleTrainingAs final : public EnsembleTraining {
 public:
  EnsembleTrainingAs(Model& model, const DividedRows& rows, EnsembleSettings settings,
                     TrainingWatch& watch)
      : model_(model),
        settings_(std::move(settings)),
        watch_(watch),
        signs_(input_signs(model, settings_.options)),
        threads_(parallel::ThreadPool::resolve(settings_.options.threads)),
        side_by_side_(settings_.ranks ? 1 : model.members.size()),
        pool_(std::min(threads_, side_by_side_)),
        course_(watch, settings_.phase, model.members.size(), settings_.options.iterations),
        members_(model.members.size()) {
    // Throws for constraints that the network cannot satisfy.
    projection_for(model.members.front(), settings_.options, signs_);
    samples_ = samples_of<T>(rows, Part::train, model, settings_.options);
    if (rows.size(Part::validation) > 0) {
      validation_ = samples_of<T>(rows, Part::validation, model, settings_.options);
    }
  }

  // Trains members in parallel; remaining threads work on the samples of a member. Processes must
  // do the same things in the same order.
  bool advance(std::size_t iterations) override {
    pool_.run(members_.size(), [&](std::size_t m, std::size_t) {
      if (members_[m].is_done) return;
      if (!members_[m].runner) begin(m);
      if (!members_[m].is_done && members_[m].runner->advance(iterations)) finish_member(m);
    });
    return std::all_of(members_.begin(), members_.end(),
                       [](const Member& member) { return member.is_done; });
  }

  void end() override {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (members_[m].is_done) continue;
      if (!members_[m].runner) begin(m);
      if (members_[m].is_done) continue;
      members_[m].runner->end();
      finish_member(m);
    }
  }

  void finish() override {
    std::vector<Summary> summaries;
    for (Member& member : members_) summaries.push_back(std::move(member.summary));
    model_.training.reason = reason_of(summaries);
    leave_out_untrained(model_, summaries, settings_.options);
    merge(model_.training, summaries);
  }

  Network network(std::size_t member) const override {
    const Member& one = members_.at(member);
    Network now = one.runner ? one.runner->network() : model_.members[member];
    round_to_precision(now, model_.precision);
    return now;
  }

  std::optional<MemberState> state(std::size_t member) const override {
    const Member& one = members_.at(member);
    if (one.left) return one.left;
    if (one.runner) return one.runner->state();
    if (!one.is_done) return std::nullopt;
    return MemberState{.done = true, .network = model_.members[member], .summary = one.summary};
  }

  const TrainIteration& latest(std::size_t member) const override { return course_.latest(member); }

  void set_parameters(std::size_t member, std::span<const double> parameters) override {
    StageRunner<T>* const runner = members_.at(member).runner.get();
    if (!runner) {
      fail(ErrorKind::bad_option,
           "Network {} is not being trained: parameters can be set between its first step and its "
           "end.",
           member);
    }
    const std::size_t size = model_.members[member].parameters().size();
    if (parameters.size() != size ||
        !std::all_of(parameters.begin(), parameters.end(),
                     [](double value) { return std::isfinite(value); })) {
      fail(ErrorKind::bad_option,
           "A network with {} parameters needs the same number of finite numbers, not {}.", size,
           parameters.size() == size ? "infinite ones" : std::to_string(parameters.size()));
    }
    runner->set_parameters(parameters);
  }

 private:
  struct Member {
    std::unique_ptr<StageRunner<T>> runner;  // null: has not begun, or is done
    Summary summary;
    bool is_done = false;
    std::optional<MemberState> left;  // if it was ended from outside: the state to resume from
  };

  void begin(std::size_t m) {
    TrainOptions own = settings_.options;
    own.seed = member_seed(own.seed, m);
    own.threads = std::max<std::size_t>(
        1, threads_ / side_by_side_ + (m % side_by_side_ < threads_ % side_by_side_ ? 1 : 0));
    Member& member = members_[m];
    Network& network = model_.members[m];
    Checkpoints* const checkpoints = settings_.checkpoints.get();
    std::optional<MemberState> kept =
        checkpoints ? state_of(*checkpoints).member(settings_.phase, m) : std::nullopt;
    if (kept && kept->done) {
      check_state(*kept, network, own, settings_.iterations);
      network = std::move(kept->network);
      member.summary = std::move(kept->summary);
      member.is_done = true;
      return course_.count(m, member.summary);
    }
    round_to_precision(network, model_.precision);
    MemberTraining<T> one{samples_->view(),
                          validation_ ? std::optional(validation_->view()) : std::nullopt,
                          loss_for(own, model_.targets),
                          signs_,
                          settings_.curves,
                          settings_.iterations,
                          watch_};
    if (settings_.tells_iterations) {
      one.see = [this, m](const TrainIteration& now) { course_.see(m, now); };
    }
    one.ranks = settings_.ranks;
    one.resumed = std::move(kept);
    if (checkpoints) {
      one.every = state_of(*checkpoints).every();
      one.keep = [this, m](MemberState state) {
        state_of(*settings_.checkpoints).keep_member(settings_.phase, m, std::move(state));
      };
    }
    member.runner = std::make_unique<StageRunner<T>>(network, member.summary, own, std::move(one));
  }

  void finish_member(std::size_t m) {
    Member& member = members_[m];
    Network& network = model_.members[m];
    member.runner->finish();
    member.left = member.runner->left();
    member.runner.reset();
    member.is_done = true;
    round_to_precision(network, model_.precision);
    keep_usable_snapshots(member.summary, model_.precision);
    if (settings_.checkpoints && !is_from_outside(member.summary.reason)) {
      state_of(*settings_.checkpoints)
          .keep_member(settings_.phase, m, {true, network, member.summary});
    }
  }

  Model& model_;
  EnsembleSettings settings_;
  TrainingWatch& watch_;
  InputSigns signs_;
  std::unique_ptr<OwnedSamples<T>> samples_, validation_;
  std::size_t threads_, side_by_side_;
  parallel::ThreadPool pool_;
  SharedCourse course_;
  std::vector<Member> members_;
};

}  // namespace

std::vector<Network> build_members(const Model& model, const TrainOptions& options) {
  std::vector<Network> members(options.ensemble, design_network(model, options));
  for (std::size_t m = 0; m < members.size(); ++m) {
    start_network(members[m], model, options, member_seed(options.seed, m));
  }
  return members;
}

std::unique_ptr<EnsembleTraining> make_ensemble_training(Model& model, const DividedRows& rows,
                                                         EnsembleSettings settings,
                                                         TrainingWatch& watch) {
  if (model.precision == Precision::float32) {
    return std::make_unique<EnsembleTrainingAs<float>>(model, rows, std::move(settings), watch);
  }
  return std::make_unique<EnsembleTrainingAs<double>>(model, rows, std::move(settings), watch);
}

}  // namespace knotwork::training
