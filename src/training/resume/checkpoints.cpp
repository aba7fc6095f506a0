// SPDX-License-Identifier: MIT
#include "training/resume/checkpoint_state.hpp"

#include <chrono>

#include "base/fail.hpp"
#include "training/resume/fingerprint.hpp"

namespace knotwork {

using namespace training;
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Kept>
auto& members_of(Kept& state, Phase phase) {
  return phase == Phase::refitting ? state.refitting : state.training;
}

}  // namespace

Checkpoints::Checkpoints(Save save, std::size_t every, std::optional<TrainingState> resumed)
    : state_(std::make_unique<State>(std::move(save), every, std::move(resumed))) {}

Checkpoints::~Checkpoints() = default;

Checkpoints::State::State(Save save, std::size_t every, std::optional<TrainingState> resumed)
    : save_(std::move(save)), every_(every), resumed_(resumed.has_value()), begin_(now()) {
  if (resumed) state_ = std::move(*resumed);
  earlier_seconds_ = state_.seconds;
}

void Checkpoints::State::begin(TrainingState identity) {
  if (begun_) {
    fail(ErrorKind::bad_option,
         "These checkpoints already belong to a training; each training needs its own Checkpoints "
         "object.");
  }
  begun_ = true;
  if (resumed_) check_same_training(state_, identity);
  // Saves at once, so that a state that cannot be saved is detected before the work begins.
  keep([&](TrainingState& state) {
    if (!resumed_) state = std::move(identity);
  });
}

std::optional<ChosenOptions> Checkpoints::State::choice() const {
  const parallel::Lock lock(mutex_);
  return state_.choice;
}

void Checkpoints::State::keep_choice(ChosenOptions choice) {
  keep([&](TrainingState& state) { state.choice = std::move(choice); });
}

std::optional<double> Checkpoints::State::fold_loss(const std::string& name) const {
  const parallel::Lock lock(mutex_);
  const auto it = state_.fold_losses.find(name);
  return it == state_.fold_losses.end() ? std::nullopt : std::optional(it->second);
}

void Checkpoints::State::keep_fold_loss(const std::string& name, double loss) {
  keep([&](TrainingState& state) { state.fold_losses[name] = loss; });
}

std::optional<MemberState> Checkpoints::State::member(Phase phase, std::size_t member) const {
  const parallel::Lock lock(mutex_);
  const auto& members = members_of(state_, phase);
  return member < members.size() ? members[member] : std::nullopt;
}

void Checkpoints::State::keep_member(Phase phase, std::size_t member, MemberState kept) {
  keep([&](TrainingState& state) {
    auto& members = members_of(state, phase);
    if (members.size() <= member) members.resize(member + 1);
    members[member] = std::move(kept);
  });
}

TrainingState Checkpoints::State::state() const {
  const parallel::Lock lock(mutex_);
  return state_;
}

template <class Change>
void Checkpoints::State::keep(const Change& change) {
  const parallel::Lock lock(mutex_);
  change(state_);
  state_.seconds = earlier_seconds_ + now() - begin_;
  if (save_) save_(state_);
}

}  // namespace knotwork
