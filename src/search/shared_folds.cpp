// SPDX-License-Identifier: MIT
#include "search/shared_folds.hpp"

#include <algorithm>
#include <utility>

#include "parallel/message.hpp"
#include "parallel/thread_pool.hpp"
#include "search/study/trial.hpp"
#include "search/task_runner.hpp"

namespace knotwork::searching {
namespace {

enum class Order : std::uint8_t { evaluate, end };

void pack(const Setting& setting, parallel::Packer& to) {
  to.put(setting.size());
  for (const auto& [option, value] : setting) {
    to.put(std::string_view(option)).put(std::string_view(value));
  }
}
Setting unpack_setting(parallel::Unpacker& from) {
  Setting setting(from.get<std::size_t>());
  for (auto& [option, value] : setting) {
    option = from.get_text();
    value = from.get_text();
  }
  return setting;
}

void pack(const FoldScore& score, parallel::Packer& to) {
  to.put(score.fold).put(score.score).put(score.seconds).put(std::string_view(score.message));
}
FoldScore unpack_score(parallel::Unpacker& from) {
  FoldScore score;
  score.fold = from.get<std::size_t>();
  score.score = from.get<double>();
  score.seconds = from.get<double>();
  score.message = from.get_text();
  return score;
}

void pack(const TrialRecord& trial, parallel::Packer& to) {
  pack(trial.setting, to);
  to.put(trial.budget).put(trial.scores.size());
  for (const FoldScore& score : trial.scores) pack(score, to);
}
TrialRecord unpack_trial(parallel::Unpacker& from, std::size_t folds) {
  TrialRecord trial;
  trial.setting = unpack_setting(from);
  trial.budget = from.get<double>();
  for (auto left = from.get<std::size_t>(); left > 0; --left) {
    trial.scores.push_back(unpack_score(from));
  }
  summarize(trial, folds);
  return trial;
}

Ranks::Bytes packed(const std::vector<FoldOrder>& round) {
  parallel::Packer order;
  order.put(Order::evaluate).put(round.size());
  for (const FoldOrder& fold : round) {
    pack(fold.setting, order);
    order.put(fold.fold).put(fold.budget);
  }
  return order.take();
}
std::vector<FoldOrder> unpack_round(parallel::Unpacker& from) {
  std::vector<FoldOrder> round(from.get<std::size_t>());
  for (FoldOrder& fold : round) {
    fold.setting = unpack_setting(from);
    fold.fold = from.get<std::size_t>();
    fold.budget = from.get<double>();
  }
  return round;
}

Ranks::Bytes packed(const FoldScores& scores) {
  parallel::Packer own;
  for (const std::optional<FoldScore>& score : scores) {
    own.put(score.has_value());
    if (score) pack(*score, own);
  }
  return own.take();
}

}  // namespace

SharedFolds::SharedFolds(Ranks& ranks, std::size_t threads, const Evaluate& evaluate)
    : ranks_(ranks), threads_(parallel::ThreadPool::resolve(threads)), evaluate_(evaluate) {
  std::vector<std::size_t> threads_of;
  for (const Ranks::Bytes& one : ranks.gather(parallel::Packer().put(threads_).take())) {
    threads_of.push_back(parallel::Unpacker(one).get<std::size_t>());
  }
  // In turn, so that a round with few folds has them on different ranks.
  const std::size_t most = *std::max_element(threads_of.begin(), threads_of.end());
  for (std::size_t turn = 0; turn < most; ++turn) {
    for (std::size_t rank = 0; rank < threads_of.size(); ++rank) {
      if (turn < threads_of[rank]) doers_.push_back(rank);
    }
  }
}

std::vector<std::size_t> SharedFolds::places_of(std::size_t rank, std::size_t folds) const {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < folds; ++place) {
    if (doers_[place] == rank) places.push_back(place);
  }
  return places;
}

FoldScores SharedFolds::evaluate_own(const std::vector<FoldOrder>& round,
                                     std::stop_source& stop) const {
  const std::vector<std::size_t> places = places_of(ranks_.rank(), round.size());
  FoldScores scores(places.size());
  run_side_by_side(threads_, places.size(), stop, [&](std::size_t k) {
    const auto& [setting, fold, budget] = round[places[k]];
    scores[k] = evaluate_fold(evaluate_, {setting, fold, budget, stop.get_token()});
    if (!scores[k]) stop.request_stop();
  });
  return scores;
}

FoldScores SharedFolds::evaluate(const std::vector<FoldOrder>& round, std::stop_source& stop) {
  FoldScores scores(round.size());
  if (round.empty()) return scores;
  ranks_.from_first(packed(round));
  const std::vector<Ranks::Bytes> all = ranks_.gather_at_first(packed(evaluate_own(round, stop)));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    parallel::Unpacker theirs(all[rank]);
    for (const std::size_t place : places_of(rank, round.size())) {
      if (theirs.get<bool>()) scores[place] = unpack_score(theirs);
    }
  }
  return scores;
}

void SharedFolds::end(const SearchResult& result) {
  parallel::Packer order;
  order.put(Order::end).put(result.stopped).put(result.winner.has_value());
  if (result.winner) pack(*result.winner, order);
  ranks_.from_first(order.take());
}

SearchResult SharedFolds::serve(std::size_t folds) {
  SearchResult result;
  std::stop_source stop;
  for (;;) {
    const Ranks::Bytes message = ranks_.from_first({});
    parallel::Unpacker order(message);
    if (order.get<Order>() == Order::end) {
      result.stopped = order.get<bool>();
      if (order.get<bool>()) result.winner = unpack_trial(order, folds);
      return result;
    }
    const FoldScores scores = evaluate_own(unpack_round(order), stop);
    for (const std::optional<FoldScore>& score : scores) result.evaluated += score ? 1 : 0;
    ranks_.gather_at_first(packed(scores));
  }
}

}  // namespace knotwork::searching
