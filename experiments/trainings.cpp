// SPDX-License-Identifier: MIT
#include "experiments/trainings.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "experiments/paper.hpp"
#include "files/strict_json.hpp"
#include "parallel/processor_time.hpp"
#include "parallel/thread_pool.hpp"

namespace knotwork::experiments {
namespace {

std::string scope_of(const Training& training) {
  return fmt::format("{} {} split {}", training.dataset->name, training.dataset->digest,
                     training.split);
}

std::optional<Outcome> find(const Study& study, const Training& training) {
  const auto text = study.result(scope_of(training), setting_text(training.options));
  if (!text) return std::nullopt;
  const auto json = files::parse_strictly<nlohmann::json>(*text).value_or(nullptr);
  const auto number = [&](const char* key) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_number()) {
      study.refuse_as_damaged(
          fmt::format("the result of '{}' has no {}", setting_text(training.options), key));
    }
    return json[key].get<double>();
  };
  return Outcome{number("train"), number("test"), number("seconds")};
}

void store(Study& study, const Training& training, const Outcome& outcome) {
  const nlohmann::json json = {
      {"train", outcome.train}, {"test", outcome.test}, {"seconds", outcome.seconds}};
  study.set_result(scope_of(training), setting_text(training.options), json.dump());
}

std::optional<Outcome> train_and_store(const Training& training, Study& study, Tally& tally) {
  const double begin = processor_seconds();
  const std::optional<Model> model = train_model(training, tally);
  if (!model) return std::nullopt;
  const double seconds = processor_seconds() - begin;
  const Summary& summary = model->training;
  const Outcome outcome{summary.train->nrmse, summary.test->nrmse, seconds};
  store(study, training, outcome);
  return outcome;
}

}  // namespace

void Tally::finished(bool found) {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (watch_.show) watch_.show(done_, planned_, found);
}

std::string setting_text(const TrainOptions& options) {
  const TrainOptions paper = paper_options();
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  };
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.name == "seed" || field.name == "threads") continue;
    if (!field.unused_because(options).empty()) continue;
    const std::string value = field.get(options);
    if (value != field.get(paper)) add(field.name, value);
  }
  // Not an option of the command line, so not in the list.
  if (options.spline.noise_share != paper.spline.noise_share) {
    add("noise-share", fmt::format("{}", options.spline.noise_share));
  }
  return text.empty() ? "as the paper" : text;
}

PreparedData prepare_split(const Dataset& dataset, std::uint64_t split) {
  TableTask task;
  task.test_fraction = kPaperTestShare;
  return {dataset.table, task, split};
}

TrainOptions options_for(const TrainOptions& options, std::uint64_t split) {
  TrainOptions own = options;
  own.seed = split;
  own.threads = 1;
  return own;
}

std::optional<Model> train_model(const Training& training, Tally& tally) {
  const PreparedData prepared = prepare_split(*training.dataset, training.split);
  Model model =
      train({prepared.data(), prepared.partition()}, options_for(training.options, training.split),
            {.monitor = std::make_shared<TallyMonitor>(tally)});
  if (model.training.reason == StopReason::requested) return std::nullopt;
  return model;
}
std::vector<std::optional<Outcome>> run_trainings(const std::vector<Training>& trainings,
                                                  Study& study, std::size_t threads, Tally& tally) {
  // Two experiments may request the same training, which then runs once.
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> same;
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k < trainings.size(); ++k) {
    auto& places = same[{scope_of(trainings[k]), setting_text(trainings[k].options)}];
    if (places.empty()) first.push_back(k);
    places.push_back(k);
  }
  std::vector<std::optional<Outcome>> outcomes(trainings.size());
  parallel::ThreadPool pool(threads);
  pool.run(first.size(), [&](std::size_t task, std::size_t) {
    if (!tally.keep_going()) return;
    const Training& training = trainings[first[task]];
    std::optional<Outcome> outcome = find(study, training);
    bool found = outcome.has_value();
    if (!found) outcome = train_and_store(training, study, tally);
    if (!outcome) return;
    const auto key = std::pair(scope_of(training), setting_text(training.options));
    for (std::size_t place : same.at(key)) {
      outcomes[place] = outcome;
      tally.finished(found);
      found = true;  // for the other requests of the same training
    }
  });
  return outcomes;
}

}  // namespace knotwork::experiments
