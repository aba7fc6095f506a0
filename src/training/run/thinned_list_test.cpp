// SPDX-License-Identifier: MIT
#include "training/run/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knotwork::training {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int> thinned(std::size_t most, int length) {
  ThinnedList<int> list(most, 1);
  for (int k = 0; k < length; ++k) list.add(k, k);
  return list.take();
}

TEST(ThinnedList, KeepsAllWhileThereIsRoom) {
  EXPECT_THAT(thinned(5, 5), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(thinned(5, 0), IsEmpty());
}

TEST(ThinnedList, KeepsEverySecondAndThenEveryFourth) {
  EXPECT_THAT(thinned(5, 6), ElementsAre(0, 2, 4));
  EXPECT_THAT(thinned(5, 9), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(thinned(5, 13), ElementsAre(0, 4, 8, 12));
}

TEST(ThinnedList, KeepsAtLeastHalfOfWhatItMayAtEqualDistances) {
  for (const std::size_t most : {2u, 3u, 7u, 20u, 100u}) {
    for (int length = static_cast<int>(most); length < 700; length += 13) {
      const std::vector<int> kept = thinned(most, length);
      ASSERT_LE(kept.size(), most);
      ASSERT_GE(2 * kept.size(), most) << length;
      ASSERT_EQ(kept.front(), 0);
      for (std::size_t k = 2; k < kept.size(); ++k) {
        ASSERT_EQ(kept[k] - kept[k - 1], kept[1] - kept[0]);
      }
    }
  }
}

TEST(ThinnedList, OneItemIsTheFirst) {
  EXPECT_THAT(thinned(1, 100), ElementsAre(0));
}

TEST(ThinnedList, WantsNothingWithoutRoomAndNothingTwice) {
  ThinnedList<int> none(0, 1);
  EXPECT_FALSE(none.wants(0));
  none.add(0, 7);
  EXPECT_THAT(none.take(), IsEmpty());

  ThinnedList<int> list(10, 1);
  list.add(0.2, 1);
  EXPECT_FALSE(list.wants(0.9));
  EXPECT_TRUE(list.wants(1));
}

}  // namespace
}  // namespace knotwork::training
