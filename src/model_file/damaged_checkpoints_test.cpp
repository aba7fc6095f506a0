// SPDX-License-Identifier: MIT
// Tests that checkpoints with flipped bytes, missing pieces or pieces of other files are refused
// with a sentence. With a corrected hash some are usable: training then resumes and gives a model
// of finite numbers, or refuses them.
#include <set>

#include "model_file/test_damage.hpp"
#include "model_file/test_saved_models.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>

namespace knotwork::model_file {
namespace {

using ::testing::Gt;

struct Training {
  const char* optimizer;
  std::size_t ensemble;
  double validation;
  std::size_t snapshots;
};
constexpr Training kTrainings[] = {
    {"cg", 1, 0, 0}, {"lbfgs", 1, 0.3, 2}, {"adam", 1, 0.3, 0}, {"lbfgs", 2, 0, 0}};

Model trained(const Training& training, Checkpoints& checkpoints) {
  std::vector<double> inputs, targets;
  for (int row = 0; row < 30; ++row) {
    inputs.push_back(row / 7.0 - 2);
    targets.push_back(std::sin(row / 3.0));
  }
  TrainOptions options;
  options.hidden = {2};
  options.spline.knots = 5;
  options.iterations = 6;
  options.threads = 1;
  options.optimizer = training.optimizer;
  options.ensemble = training.ensemble;
  options.validation_fraction = training.validation;
  options.snapshots = training.snapshots;
  TrainingData data;
  data.inputs = column_major(std::span<const double>(inputs), inputs.size(), 1);
  data.targets = column_major(std::span<const double>(targets), targets.size(), 1);
  return train(data, {}, options, {.checkpoints = lent(checkpoints)});
}

// Checkpoints from the middle of each training.
const std::vector<Bytes>& good_files() {
  static const std::vector<Bytes> files = [] {
    std::vector<Bytes> all;
    for (const Training& training : kTrainings) {
      std::vector<Bytes> states;
      Checkpoints checkpoints(
          [&](const TrainingState& state) { states.push_back(serialize(state)); }, 2);
      trained(training, checkpoints);
      all.push_back(states[states.size() / 2]);
    }
    return all;
  }();
  return files;
}

TEST(DamagedCheckpoints, NoneIsAcceptedWithOtherBytes) {
  Dice dice(3);
  std::size_t refused = 0;
  std::set<std::string> sentences;
  for (std::size_t k = 0; k < kFiles / 2; ++k) {
    SCOPED_TRACE(k);
    const Bytes bytes = damaged_file(good_files(), dice);
    if (std::find(good_files().begin(), good_files().end(), bytes) != good_files().end()) continue;
    sentences.insert(refusal_by([&] { deserialize_checkpoint(bytes, "a file"); }));
    ++refused;
  }
  EXPECT_THAT(refused, Gt(kFiles * 4 / 10));
  EXPECT_THAT(sentences.size(), Gt(15u));
  RecordProperty("knotwork_count_checkpoint_damages", static_cast<int>(refused));
}

// Also changes bits of its numbers.
Bytes forged_checkpoint(const Bytes& good, Dice& dice) {
  if (dice.below(2) == 0) return forged(good, dice);
  Bytes bytes = good;
  const std::size_t data = 8 + header_size(bytes);
  for (std::size_t k = 1 + dice.below(4); k > 0; --k) {
    bytes[data + dice.below(bytes.size() - data)] ^= static_cast<std::uint8_t>(1 << dice.below(8));
  }
  return stamped(bytes);
}

TEST(DamagedCheckpoints, ForgedOnesAreRefusedOrGoOn) {
  Dice dice(4);
  std::size_t gone_on = 0;
  for (std::size_t k = 0; k < kFiles / 5; ++k) {
    SCOPED_TRACE(k);
    const std::size_t which = dice.below(std::size(kTrainings));
    const Bytes bytes = forged_checkpoint(good_files()[which], dice);
    try {
      Checkpoints checkpoints([](const TrainingState&) {}, 1,
                              deserialize_checkpoint(bytes, "a file"));
      const Model model = trained(kTrainings[which], checkpoints);
      serialize(model);  // which refuses numbers that are not finite
      ++gone_on;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
  EXPECT_THAT(gone_on, Gt(kFiles / 100));
  RecordProperty("knotwork_count_forged_checkpoints", static_cast<int>(kFiles / 5));
}

TEST(DamagedCheckpoints, OfTheFutureAndOfOtherKindsAreToldApart) {
  const Bytes future =
      with_edited_record(good_files()[0], [](OrderedJson& record) { record["checkpoint"] = 2; });
  EXPECT_THAT(
      refusal_by([&] { deserialize_checkpoint(future, "a file"); }),
      ::testing::HasSubstr("has format 2, but this version of Knotwork reads formats up to 1;"));
  const Bytes model = serialize(tiny_model());
  EXPECT_THAT(refusal_by([&] { deserialize_checkpoint(model, "a file"); }),
              ::testing::HasSubstr("is a model and not a checkpoint"));
  EXPECT_THAT(refusal(good_files()[0]), ::testing::HasSubstr("is a checkpoint of a training"));
}

}  // namespace
}  // namespace knotwork::model_file
