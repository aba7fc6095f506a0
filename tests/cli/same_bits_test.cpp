// SPDX-License-Identifier: MIT
// Tests that the same seed gives the same bits, for any number of threads.
#include <knotwork/instruction_set.hpp>
#include <knotwork/optimizer.hpp>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

class SameBits : public CliTest {
 protected:
  Json trained(const Words& options) const {
    Words words = {"train", "builtin:planted", "--iterations", "4", "--hidden", "6", "--ensemble",
                   "1"};
    words.insert(words.end(), options.begin(), options.end());
    return document(words);
  }
};

TEST_F(SameBits, OnAnyNumberOfThreadsForEveryOptimizerAndPrecision) {
  for (const std::string& optimizer : builtin_optimizers().names()) {
    for (const std::string precision : {"float", "double"}) {
      SCOPED_TRACE(optimizer + " in " + precision);
      Words options = {"--optimizer", optimizer, "--precision", precision, "--threads", "1"};
      if (optimizer.starts_with("adam") || optimizer == "sgd")
        options.insert(options.begin(), {"--batch", "64"});
      const Json one = trained(options);
      EXPECT_EQ(one["iterations"], 4);
      for (const char* threads : {"2", "7"}) {
        options.back() = threads;
        const Json more = trained(options);
        EXPECT_EQ(more["parameters_sha256"], one["parameters_sha256"]) << threads << " threads";
        EXPECT_EQ(more["test"], one["test"]);
        EXPECT_EQ(more["objective"], one["objective"]);
      }
    }
  }
}

TEST_F(SameBits, InTheWholeFileApartFromTheSeconds) {
  const auto file = [&](const std::string& seed) {
    trained({"--seed", seed, "--validation-fraction", "0.1"});
    return folder_.read("model.safetensors");
  };
  const auto record = [](const std::string& bytes) {
    Json json = record_of(bytes);
    json["training"].erase("seconds");
    json.erase("sha256");
    return json;
  };
  const std::string first = file("5"), again = file("5"), other = file("6");
  EXPECT_EQ(tensors_of(first), tensors_of(again));
  EXPECT_EQ(record(first), record(again));
  EXPECT_NE(tensors_of(first), tensors_of(other));
}

TEST_F(SameBits, InSplitsOfAGivenTableToo) {
  folder_.write("t.csv", small_table());
  const auto test_scores = [&](const std::string& seed) {
    return document({"train", "t.csv", "--iterations", "0", "--seed", seed})["test"];
  };
  EXPECT_EQ(test_scores("1"), test_scores("1"));
  EXPECT_NE(test_scores("1"), test_scores("2"));
}

TEST_F(SameBits, OnThePinnedInstructionSet) {
  for (const std::string& set : instruction_sets()) {
    SCOPED_TRACE(set);
    const Json one = trained({"--isa", set, "--threads", "1"});
    EXPECT_EQ(one["instruction_set"], set);
    EXPECT_EQ(trained({"--isa", set, "--threads", "3"})["parameters_sha256"],
              one["parameters_sha256"]);
  }
  EXPECT_EQ(trained({})["instruction_set"], instruction_sets().front());
}

TEST_F(SameBits, AnInstructionSetThatIsNotThereIsRefused) {
  for (const std::string command : {"train", "tune", "predict", "evaluate", "reproduce"}) {
    Words words = {command, command == "reproduce" ? "cost" : "model.safetensors"};
    if (command == "predict" || command == "evaluate") words.push_back("builtin:sinc");
    words.insert(words.end(), {"--isa", "avx22"});
    EXPECT_THAT(refusal(words),
                ::testing::HasSubstr("no instruction set on this processor called 'avx22'"));
  }
}

}  // namespace
}  // namespace knotwork::testing
