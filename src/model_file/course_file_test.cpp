// SPDX-License-Identifier: MIT
// Tests the training history and the snapshots in a model file.
#include <fmt/format.h>

#include "model_file/test_saved_models.hpp"

namespace knotwork::model_file {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr double kHalfOfTheSixthDigit = 5e-6;  // of 1.00000, at most

Model model_with_course(std::optional<Precision> precision = Precision::float64) {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 12;
  options.halve_step = 1;
  options.snapshots = 6;
  options.ensemble = 2;
  options.validation_fraction = 0.2;
  options.precision = precision;
  return trained_model(options);
}

TEST(CourseFile, HistoriesComeBackToSixDigits) {
  const History saved = model_with_course().training.history;
  const History loaded = deserialize(serialize(model_with_course()), "a file").training.history;
  EXPECT_EQ(loaded.parts, saved.parts);
  ASSERT_EQ(loaded.points.size(), saved.points.size());
  ASSERT_GT(loaded.points.size(), 10u);
  for (std::size_t k = 0; k < saved.points.size(); ++k) {
    const HistoryPoint &a = saved.points[k], &b = loaded.points[k];
    EXPECT_EQ(a.member, b.member);
    EXPECT_EQ(a.stage, b.stage);
    EXPECT_EQ(a.iteration, b.iteration);
    EXPECT_NEAR(a.objective, b.objective, kHalfOfTheSixthDigit * a.objective);
    ASSERT_TRUE(a.validation && b.validation);
    EXPECT_NEAR(*a.validation, *b.validation, kHalfOfTheSixthDigit * *a.validation);
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (std::size_t p = 0; p < a.parts.size(); ++p) {
      EXPECT_NEAR(a.parts[p], b.parts[p], kHalfOfTheSixthDigit * std::fabs(a.parts[p]));
    }
  }
}

TEST(CourseFile, HistoriesOfTheSmallestNumbersAreWrittenToo) {
  Model model = model_with_course();
  HistoryPoint& point = model.training.history.points.back();
  for (const double small : {std::numeric_limits<double>::denorm_min(), 2.5e-310}) {
    point.objective = point.parts.front() = small;
    const Model loaded = deserialize(serialize(model), "a file");
    EXPECT_NEAR(loaded.training.history.points.back().objective / small, 1, kHalfOfTheSixthDigit);
  }
}

TEST(CourseFile, SnapshotsComeBackExactly) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const Model saved = model_with_course(precision);
    const Model loaded = deserialize(serialize(saved), "a file");
    ASSERT_EQ(loaded.training.snapshots.size(), saved.training.snapshots.size());
    ASSERT_GE(loaded.training.snapshots.size(), 6u);
    for (std::size_t k = 0; k < saved.training.snapshots.size(); ++k) {
      const Snapshot &a = saved.training.snapshots[k], &b = loaded.training.snapshots[k];
      EXPECT_EQ(a.member, b.member);
      EXPECT_EQ(a.iteration, b.iteration);
      const auto before = a.network.parameters(), after = b.network.parameters();
      EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end()));
    }
    EXPECT_EQ(loaded.parameters_sha256(), saved.parameters_sha256());
  }
}

TEST(CourseFile, SavedWithoutSnapshotsItIsTheSameModel) {
  Model model = model_with_course();
  const std::string sha256 = model.parameters_sha256();
  const std::size_t size = serialize(model).size();
  model.training.snapshots.clear();
  EXPECT_EQ(model.parameters_sha256(), sha256);
  EXPECT_LT(serialize(model).size(), size);
}

TEST(CourseFile, ASnapshotThatIsNotFiniteIsNotWritten) {
  Model model = model_with_course();
  model.training.snapshots[1].network.parameters()[0] = std::nan("");
  EXPECT_THROW(serialize(model), Error);
}

TEST(CourseFile, ContradictionsAreRefused) {
  static const Bytes good = serialize(model_with_course());
  const auto refused = [](const std::function<void(OrderedJson&)>& edit) {
    return refusal(with_edited_record(good, edit));
  };
  EXPECT_THAT(refused([](OrderedJson& record) { record["snapshots"][1]["member"] = 2; }),
              HasSubstr("snapshot 1 is not one of its networks"));
  EXPECT_THAT(refused([](OrderedJson& record) { record["snapshots"][0]["layers"].erase(1); }),
              HasSubstr("snapshot 0 is not one of its networks"));
  EXPECT_THAT(refused([](OrderedJson& record) { record.erase("snapshots"); }),
              HasSubstr("its record does not mention tensor 'snapshots.0."));
  EXPECT_THAT(
      refused([](OrderedJson& record) { record["snapshots"].push_back(record["snapshots"][0]); }),
      HasSubstr("it has no tensor 'snapshots."));
  EXPECT_THAT(refused([](OrderedJson& record) {
                record["snapshots"][0]["layers"][0]["activation"]["knots"] = 1e9;
              }),
              AnyOf(HasSubstr("larger than its tensors"), HasSubstr("knots")));
  EXPECT_THAT(
      refused([](OrderedJson& record) { record["training"]["history"]["values"].erase(0); }),
      HasSubstr("its history is not complete"));
  EXPECT_THAT(
      refused([](OrderedJson& record) { record["training"]["history"]["iteration"][0] = -5; }),
      HasSubstr("one of its counts is not a whole number"));
  EXPECT_THAT(refused([](OrderedJson& record) {
                for (int k = 0; k < 200; ++k) {
                  record["training"]["history"]["parts"].push_back("p");
                  record["training"]["history"]["values"].push_back(OrderedJson::array());
                }
              }),
              HasSubstr("is too long"));
  EXPECT_THAT(
      refused([](OrderedJson& record) { record["training"]["history"]["objective"].erase(0); }),
      HasSubstr("its record is not complete"));
}

}  // namespace
}  // namespace knotwork::model_file
