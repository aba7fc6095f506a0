// SPDX-License-Identifier: MIT
// Monitors for tests: StoppingMonitor stops work at the n-th question, and counts questions.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/monitor.hpp>

namespace knotwork::parallel {

class StoppingMonitor : public Monitor {
 public:
  // The first question is number 1; 0: never.
  explicit StoppingMonitor(std::size_t question) : question_(question) {}

  void see(const Progress& progress) override { seen_.push_back(progress); }
  bool stop_requested() const override {
    const std::size_t number = ++asked_;
    return Monitor::stop_requested() || (question_ > 0 && number >= question_);
  }
  std::size_t asked() const { return asked_; }
  const std::vector<Progress>& seen() const { return seen_; }

 private:
  std::size_t question_;
  mutable std::atomic<std::size_t> asked_ = 0;
  std::vector<Progress> seen_;
};

// Checks that `work(std::shared_ptr<Monitor>)` ends with an Error of kind `stopped` whichever
// question gets a stop as answer, and completes if there are fewer questions. `check` is called
// after every stop. Work that asks fewer than `fewest` times fails the test.
template <class Work, class Check>
void expect_stops(std::size_t fewest, const Work& work, const Check& check) {
  const auto patient = std::make_shared<StoppingMonitor>(0);
  work(patient);
  EXPECT_GE(patient->asked(), fewest);
  for (const Progress& progress : patient->seen()) {
    EXPECT_GE(progress.share, 0);
    EXPECT_LE(progress.share, 1);
  }
  // The order of threads may make a few questions more or fewer.
  for (std::size_t question = 1; question <= patient->asked() / 2 + 1; question += question) {
    const auto monitor = std::make_shared<StoppingMonitor>(question);
    try {
      work(monitor);
      ADD_FAILURE() << "A stop at question " << question << " was not heard.";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::stopped) << error.what();
    }
    check();
  }
}

template <class Work>
void expect_stops(std::size_t fewest, const Work& work) {
  expect_stops(fewest, work, [] {});
}

// `see` asks for a stop by returning false.
inline std::shared_ptr<Monitor> watch(std::function<bool(const Progress&)> see) {
  class Watch final : public Monitor {
   public:
    explicit Watch(std::function<bool(const Progress&)> see) : see_(std::move(see)) {}
    void see(const Progress& progress) override {
      if (!see_(progress)) request_stop();
    }

   private:
    std::function<bool(const Progress&)> see_;
  };
  return std::make_shared<Watch>(std::move(see));
}

// Requests a stop at every question after the first `questions` questions.
class StopsAfter final : public StoppingMonitor {
 public:
  explicit StopsAfter(std::size_t questions) : StoppingMonitor(questions + 1) {}
};

}  // namespace knotwork::parallel
