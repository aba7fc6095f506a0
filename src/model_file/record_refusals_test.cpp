// SPDX-License-Identifier: MIT
// Tests records whose numbers contradict each other; their hash is correct.
#include "model_file/test_saved_models.hpp"

#include <knotwork/training.hpp>

namespace knotwork::model_file {
namespace {

using ::testing::HasSubstr;

TEST(RecordRefusals, MoreMembersThanNumbers) {
  const Bytes good = serialize(tiny_model());
  for (const int members : {0, 999}) {
    const Bytes bytes =
        with_edited_record(good, [&](OrderedJson& record) { record["members"] = members; });
    EXPECT_THAT(refusal(bytes), HasSubstr("members, but tensors of"));
  }
}

TEST(RecordRefusals, ClassesBesideOtherTargets) {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 1;
  const Bytes good = serialize(trained_model(options, 2));
  const Bytes bytes = with_edited_record(good, [](OrderedJson& record) {
    OrderedJson& target = record["targets"][0];
    target["classes"] = {"no", "yes"};
    target["scaling"] = "none";
    target["offset"] = 0;
    target["scale"] = 1;
  });
  EXPECT_THAT(refusal(bytes), HasSubstr("it has other targets besides classes"));
}

TEST(RecordRefusals, MoreSnapshotsThanAreRead) {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 2;
  options.snapshots = 1;
  const Bytes good = serialize(trained_model(options));
  const Bytes bytes = with_edited_record(good, [](OrderedJson& record) {
    OrderedJson& snapshots = record["snapshots"];
    while (snapshots.size() <= kMaxSnapshots) snapshots.push_back(OrderedJson(snapshots[0]));
  });
  EXPECT_THAT(refusal(bytes),
              HasSubstr("it has 1001 snapshots, more than the limit of 1000 for a network"));
}

}  // namespace
}  // namespace knotwork::model_file
