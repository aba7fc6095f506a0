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

#include <knotwork/random.hpp>

namespace knotwork::training {
namespace {

// Members differ in where they start and in the order of their mini-batches.
std::uint64_t member_seed(std::uint64_t seed, std::size_t member) {
  return member == 0 ? seed : Random(seed, Purpose::members).bits(member);
}

// Parameters as the model's arithmetic sees them, so that a saved model is the one in memory.
void round_to_precision(Network& network, Precision precision) {
  if (precision == Precision::float64) return;
  for (std::span<double> values : {network.parameters(), network.constants()}) {
    for (double& value : values) value = static_cast<double>(static_cast<float>(value));
  }
}

// A point of a training that leaves the finite numbers is nothing to look at.
void keep_usable_snapshots(Summary& summary, Precision precision) {
  std::erase_if(summary.snapshots, [precision](Snapshot& snapshot) {
    round_to_precision(snapshot.network, precision);
    const std::span<const double> values = snapshot.network.parameters();
    return !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  });
}

// Makes one course of events out of those of members that are trained at the same time.
class SharedObserver {
 public:
  SharedObserver(const TrainObserver& observer, std::size_t members, std::size_t iterations)
      : observer_(observer),
        total_(members * iterations),
        iterations_(members),
        evaluations_(members) {}

  // A member that was trained before.
  void count(std::size_t member, const Summary& done) {
    const parallel::Lock lock(mutex_);
    iterations_[member] = done.iterations;
    evaluations_[member] = done.evaluations;
  }

  TrainObserver of_member(std::size_t member) {
    if (!observer_) return {};
    return [this, member](const TrainIteration& own) {
      const parallel::Lock lock(mutex_);
      if (ended_) return false;
      iterations_[member] = own.iteration;
      evaluations_[member] = own.evaluations;
      TrainIteration seen = own;
      seen.member = member;
      seen.iteration = sum(iterations_);
      seen.evaluations = sum(evaluations_);
      seen.total_iterations = total_;
      ended_ = true;  // also when the observer throws
      ended_ = !observer_(seen);
      return !ended_;
    };
  }

 private:
  static std::size_t sum(const std::vector<std::size_t>& counts) {
    std::size_t total = 0;
    for (std::size_t count : counts) total += count;
    return total;
  }

  const TrainObserver& observer_;
  std::size_t total_;
  parallel::Mutex mutex_;
  bool ended_ = false;
  std::vector<std::size_t> iterations_, evaluations_;
};

bool ended_from_outside(const Summary& member) {
  return member.reason == StopReason::requested || member.reason == StopReason::time;
}

bool had_not_begun(const Summary& member) {
  return member.iterations == 0 && ended_from_outside(member);
}

// Of members that had not begun only the first stays, and only if there is no other.
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
      fmt::format("Training was ended {} after {} of {} networks had begun; {}.",
                  late ? "by the time limit" : "from outside", begun, wanted,
                  begun > 0 ? "the model has no others" : "the model is one that is not trained"));
}

// That of the first member, unless another was ended from outside: before it had begun, too.
StopReason reason_of(const std::vector<Summary>& members) {
  const auto ended = std::find_if(members.rbegin(), members.rend(), ended_from_outside);
  return ended == members.rend() ? members.front().reason : ended->reason;
}

// Sums of counts, means of objectives.
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
void train_members_as(Model& model, const DividedRows& rows, const TrainOptions& options,
                      CurveState curves, const StageIterations& iterations, Clock::time_point begin,
                      const TrainObserver& observer, TrainPhase phase, Checkpoints* checkpoints,
                      Ranks* ranks) {
  const InputSigns signs = input_signs(model, options);
  projection_for(model.members.front(), options, signs);  // refuses what cannot be kept
  const auto training = samples_of<T>(rows, Part::train, model, options);
  std::unique_ptr<OwnedSamples<T>> validation;
  if (rows.size(Part::validation) > 0) {
    validation = samples_of<T>(rows, Part::validation, model, options);
  }

  const std::size_t members = model.members.size();
  std::vector<Summary> summaries(members);
  SharedObserver shared(observer, members, options.iterations);
  // Members side by side; threads that are left over work on the samples of a member. Processes
  // must do the same things in the same order.
  const std::size_t threads = parallel::ThreadPool::resolve(options.threads);
  const std::size_t side_by_side = ranks ? 1 : members;
  parallel::ThreadPool pool(std::min(threads, side_by_side));
  pool.run(members, [&](std::size_t m, std::size_t) {
    TrainOptions own = options;
    own.seed = member_seed(options.seed, m);
    own.threads = std::max<std::size_t>(
        1, threads / side_by_side + (m % side_by_side < threads % side_by_side ? 1 : 0));
    Network& network = model.members[m];
    const std::optional<MemberState> kept =
        checkpoints ? state_of(*checkpoints).member(phase, m) : std::nullopt;
    if (kept && kept->done) {
      check_state(*kept, network, own, iterations);
      network = kept->network;
      summaries[m] = kept->summary;
      return shared.count(m, summaries[m]);
    }
    round_to_precision(network, model.precision);
    MemberTraining<T> one{training->view(),
                          validation ? std::optional(validation->view()) : std::nullopt,
                          loss_for(options, model.targets),
                          signs,
                          curves,
                          iterations,
                          begin};
    one.observer = shared.of_member(m);
    one.ranks = ranks;
    if (kept) one.resumed = &*kept;
    if (checkpoints) {
      one.every = state_of(*checkpoints).every();
      one.keep = [&](MemberState state) {
        state_of(*checkpoints).keep_member(phase, m, std::move(state));
      };
    }
    run_stages<T>(network, summaries[m], own, one);
    round_to_precision(network, model.precision);
    keep_usable_snapshots(summaries[m], model.precision);
    if (checkpoints && !ended_from_outside(summaries[m])) {
      state_of(*checkpoints).keep_member(phase, m, {true, network, summaries[m]});
    }
  });
  model.training.reason = reason_of(summaries);
  leave_out_untrained(model, summaries, options);
  merge(model.training, summaries);
}

}  // namespace

std::vector<Network> build_members(const Model& model, const TrainOptions& options) {
  std::vector<Network> members(options.ensemble, design_network(model, options));
  for (std::size_t m = 0; m < members.size(); ++m) {
    start_network(members[m], model, options, member_seed(options.seed, m));
  }
  return members;
}

void train_members(Model& model, const DividedRows& rows, const TrainOptions& options,
                   CurveState curves, const StageIterations& iterations, Clock::time_point begin,
                   const TrainObserver& observer, TrainPhase phase, Checkpoints* checkpoints,
                   Ranks* ranks) {
  const auto train_as =
      model.precision == Precision::float32 ? train_members_as<float> : train_members_as<double>;
  train_as(model, rows, options, curves, iterations, begin, observer, phase, checkpoints, ranks);
}

}  // namespace knotwork::training
