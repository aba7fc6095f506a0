// SPDX-License-Identifier: MIT
// Tests model files of all kinds with flipped bytes, missing pieces or pieces of other files: each
// is refused with a sentence, or equals the original file. With a corrected hash some are usable;
// they are then ordinary models.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "model_file/test_damage.hpp"
#include "model_file/test_saved_models.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/training.hpp>

namespace knotwork::model_file {
namespace {

using ::testing::Gt;

// Numbers, texts and missing cells, and a target of numbers or of classes.
Table mixed_table(bool classes) {
  const char* const colours[] = {"red", "green", "blue"};
  std::string text = "x,colour,gap,y\n";
  for (int row = 0; row < 40; ++row) {
    const std::string gap = row % 5 == 0 ? "" : fmt::format("{}", row * row % 11);
    const std::string y = classes ? colours[row % 2] : fmt::format("{}", std::sin(row));
    text += fmt::format("{},{},{},{}\n", row, colours[row % 3], gap, y);
  }
  return parse_csv(text, "mixed");
}

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 3;
  options.threads = 1;
  return options;
}

const std::vector<Bytes>& undamaged_files() {
  static const std::vector<Bytes> files = [] {
    TrainOptions ensemble = small_options();
    ensemble.ensemble = 3;
    ensemble.precision = Precision::float32;
    TrainOptions quantiles = small_options();
    quantiles.scale_inputs = ScalingKind::quantile;
    TrainOptions snapshots = small_options();
    snapshots.snapshots = 1;
    return std::vector<Bytes>{
        serialize(tiny_model()),
        serialize(train(mixed_table(false), {}, small_options())),
        serialize(train(mixed_table(true), {}, small_options())),
        serialize(train(mixed_table(false), {}, ensemble)),
        serialize(train(mixed_table(false), {}, quantiles)),
        serialize(train(mixed_table(true), {}, snapshots)),
    };
  }();
  return files;
}

bool is_good(const Bytes& bytes) {
  return std::find(undamaged_files().begin(), undamaged_files().end(), bytes) !=
         undamaged_files().end();
}

TEST(DamagedFiles, NoneIsAcceptedWithOtherBytes) {
  Dice dice(1);
  std::size_t refused = 0;
  std::set<std::string> sentences;
  for (std::size_t k = 0; k < kFiles; ++k) {
    SCOPED_TRACE(k);
    const Bytes bytes = damaged_file(undamaged_files(), dice);
    if (is_good(bytes)) {
      EXPECT_NO_THROW(deserialize(bytes, "a file"));
      continue;
    }
    sentences.insert(refusal(bytes));
    ++refused;
  }
  EXPECT_THAT(refused, Gt(kFiles * 9 / 10));
  EXPECT_THAT(sentences.size(), Gt(20u));
  RecordProperty("knotwork_count_damaged_model_files", static_cast<int>(refused));
}

TEST(DamagedFiles, ForgedOnesAreRefusedOrModels) {
  Dice dice(2);
  std::size_t taken = 0;
  for (std::size_t k = 0; k < kFiles; ++k) {
    SCOPED_TRACE(k);
    const Bytes bytes = forged(undamaged_files()[dice.below(undamaged_files().size())], dice);
    std::optional<Model> model;
    try {
      model = deserialize(bytes, "a file");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model) << error.what();
      continue;
    }
    ++taken;
    const Bytes saved = serialize(*model);
    EXPECT_EQ(serialize(deserialize(saved, "a saved file")), saved);
  }
  EXPECT_THAT(taken, Gt(kFiles / 100));
  RecordProperty("knotwork_count_forged_model_files", static_cast<int>(kFiles));
}

}  // namespace
}  // namespace knotwork::model_file
