// SPDX-License-Identifier: MIT
// A temporary folder, and a search whose winner is known, for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include <knotwork/error.hpp>
#include <knotwork/search.hpp>

#include "parallel/test_monitors.hpp"
#include "search/strategies/numbers.hpp"

namespace knotwork::searching {

using parallel::watch;

class StudyFile : public ::testing::Test {
 protected:
  StudyFile() {
    std::string name =
        (std::filesystem::path(::testing::TempDir()) / "knotwork-study-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "study.db";
  }
  ~StudyFile() override { std::filesystem::remove_all(folder_); }

  template <class Action>
  static Error error_of(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorKind::bad_model, "nothing was wrong");
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

inline SearchOptions test_options(const std::string& strategy, std::size_t threads) {
  SearchOptions options;
  options.strategy = strategy;
  options.space = {parse_dimension("x=0..7:8"), parse_dimension("kind=a|b")};
  options.folds = 2;
  options.trials = 9;
  options.threads = threads;
  return options;
}

// Lowest at x = 5 and kind = b, with noise that depends on everything.
inline double test_score(const Setting& setting, std::size_t fold, double budget) {
  const double x = read_number(setting[0].second)->value;
  const double noise = 0.01 * static_cast<double>((fold * 7 + setting[0].second.size() * 3) % 5);
  return (x - 5) * (x - 5) + (setting[1].second == "b" ? 0 : 0.5) + noise + 0.1 / budget;
}

inline std::optional<double> test_evaluate(const FoldTask& task) {
  return test_score(task.setting, task.fold, task.budget);
}

inline std::string to_text(const Setting& setting) {
  std::string text;
  for (const auto& [option, value] : setting) text += option + "=" + value + " ";
  return text;
}

}  // namespace knotwork::searching
