// SPDX-License-Identifier: MIT
// Tests that many threads can use one model at the same time: no thread changes it, and every
// thread gets the bits that one thread alone gets.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <latch>
#include <thread>

#include "training/run/test_trainings.hpp"

#include <knotwork/builtin_data.hpp>
#include <knotwork/predict.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model {
namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kRounds = 4;

// Calls work(thread) on all threads, which begin together, for several rounds.
void at_the_same_time(const std::function<void(std::size_t thread)>& work) {
  std::latch ready(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      ready.arrive_and_wait();
      for (std::size_t round = 0; round < kRounds; ++round) work(t);
    });
  }
}

struct Case {
  const char* name;
  TrainOptions options;
  std::size_t classes = 0;
};

Table table_for(const Case& the_case) {
  Table table = make_builtin("friedman1", 300);
  if (the_case.classes == 0) return table;
  for (double& y : table.columns.back())
    y = std::fmod(std::floor(y), static_cast<double>(the_case.classes));
  return table;
}

// Models that differ in precision, members, scaling and kinds of outputs.
std::vector<Case> cases() {
  TrainOptions plain;
  plain.hidden = {4};
  plain.iterations = 3;
  std::vector<Case> all;
  const auto add = [&](const char* name, auto change, std::size_t classes = 0) {
    TrainOptions options = plain;
    change(options);
    all.push_back({name, options, classes});
  };
  add("double", [](TrainOptions&) {});
  add("float", [](TrainOptions& o) { o.precision = Precision::float32; });
  add("ensemble", [](TrainOptions& o) { o.ensemble = 3; });
  add("quantile scaling", [](TrainOptions& o) { o.scale_inputs = ScalingKind::quantile; });
  add("quantiles", [](TrainOptions& o) { o.loss = "quantile"; });
  add("input splines", [](TrainOptions& o) { o.input_splines = 2; });
  add("tanh", [](TrainOptions& o) { o.activation = "tanh"; });
  add(
      "two classes", [](TrainOptions&) {}, 2);
  add(
      "three classes", [](TrainOptions&) {}, 3);
  return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

class SharedModel : public testing::TestWithParam<Case> {
 protected:
  SharedModel() : table_(table_for(GetParam())), model_(train(table_, {}, GetParam().options)) {}

  std::vector<double> raw_rows() const {
    std::vector<double> rows;
    for (const InputColumn& input : model_.inputs) {
      const std::vector<double>& column = table_.columns[table_.index_of(input.column)];
      rows.insert(rows.end(), column.begin(), column.end());
    }
    return rows;
  }

  Table table_;
  const Model model_;
};

TEST_P(SharedModel, PredictsAndScoresTheSameOnManyThreadsAtOnce) {
  const std::vector<double> rows = raw_rows();
  const auto view =
      column_major(std::span<const double>(rows), table_.rows(), model_.inputs.size());
  const std::size_t numbers = table_.rows() * model_.predictions();
  const auto predicted = [&](std::size_t threads) {
    std::vector<double> result(numbers);
    model_.predict(view, column_major(std::span(result), table_.rows(), model_.predictions()),
                   threads);
    return result;
  };
  const std::vector<double> alone = predicted(1);
  const std::vector<std::vector<double>> columns = model_.predict(table_);
  const double score = model_.evaluate(table_).to_compare();
  const std::string digest = model_.parameters_sha256();

  std::vector<int> failures(kThreads);
  at_the_same_time([&](std::size_t t) {
    // Some calls use several threads of their own.
    bool good = same_bits(predicted(1 + t % 3), alone);
    good = good && model_.predict(table_, 1 + t % 2) == columns;
    good = good && model_.evaluate(table_).to_compare() == score;
    if (t % 4 == 0) good = good && model_.parameters_sha256() == digest;
    if (!good) ++failures[t];
  });
  EXPECT_EQ(failures, std::vector<int>(kThreads, 0));
  RecordProperty("knotwork_count_predicting_threads", static_cast<int>(kThreads));
}

// Each thread has its own Predictor, made from the one model.
TEST_P(SharedModel, PredictorsOfOneModelAgreeOnManyThreadsAtOnce) {
  const std::vector<double> rows = raw_rows();
  const auto view =
      column_major(std::span<const double>(rows), table_.rows(), model_.inputs.size());
  std::vector<double> alone(table_.rows() * model_.predictions());
  Predictor(model_).predict(view,
                            column_major(std::span(alone), table_.rows(), model_.predictions()));
  std::vector<int> failures(kThreads);
  at_the_same_time([&](std::size_t t) {
    Predictor predictor(model_);
    std::vector<double> result(alone.size());
    predictor.predict(view, column_major(std::span(result), table_.rows(), model_.predictions()));
    if (!same_bits(result, alone)) ++failures[t];
  });
  EXPECT_EQ(failures, std::vector<int>(kThreads, 0));
  RecordProperty("knotwork_count_predicting_threads", static_cast<int>(kThreads));
}

INSTANTIATE_TEST_SUITE_P(Models, SharedModel, testing::ValuesIn(cases()), [](const auto& model) {
  std::string name = model.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace knotwork::model
