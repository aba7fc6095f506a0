// SPDX-License-Identifier: MIT
// Tests several processes under MPI's launcher: their output, and that all of them end.
#include "mpi_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Mpi, MessagesOfAnySizeArrive) {
  for (const int ranks : {1, 2, 3, 5}) {
    const Outcome outcome = exercise(ranks, {"exchange"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "This is said.\n");
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(Mpi, OneThatFailsEndsAllWithOneSentence) {
  for (const std::string task : {"fail", "fail-at-end"}) {
    const Outcome outcome = exercise(3, {task, "2"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(sentences(outcome), ElementsAre("Rank 2: Row 3 is empty."));
  }
  const Outcome first = exercise(3, {"fail", "0"});
  EXPECT_EQ(first.code, 2);
  EXPECT_THAT(sentences(first), ElementsAre("Row 3 is empty."));
}

TEST_F(Mpi, WhenAllFailThereIsOneSentence) {
  const Outcome alike = exercise(4, {"fail-all"});
  EXPECT_EQ(alike.code, 2);
  EXPECT_THAT(sentences(alike), ElementsAre("There are no rows."));
  const Outcome each = exercise(4, {"fail-each"});
  EXPECT_EQ(each.code, 1);
  EXPECT_THAT(sentences(each), ElementsAre("I am 0."));
}

TEST_F(Mpi, OtherExceptionsEndAllToo) {
  const Outcome outcome = exercise(3, {"throw", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(sentences(outcome), ElementsAre("Rank 1: There is not enough memory for this."));
}

TEST_F(Mpi, AMessageThereIsNoMemoryForHangsNobody) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer itself takes more than any limit";
#endif
  for (const std::string rank : {"0", "1", "2"}) {
    const Outcome outcome = exercise(4, {"memory", rank});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(sentences(outcome),
                ElementsAre("Rank " + rank + ": There is not enough memory for this."));
  }
}

TEST_F(Mpi, TheExitCodeOfOneIsThatOfAll) {
  const Outcome outcome = exercise(3, {"code", "2"});
  EXPECT_EQ(outcome.code, 143);
  EXPECT_THAT(sentences(outcome), IsEmpty());
}

TEST_F(Mpi, CommandsThatDoNotShareWorkRunOnce) {
  const Outcome written = knotwork(3, {"datasets", "sinc", "--rows", "20", "--out", "t.csv"});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, "20 rows of builtin:sinc in t.csv\n");
  const Outcome converted = knotwork(3, {"convert", "t.csv", "t.npy", "--json", "--quiet"});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(Json::parse(converted.out)["data"]["rows"], 20);
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv", "t.npy"));
}

TEST_F(Mpi, MistakesAreSaidOnceAndAsByTheOtherProgram) {
  for (const Words& request :
       {Words{"train", "builtin:planted", "--no-such-option"}, Words{"inspect", ""},
        Words{"evaluate", "none.safetensors", "builtin:planted"}}) {
    const Outcome one = alone(KNOTWORK_PROGRAM, request);
    const Outcome two = knotwork(2, request);
    EXPECT_EQ(one.code, 2);
    EXPECT_EQ(two.code, one.code);
    EXPECT_EQ(two.out, "");
    EXPECT_THAT(sentences(two), ElementsAre(sentences(one).at(0)));
  }
}

TEST_F(Mpi, HelpIsShownOnce) {
  const Outcome one = alone(KNOTWORK_PROGRAM, {"help", "train"});
  for (const Words& request : {Words{"help", "train"}, Words{"train", "--help"}}) {
    const Outcome two = knotwork(2, request);
    EXPECT_EQ(two.code, 0);
    EXPECT_EQ(two.err, "");
    EXPECT_EQ(two.out, one.out);
  }
}

TEST_F(Mpi, WithoutALauncherThereIsOneRank) {
  const Outcome good = alone(KNOTWORK_MPI_PROGRAM, {"--version"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("knotwork "));
  EXPECT_EQ(good.err, "");
  const Outcome bad = alone(KNOTWORK_MPI_PROGRAM, {"inspect", "none.safetensors"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.err, alone(KNOTWORK_PROGRAM, {"inspect", "none.safetensors"}).err);
}

}  // namespace
}  // namespace knotwork::testing
