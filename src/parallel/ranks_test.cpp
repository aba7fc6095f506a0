// SPDX-License-Identifier: MIT
#include <knotwork/ranks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "base/fail.hpp"
#include "base/test_dice.hpp"
#include "parallel/message.hpp"
#include "parallel/test_ranks.hpp"

namespace knotwork::parallel {
namespace {

using Bytes = Ranks::Bytes;

constexpr std::size_t kMostRanks = 9;

Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}
std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

// The tree as brackets: the order of the merges.
Bytes brackets(Ranks& ranks) {
  return ranks.combine(bytes_of(std::to_string(ranks.rank())), [](Bytes& left, Bytes&& right) {
    left = bytes_of("(" + text_of(left) + text_of(right) + ")");
  });
}

// The exception of `work`: its kind and whether all ranks know it; nothing if there is none.
template <class Work>
std::string thrown_by(const Work& work) {
  try {
    work();
  } catch (const SharedError& error) {
    return fmt::format("shared {}: {}", static_cast<int>(error.kind()), error.what());
  } catch (const Error& error) {
    return fmt::format("own {}: {}", static_cast<int>(error.kind()), error.what());
  }
  return "";
}

// After a failure that all ranks know, all ranks can continue.
void expect_in_step(Ranks& ranks) {
  const std::vector<Bytes> all = ranks.gather({static_cast<std::uint8_t>(ranks.rank())});
  ASSERT_EQ(all.size(), ranks.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    EXPECT_EQ(all[rank], Bytes{static_cast<std::uint8_t>(rank)});
  }
}

TEST(Ranks, NeighborsAreMergedInOneFixedTree) {
  const std::vector<std::string> trees = {"0",
                                          "(01)",
                                          "((01)2)",
                                          "((01)(23))",
                                          "(((01)(23))4)",
                                          "(((01)(23))(45))",
                                          "(((01)(23))((45)6))",
                                          "(((01)(23))((45)(67)))",
                                          "((((01)(23))((45)(67)))8)"};
  for (std::size_t count = 1; count <= kMostRanks; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      EXPECT_EQ(ranks.size(), count);
      EXPECT_EQ(ranks.is_first(), ranks.rank() == 0);
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(text_of(brackets(ranks)), trees[count - 1]);
      }
    });
  }
}

TEST(Ranks, MessagesMayBeLargeOrEmpty) {
  for (std::size_t count = 1; count <= 5; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3'000'000}}) {
        const Bytes own(size, static_cast<std::uint8_t>(ranks.rank() + 1));
        const std::vector<Bytes> all = ranks.gather(own);
        ASSERT_EQ(all.size(), count);
        for (std::size_t rank = 0; rank < count; ++rank) {
          EXPECT_EQ(all[rank], Bytes(size, static_cast<std::uint8_t>(rank + 1)));
        }
      }
      // Only one rank contributes something.
      const bool is_last = ranks.rank() + 1 == count;
      const std::vector<Bytes> all = ranks.gather(is_last ? Bytes(70'000, 7) : Bytes());
      EXPECT_EQ(all.back(), Bytes(70'000, 7));
    });
  }
}

TEST(Ranks, SmallQuestionsHaveOneAnswer) {
  for (std::size_t count = 1; count <= kMostRanks; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      EXPECT_FALSE(ranks.any(false));
      for (std::size_t rank = 0; rank < count; ++rank) EXPECT_TRUE(ranks.any(ranks.rank() == rank));
      EXPECT_EQ(text_of(ranks.from_first(bytes_of(std::to_string(ranks.rank())))), "0");
    });
  }
}

TEST(Ranks, TheFirstAloneGathers) {
  for (std::size_t count = 1; count <= kMostRanks; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}}) {
        const std::vector<Bytes> all = ranks.gather_at_first(
            Bytes(size + ranks.rank(), static_cast<std::uint8_t>(ranks.rank() + 1)));
        ASSERT_EQ(all.size(), ranks.is_first() ? count : 0);
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
          EXPECT_EQ(all[rank], Bytes(size + rank, static_cast<std::uint8_t>(rank + 1)));
        }
      }
      expect_in_step(ranks);
    });
  }
}

TEST(Ranks, AFailureReachesAllThatBringTheirsToTheFirst) {
  for (std::size_t count = 2; count <= kMostRanks; ++count) {
    for (std::size_t failing = 0; failing < count; ++failing) {
      run_ranks(count, [&](Ranks& ranks) {
        const std::string thrown = thrown_by([&] {
          if (ranks.rank() == failing) ranks.report_failure(std::bad_alloc());
          ranks.gather_at_first(Bytes(5));
        });
        EXPECT_EQ(thrown.substr(0, thrown.find(':')),
                  fmt::format("shared {}", static_cast<int>(ErrorKind::failed_run)));
        expect_in_step(ranks);
      });
    }
  }
}

TEST(Ranks, NobodyLeavesAMeetingBeforeAllHaveCome) {
  for (std::size_t count = 1; count <= kMostRanks; ++count) {
    std::atomic<std::size_t> come = 0;
    run_ranks(count, [&](Ranks& ranks) {
      for (std::size_t round = 1; round <= 20; ++round) {
        ++come;
        ranks.meet();
        EXPECT_GE(come, round * count);
      }
    });
  }
}

TEST(Ranks, OneAloneGetsBackWhatItBroughtWithoutACopy) {
  OneRank ranks;
  EXPECT_EQ(ranks.size(), 1U);
  EXPECT_TRUE(ranks.is_first());
  Bytes own(1000, 3);
  const std::uint8_t* place = own.data();
  own = ranks.combine(std::move(own), [](Bytes&, Bytes&&) { FAIL(); });
  EXPECT_EQ(own.data(), place);
  EXPECT_EQ(ranks.from_first(std::move(own)).data(), place);
  EXPECT_EQ(ranks.gather({1}), std::vector<Bytes>{{1}});
  EXPECT_TRUE(ranks.any(true));
  ranks.meet();
  const Error error(ErrorKind::bad_data, "It is wrong.");
  EXPECT_EQ(thrown_by([&] { ranks.report_failure(error); }), "shared 1: It is wrong.");
}

TEST(Ranks, AllHearOfTheOneThatFailed) {
  for (std::size_t count = 2; count <= kMostRanks; ++count) {
    for (std::size_t failed = 0; failed < count; ++failed) {
      run_ranks(count, [&](Ranks& ranks) {
        brackets(ranks);
        const std::string heard = thrown_by([&] {
          if (ranks.rank() == failed) {
            ranks.report_failure(Error(ErrorKind::bad_file, "The file a.csv is gone."));
          }
          brackets(ranks);
        });
        EXPECT_EQ(heard, fmt::format("shared 2: Rank {}: The file a.csv is gone.", failed));
        expect_in_step(ranks);
      });
    }
  }
}

TEST(Ranks, OfSeveralFailuresTheLowestRanksIsTold) {
  for (std::size_t count = 2; count <= 6; ++count) {
    for (std::size_t bits = 1; bits < (std::size_t{1} << count); ++bits) {
      std::size_t lowest = 0;
      while (((bits >> lowest) & 1) == 0) ++lowest;
      run_ranks(count, [&](Ranks& ranks) {
        const std::string heard = thrown_by([&] {
          if ((bits >> ranks.rank()) & 1) {
            const auto kind = ranks.rank() == lowest ? ErrorKind::bad_data : ErrorKind::bad_model;
            ranks.report_failure(Error(kind, fmt::format("It is {}.", ranks.rank())));
          }
          ranks.meet();
        });
        EXPECT_EQ(heard, fmt::format("shared 1: Rank {0}: It is {0}.", lowest));
      });
    }
  }
}

TEST(Ranks, FailuresKeepTheirFieldsOnTheWay) {
  Where where = {.option = "hidden",
                 .other_option = "residual",
                 .file = "t.csv",
                 .line = 7,
                 .row = 3,
                 .column = 2,
                 .column_name = "age",
                 .subject = "The table"};
  const Error error(ErrorKind::bad_data, where,
                    {.action = "correct it",
                     .purpose = "else",
                     .settings = {{"drop", "age"}, {"numeric", "age"}}},
                    "it is wrong.");
  run_ranks(3, [&](Ranks& ranks) {
    try {
      if (ranks.rank() == 1) ranks.report_failure(error);
      ranks.meet();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const SharedError& heard) {
      EXPECT_EQ(heard.what(), "Rank 1: " + std::string(error.what()));
      EXPECT_EQ(heard.option(), "hidden");
      EXPECT_EQ(heard.where().other_option, "residual");
      EXPECT_EQ(heard.file(), "t.csv");
      EXPECT_EQ(heard.line(), 7u);
      EXPECT_EQ(heard.where().row, 3u);
      EXPECT_EQ(heard.column(), 2u);
      EXPECT_EQ(heard.where().column_name, "age");
      EXPECT_EQ(heard.where().subject, "The table");
      EXPECT_EQ(heard.sentence(), "it is wrong.");
      EXPECT_EQ(heard.hint().action, "correct it");
      EXPECT_EQ(heard.hint().purpose, "else");
      EXPECT_EQ(heard.hint().settings, error.hint().settings);
    }
  });
}

TEST(Ranks, WhenAllFailAlikeTheSentenceIsPlain) {
  for (std::size_t count = 1; count <= kMostRanks; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      const auto report = [&](ErrorKind kind, const std::string& text) {
        return thrown_by([&] { ranks.report_failure(Error(kind, text)); });
      };
      EXPECT_EQ(report(ErrorKind::bad_option, "No."), "shared 0: No.");
      if (count == 1) return;
      const bool is_last = ranks.rank() + 1 == count;
      EXPECT_EQ(report(ErrorKind::bad_option, is_last ? "Not." : "No."), "shared 0: Rank 0: No.");
      EXPECT_EQ(report(is_last ? ErrorKind::bad_data : ErrorKind::bad_option, "No."),
                "shared 0: Rank 0: No.");
    });
  }
}

TEST(Ranks, WhatIsNoErrorBecomesOne) {
  run_ranks(3, [](Ranks& ranks) {
    EXPECT_EQ(thrown_by([&] {
                if (ranks.rank() == 1) ranks.report_failure(std::bad_alloc());
                ranks.meet();
              }),
              "shared 4: Rank 1: There is not enough memory for this.");
    EXPECT_EQ(thrown_by([&] {
                if (ranks.rank() == 2) ranks.report_failure(std::runtime_error("odd"));
                ranks.meet();
              }),
              "shared 4: Rank 2: Something unexpected went wrong: odd.");
  });
}

TEST(Ranks, WhatAllKnowIsNotReportedAgain) {
  run_ranks(5, [](Ranks& ranks) {
    const std::string heard = thrown_by([&] {
      try {
        if (ranks.rank() == 3) fail(ErrorKind::bad_data, "Row 7 is empty.");
        brackets(ranks);
      } catch (const std::exception& error) {
        try {
          ranks.report_failure(error);
        } catch (const std::exception& again) {
          ranks.report_failure(again);
        }
      }
    });
    EXPECT_EQ(heard, "shared 1: Rank 3: Row 7 is empty.");
    expect_in_step(ranks);
  });
}

TEST(Ranks, AMergeThatThrowsFailsThatRound) {
  for (std::size_t count = 2; count <= kMostRanks; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      const std::string heard = thrown_by([&] {
        ranks.combine({}, [](Bytes&, Bytes&&) { fail(ErrorKind::bad_data, "Too much."); });
      });
      EXPECT_EQ(heard, "shared 1: Rank 0: Too much.");
      expect_in_step(ranks);
    });
  }
}

TEST(Ranks, AFailureReachesThoseWhoAreARoundAhead) {
  // The last rank is slow to receive its result, while the others already wait in the next round.
  for (std::size_t count = 2; count <= kMostRanks; ++count) {
    run_ranks(count, [&](Ranks& ranks) {
      const std::string heard = thrown_by([&] {
        for (int round = 0; round < 3; ++round) ranks.meet();
        if (ranks.rank() + 1 == count) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          ranks.report_failure(Error(ErrorKind::failed_run, "Late."));
        }
        for (int round = 0; round < 100; ++round) ranks.meet();
      });
      EXPECT_EQ(heard, fmt::format("shared 4: Rank {}: Late.", count - 1));
      expect_in_step(ranks);
    });
  }
}

TEST(Ranks, AMessageThereIsNoMemoryForFailsTheRoundOrTheNext) {
  // Like in programs: each rank reports its own failure to the other ranks, wherever it was caught.
  for (std::size_t count = 2; count <= kMostRanks; ++count) {
    for (std::size_t loser = 0; loser < count; ++loser) {
      for (std::size_t lost = 1; lost <= 4; ++lost) {
        run_ranks(count, [&](TestRanks& ranks) {
          std::string heard = thrown_by([&] {
            try {
              if (ranks.rank() == loser) ranks.lose(lost);
              for (int round = 0; round < 5; ++round) brackets(ranks);
            } catch (const std::exception& error) {
              ranks.lose(0);
              ranks.report_failure(error);
            }
          });
          EXPECT_EQ(heard,
                    fmt::format("shared 4: Rank {}: There is not enough memory for this.", loser));
          ranks.lose(0);
          expect_in_step(ranks);
        });
      }
    }
  }
}

TEST(Ranks, FailuresAtRandomTimesHangNobody) {
  Dice dice(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 1 + dice.below(kMostRanks);
    std::vector<std::size_t> fails_at(count);
    for (std::size_t& round : fails_at) round = dice.below(30);
    const std::size_t first = *std::min_element(fails_at.begin(), fails_at.end());
    run_ranks(count, [&](Ranks& ranks) {
      std::size_t round = 0;
      const std::string heard = thrown_by([&] {
        for (; round < 20; ++round) {
          if (fails_at[ranks.rank()] == round) {
            ranks.report_failure(Error(ErrorKind::failed_run, "Over."));
          }
          brackets(ranks);
        }
      });
      EXPECT_EQ(round, std::min<std::size_t>(first, 20));
      EXPECT_EQ(heard.empty(), first >= 20);
      expect_in_step(ranks);
    });
  }
}

}  // namespace
}  // namespace knotwork::parallel
