// SPDX-License-Identifier: MIT
#include "experiments/trainings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/protocols.hpp"
#include "experiments/test_support.hpp"

namespace knotwork::experiments {
namespace {

std::vector<Training> some_trainings(const Dataset& dataset) {
  std::vector<Training> trainings;
  for (std::uint64_t split = 1; split <= 6; ++split) {
    trainings.push_back({&dataset, split, network_options("spline", {0.01, 1e-4}, 10)});
  }
  return trainings;
}

TEST(Trainings, ASettingIsWhatDiffersFromThePaper) {
  EXPECT_EQ(setting_text(paper_options()), "as the paper");
  TrainOptions options = network_options("tanh", {1, std::nullopt}, 200);
  options.seed = 7;
  options.threads = 3;
  EXPECT_EQ(setting_text(options), "activation=tanh lambda-w=1 iterations=200");
  options = paper_options();
  options.spline.noise_share = 0.2;
  EXPECT_EQ(setting_text(options), "noise-share=0.2");
}

TEST(Trainings, OutcomesDoNotDependOnThreads) {
  const std::vector<Dataset> datasets = made_datasets();
  const std::vector<Training> trainings = some_trainings(datasets[0]);
  Counter counter;
  Tally tally(counter.watch, trainings.size());
  Study one = open_study(""), three = open_study("");
  const auto a = run_trainings(trainings, one, 1, tally);
  const auto b = run_trainings(trainings, three, 3, tally);
  for (std::size_t k = 0; k < trainings.size(); ++k) {
    EXPECT_EQ(a[k]->train, b[k]->train);
    EXPECT_EQ(a[k]->test, b[k]->test);
  }
  EXPECT_NE(a[0]->test, a[1]->test) << "splits differ";
}

TEST(Trainings, AStoppedRunGoesOnAndTrainsNothingTwice) {
  const std::vector<Dataset> datasets = made_datasets();
  const std::vector<Training> trainings = some_trainings(datasets[0]);
  Study study = open_study(""), undisturbed = open_study("");
  Counter whole;
  Tally tally(whole.watch, trainings.size());
  const auto wanted = run_trainings(trainings, undisturbed, 1, tally);
  EXPECT_EQ(whole.trained, trainings.size());

  Counter until_two(2);
  Tally first(until_two.watch, trainings.size());
  const auto part = run_trainings(trainings, study, 1, first);
  EXPECT_EQ(std::count(part.begin(), part.end(), std::nullopt), 4);

  Counter rest;
  Tally second(rest.watch, trainings.size());
  const auto outcomes = run_trainings(trainings, study, 1, second);
  EXPECT_EQ(rest.trained, 4u);
  EXPECT_EQ(rest.done, trainings.size());
  for (std::size_t k = 0; k < trainings.size(); ++k) {
    EXPECT_EQ(outcomes[k]->train, wanted[k]->train);
    EXPECT_EQ(outcomes[k]->test, wanted[k]->test);
  }
}

TEST(Trainings, TheSameTrainingIsDoneOnce) {
  const std::vector<Dataset> datasets = made_datasets();
  const Training training{&datasets[0], 1, network_options("tanh", {0.01, std::nullopt}, 5)};
  Study study = open_study("");
  Counter counter;
  Tally tally(counter.watch, 2);
  const auto outcomes = run_trainings({training, training}, study, 2, tally);
  EXPECT_EQ(counter.trained, 1u);
  EXPECT_EQ(counter.planned, 2u);
  EXPECT_EQ(outcomes[0]->test, outcomes[1]->test);
}

TEST(Trainings, ADamagedResultIsRefused) {
  const std::vector<Dataset> datasets = made_datasets();
  const Training training{&datasets[0], 1, network_options("tanh", {0.01, std::nullopt}, 5)};
  Study study = open_study("");
  Counter counter;
  Tally tally(counter.watch, 1);
  run_trainings({training}, study, 1, tally);
  const std::string scope = study.scopes().at(0), name = setting_text(training.options);
  ASSERT_TRUE(study.result(scope, name));
  for (const std::string text :
       {"{", "[]", "{\"train\":1,\"seconds\":2}", "{\"train\":1,\"test\":\"low\",\"seconds\":2}"}) {
    study.set_result(scope, name, text);
    EXPECT_THAT(message_of([&] { run_trainings({training}, study, 1, tally); }),
                ::testing::MatchesRegex("The study in memory is damaged .the result of "
                                        "'activation=tanh iterations=5' has no "
                                        "t[a-z]+.; restore a copy, or remove it to start again."))
        << text;
  }
}

TEST(Trainings, OtherDataIsNeverFoundInTheStudy) {
  const std::vector<Dataset> datasets = made_datasets();
  Dataset changed = make_dataset(paper_datasets().at("chemical"), made_table(40, 0.5));
  Study study = open_study("");
  Counter counter;
  Tally tally(counter.watch, 2);
  const TrainOptions options = network_options("tanh", {0.01, std::nullopt}, 5);
  run_trainings({{&datasets[0], 1, options}}, study, 1, tally);
  run_trainings({{&changed, 1, options}}, study, 1, tally);
  EXPECT_EQ(counter.trained, 2u);
}

}  // namespace
}  // namespace knotwork::experiments
