// SPDX-License-Identifier: MIT
// Tests that the same seed gives the same bits: again, on any number of threads, and later, as long
// as compiler and mathematics library are those of reference.json.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/reproducibility/differences.hpp"
#include "tests/reproducibility/environment.hpp"
#include "tests/reproducibility/runs.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/instruction_set.hpp>

namespace knotwork {
namespace {

using Json = nlohmann::ordered_json;

const Json& reference() {
  static const Json json = Json::parse(std::ifstream(KNOTWORK_REFERENCE));
  return json;
}

// Empty if there is no recorded hash for this machine.
std::string recorded_hash(const ReferenceRun& run, const std::string& set) {
  const Environment recorded = environment_from_json(reference().at("environment"));
  const std::vector<std::string> others = differences(this_environment(), recorded);
  for (const std::string& other : others) {
    fmt::print("Not compared with the record: {}.\n", other);
  }
  if (!others.empty()) return "";
  const Json& hashes = reference().at("parameters_sha256").at(run.name);
  if (!hashes.contains(set)) fmt::print("Not compared with the record: {} is not in it.\n", set);
  return hashes.value(set, "");
}

class Reproducibility : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Reproducibility, EveryTrainingEndsWithTheRecordedBits) {
  const ReferenceRun& run = reference_runs()[GetParam()];
  SCOPED_TRACE(run.name);
  int compared = 0;
  std::set<std::string> different;
  for (const std::string& set : instruction_sets()) {
    SCOPED_TRACE(set);
    pin_instruction_set(set);
    const std::string hash = train(run, 1).parameters_sha256();
    different.insert(hash);
    for (const std::size_t threads : {1, 2, 3}) {
      EXPECT_EQ(train(run, threads).parameters_sha256(), hash) << threads << " threads";
      ++compared;
    }
    const std::string recorded = recorded_hash(run, set);
    if (recorded.empty()) continue;
    EXPECT_EQ(hash, recorded) << "If results are meant to change, reproducibility_record writes "
                                 "tests/reproducibility/reference.json anew.";
    ++compared;
  }
  pin_instruction_set(instruction_sets().front());
  for (const auto& [set, hash] : reference().at("parameters_sha256").at(run.name).items()) {
    const std::vector<std::string> here = instruction_sets();
    if (std::find(here.begin(), here.end(), set) != here.end()) continue;
    fmt::print("Not tried: this processor has no {}.\n", set);
  }
  EXPECT_GE(compared, 6);
  RecordProperty("knotwork_count_trainings_compared", compared);
}

INSTANTIATE_TEST_SUITE_P(Runs, Reproducibility, ::testing::Range(std::size_t{0}, std::size_t{10}));

TEST(ReproducibilityRecord, HasEveryRun) {
  std::vector<std::string> names, recorded;
  for (const ReferenceRun& run : reference_runs()) names.push_back(run.name);
  for (const auto& item : reference().at("parameters_sha256").items()) {
    recorded.push_back(item.key());
    EXPECT_THAT(item.value().items().begin().key(), ::testing::Not(::testing::IsEmpty()));
  }
  EXPECT_THAT(recorded, ::testing::UnorderedElementsAreArray(names));
  EXPECT_EQ(names.size(), 10u);
}

// Differences are reported part by part; a mathematics library of the same name may still differ.
TEST(ReproducibilityRecord, AnotherEnvironmentIsSeen) {
  const Environment here = this_environment();
  EXPECT_EQ(environment_from_json(to_json(here)), here);
  EXPECT_THAT(differences(here, here), ::testing::IsEmpty());
  Environment other = here;
  other.libm_sha256 = "abc";
  EXPECT_THAT(differences(here, other),
              ::testing::ElementsAre(::testing::StartsWith("libm_sha256: " + here.libm_sha256)));
  EXPECT_EQ(this_environment(), here);
}

// Rounding differs, but no formula does: some hundred units in the last place at most.
TEST(InstructionSets, OneEvaluationDiffersByRoundingOnly) {
  const std::string scalar = instruction_sets().back();
  for (const auto& [precision, bound] :
       {std::pair{Precision::float64, 1e-13}, std::pair{Precision::float32, 1e-5}}) {
    Difference largest;
    for (const std::string& set : instruction_sets()) {
      SCOPED_TRACE(set);
      const Difference one = difference_between(set, scalar, precision);
      EXPECT_LE(one.value, bound);
      EXPECT_LE(one.gradient, bound);
      if (set == scalar) {
        EXPECT_EQ(one.value, 0);
        EXPECT_EQ(one.gradient, 0);
      }
      largest = {std::max(largest.value, one.value), std::max(largest.gradient, one.gradient)};
    }
    const std::string name(to_string(precision));
    RecordProperty("knotwork_figure_value_difference_" + name,
                   fmt::format("{:.1e}", largest.value));
    RecordProperty("knotwork_figure_gradient_difference_" + name,
                   fmt::format("{:.1e}", largest.gradient));
  }
}

}  // namespace
}  // namespace knotwork
