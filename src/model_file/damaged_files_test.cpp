// SPDX-License-Identifier: MIT
// Model files of all kinds with bytes flipped, pieces cut out and pieces of others put in: each is
// refused with a sentence, or is the file that it was. With their hash put right some can be used;
// then they are models like others.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "model_file/test_damage.hpp"
#include "model_file/test_models.hpp"

#include <knotwork/table_training.hpp>

namespace knotwork {
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

const std::vector<Bytes>& good_files() {
  static const std::vector<Bytes> files = [] {
    TrainOptions ensemble = small_options();
    ensemble.ensemble = 3;
    ensemble.precision = Precision::single_;
    TrainOptions quantiles = small_options();
    quantiles.scale_inputs = ScalingKind::quantile;
    TrainOptions snapshots = small_options();
    snapshots.snapshots = 1;
    return std::vector<Bytes>{
        serialise(tiny_model()),
        serialise(train(mixed_table(false), {}, small_options())),
        serialise(train(mixed_table(true), {}, small_options())),
        serialise(train(mixed_table(false), {}, ensemble)),
        serialise(train(mixed_table(false), {}, quantiles)),
        serialise(train(mixed_table(true), {}, snapshots)),
    };
  }();
  return files;
}

bool is_good(const Bytes& bytes) {
  return std::find(good_files().begin(), good_files().end(), bytes) != good_files().end();
}

TEST(DamagedFiles, NoneIsAcceptedWithOtherBytes) {
  Dice dice(1);
  std::size_t refused = 0;
  std::set<std::string> sentences;
  for (std::size_t k = 0; k < kFiles; ++k) {
    SCOPED_TRACE(k);
    const Bytes bytes = damaged_file(good_files(), dice);
    if (is_good(bytes)) {
      EXPECT_NO_THROW(deserialise(bytes, "a file"));
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
    const Bytes bytes = forged(good_files()[dice.below(good_files().size())], dice);
    std::optional<Model> model;
    try {
      model = deserialise(bytes, "a file");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model) << error.what();
      continue;
    }
    ++taken;
    const Bytes saved = serialise(*model);
    EXPECT_EQ(serialise(deserialise(saved, "a saved file")), saved);
  }
  EXPECT_THAT(taken, Gt(kFiles / 100));
  RecordProperty("knotwork_count_forged_model_files", static_cast<int>(kFiles));
}

}  // namespace
}  // namespace knotwork
