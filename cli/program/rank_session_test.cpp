// SPDX-License-Identifier: MIT
// Tests that ranks end together, with threads in place of processes.
#include "cli/program/rank_session.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/fail.hpp"
#include "cli/program/exit_code.hpp"
#include "parallel/test_ranks.hpp"

namespace knotwork::cli {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Ending {
  std::vector<int> codes;              // of each rank
  std::vector<std::string> sentences;  // printed by the first rank
};

Ending end_of(std::size_t count, const std::function<int(Ranks&)>& work) {
  Ending ending;
  ending.codes.resize(count, -1);
  std::atomic<bool> has_said = false;
  parallel::run_ranks(count, [&](Ranks& ranks) {
    const auto say = [&](const std::string& sentence) {
      ASSERT_TRUE(ranks.is_first());
      // Enough time for a rank to leave too early.
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ending.sentences.push_back(sentence);
      has_said = true;
    };
    ending.codes[ranks.rank()] = run_together(
        ranks, [&] { return work(ranks); }, say);
    EXPECT_TRUE(has_said || ending.sentences.empty());
  });
  return ending;
}

TEST(RunTogether, SuccessIsSilent) {
  for (std::size_t count = 1; count <= 5; ++count) {
    const Ending ending = end_of(count, [](Ranks& ranks) {
      ranks.meet();
      return kDone;
    });
    EXPECT_THAT(ending.codes, Each(kDone));
    EXPECT_THAT(ending.sentences, IsEmpty());
  }
}

TEST(RunTogether, AllTakeTheCodeOfOne) {
  for (std::size_t odd = 0; odd < 5; ++odd) {
    const Ending ending = end_of(5, [&](Ranks& ranks) { return ranks.rank() == odd ? 143 : 0; });
    EXPECT_THAT(ending.codes, Each(143));
    EXPECT_THAT(ending.sentences, IsEmpty());
  }
}

TEST(RunTogether, AFailureIsSaidOnceWhereverTheOthersAre) {
  for (std::size_t count = 1; count <= 5; ++count) {
    for (std::size_t failed = 0; failed < count; ++failed) {
      for (const int rounds : {0, 3, 1000}) {  // 0: the other ranks have finished
        const Ending ending = end_of(count, [&](Ranks& ranks) {
          if (ranks.rank() == failed) fail(ErrorKind::bad_data, "Row 3 is empty.");
          for (int round = 0; round < rounds; ++round) ranks.meet();
          return kDone;
        });
        EXPECT_THAT(ending.codes, Each(kWrongRequest));
        const std::string who = failed == 0 ? "" : fmt::format("Rank {}: ", failed);
        EXPECT_THAT(ending.sentences, ElementsAre(who + "Row 3 is empty."));
      }
    }
  }
}

TEST(RunTogether, WhatAllSayIsSaidOnceWithoutANumber) {
  for (std::size_t count = 1; count <= 5; ++count) {
    const Ending ending =
        end_of(count, [](Ranks&) -> int { fail(ErrorKind::failed_run, "There are no rows."); });
    EXPECT_THAT(ending.codes, Each(kFailed));
    EXPECT_THAT(ending.sentences, ElementsAre("There are no rows."));
  }
}

TEST(RunTogether, SeveralMayFailDifferently) {
  const Ending ending = end_of(5, [](Ranks& ranks) -> int {
    if (ranks.rank() >= 3) fail(ErrorKind::bad_file, "It was {}.", ranks.rank());
    if (ranks.rank() == 2) throw std::bad_alloc();
    ranks.meet();
    return kDone;
  });
  EXPECT_THAT(ending.codes, Each(kFailed));
  EXPECT_THAT(ending.sentences, ElementsAre("Rank 2: There is not enough memory for this."));
}

TEST(RunTogether, WhatWasReportedBeforeIsSaidOnce) {
  const Ending ending = end_of(4, [](Ranks& ranks) -> int {
    try {
      if (ranks.rank() == 1) throw std::runtime_error("odd");
      ranks.meet();
    } catch (const std::exception& error) {
      ranks.report_failure(error);
    }
    return kDone;
  });
  EXPECT_THAT(ending.codes, Each(kFailed));
  EXPECT_THAT(ending.sentences, ElementsAre("Rank 1: Something unexpected went wrong: odd."));
}

}  // namespace
}  // namespace knotwork::cli
