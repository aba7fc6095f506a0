// SPDX-License-Identifier: MIT
// Tests of models that are trained as private.
#include <filesystem>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

class Private : public CliTest {
 protected:
  Private() {
    std::filesystem::create_directory(folder_.path() / "ward_9");
    std::string table = "dose,place,always_the_same,price\n";
    for (int r = 0; r < 60; ++r) {
      const std::string dose = r == 13 ? "8675309.5" : std::to_string(r * 7 % 11);
      table += dose + (r % 2 == 0 ? ",north,5," : ",south,5,") + std::to_string(r % 9) + "\n";
    }
    folder_.write("ward_9/patients.csv", table);
    folder_.write("new.csv", "dose,place\n1,north\n2,south\n9000000,west\n");
    EXPECT_EQ(train({"--out", "usual.safetensors"}).code, 0);
    trained_ = train({"--private", "--out", "private.safetensors"});
    EXPECT_EQ(trained_.code, 0) << trained_.err;
  }
  Outcome train(Words more) const {
    Words words = {"train", "ward_9/patients.csv", "--hidden", "3", "--iterations", "8",
                   "--test-last"};
    words.insert(words.end(), more.begin(), more.end());
    return knotwork(words);
  }
  std::string predicted(const std::string& model) const {
    return knotwork({"predict", model, "new.csv", "--quiet"}).out;
  }

  Outcome trained_;
};

const Words kTraces = {"ward_9", "patients", "8675309.5", "always_the_same"};

TEST_F(Private, TheFileHasNoTraceOfTheTableAndPredictsTheSame) {
  const std::string usual = folder_.read("usual.safetensors");
  const std::string bytes = folder_.read("private.safetensors");
  EXPECT_THAT(usual, AllOf(HasSubstr("patients"), HasSubstr("8675309.5"),
                           HasSubstr("always_the_same"), HasSubstr("rows_sha256")));
  for (const std::string& trace : kTraces) EXPECT_THAT(bytes, Not(HasSubstr(trace)));
  EXPECT_THAT(bytes, Not(HasSubstr("rows_sha256")));
  EXPECT_EQ(tensors_of(bytes), tensors_of(usual));
  EXPECT_NE(predicted("private.safetensors"), "");
  EXPECT_EQ(predicted("private.safetensors"), predicted("usual.safetensors"));
}

TEST_F(Private, WhoTrainsItStillReadsTheRemarks) {
  EXPECT_THAT(trained_.err + trained_.out, HasSubstr("always_the_same"));
}

TEST_F(Private, WhatIsMadeFromTheFileHasNoTraceOfTheTableEither) {
  const Outcome inspected = knotwork({"inspect", "private.safetensors"});
  EXPECT_EQ(inspected.code, 0) << inspected.err;
  EXPECT_THAT(inspected.out, HasSubstr("the hash of its rows were left out"));
  EXPECT_THAT(knotwork({"inspect", "usual.safetensors"}).out, Not(HasSubstr("were left out")));
  EXPECT_EQ(knotwork({"report", "private.safetensors", "--out", "p.html"}).code, 0);
  EXPECT_THAT(folder_.read("p.html"), HasSubstr("The model was trained as private"));
  for (const char* format : {"c", "onnx"}) {
    EXPECT_EQ(
        knotwork({"export", "private.safetensors", "--format", format, "--out", format}).code, 0);
  }
  const Words made = {inspected.out, knotwork({"inspect", "private.safetensors", "--json"}).out,
                      folder_.read("p.html"), folder_.read("c"), folder_.read("onnx")};
  for (const std::string& trace : kTraces) EXPECT_THAT(made, Each(Not(HasSubstr(trace))));
}

TEST_F(Private, ATrainingThatStartsFromItCannotTellWhetherTheRowsAreTheSame) {
  const Words again = {"--iterations", "2", "--out", "again.safetensors", "--start-from"};
  const auto remarks_after = [&](const std::string& model) {
    Words words = {"train", "ward_9/patients.csv", "--test-last"};
    words.insert(words.end(), again.begin(), again.end());
    words.push_back(model);
    const Outcome outcome = knotwork(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err + outcome.out;
  };
  EXPECT_THAT(remarks_after("private.safetensors"), HasSubstr("may have been trained on rows"));
  EXPECT_THAT(remarks_after("usual.safetensors"), Not(HasSubstr("may have been trained on rows")));
}

}  // namespace
}  // namespace knotwork::testing
