// SPDX-License-Identifier: MIT
// Tests scripts/get-data without a network and without the data: our own programs replace npm, curl
// and sha256sum where a case needs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "run_program.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kScripts = std::string(KNOTWORK_SOURCE_DIR) + "/scripts";

const std::string kHeader =
    "longitude,latitude,housingMedianAge,totalRooms,totalBedrooms,population,households,"
    "medianIncome,medianHouseValue\n";
const std::string kMeansHeader =
    "MedInc,HouseAge,AveRooms,AveBedrms,Population,AveOccup,Latitude,Longitude,MedHouseVal\n";

// Two synthetic rows in both forms: 7 households with 3 rooms each in the second.
const std::string kMeans = kMeansHeader +
                           "8.3252,41.0,6.984126984126984,1.0238095238095237,322.0,"
                           "2.5555555555555554,37.88,-122.23,4.526\n"
                           "10.5,9.0,3.0,1.1428571428571428,20.0,2.857142857142857,35.0,-120.5,"
                           "5.00001\n";
const std::string kOriginal =
    "-122.230000,37.880000,41.000000,880.000000,129.000000,322.000000,126.000000,8.325200,"
    "452600.000000\n"
    "-120.500000,35.000000,9.000000,21.000000,8.000000,20.000000,7.000000,10.500000,"
    "500001.000000\n";
const std::string kTable = kHeader +
                           "-122.23,37.88,41,880,129,322,126,8.3252,452600\n"
                           "-120.5,35,9,21,8,20,7,10.5,500001\n";

class GetData : public ::testing::Test {
 protected:
  Outcome run_script(std::vector<std::string> arguments) const {
    const std::string path = folder_.path().string() + "/bin:" + std::getenv("PATH");
    return run({.program = kScripts + "/get-data",
                .arguments = std::move(arguments),
                .folder = folder_.path(),
                .input = "",
                .environment = {{"PATH", path}}});
  }

  // A program that comes before all others of its name in the PATH.
  void stand_in(const std::string& name, const std::string& lines) const {
    const auto bin = folder_.path() / "bin";
    std::filesystem::create_directories(bin);
    folder_.write("bin/" + name, "#!/bin/sh\n" + lines);
    std::filesystem::permissions(bin / name, std::filesystem::perms::owner_all);
  }

  // Prints the known sums for our two rows, so that they are accepted as the real data.
  void trust_our_rows() const {
    stand_in(
        "sha256sum",
        "case \"$(head -n 1 | cut -c 1-6)\" in\n"
        "  MedInc) echo 94ef369b909f5c725340b512b7c9a05c1550a554b6592d29303990e3ba521a1f - ;;\n"
        "  longit) echo 200f73543795bc1e16ac3d4eb8de13f8737d3b35dcdd6c173d1d56fed43d2fef - ;;\n"
        "  *) echo aaa5c9a6afe2225cc2aed2723682ae403280c4a3695a2ddda4ffb5d8215ea681 - ;;\n"
        "esac\n");
  }

  Folder folder_;
};

TEST_F(GetData, RebuildsTheOriginalColumnsFromEitherForm) {
  const auto convert = [&](const std::string& input) {
    return run({.program = "/usr/bin/env",
                .arguments = {"awk", "-f", kScripts + "/california.awk"},
                .folder = folder_.path(),
                .input = input,
                .environment = {}});
  };
  EXPECT_EQ(convert(kMeans).out, kTable);
  EXPECT_EQ(convert(kOriginal).out, kTable);
  for (const std::string& bad : {std::string("1,2,3\n"), kMeansHeader + "1,2,3,4,5,6,7,8,x\n"}) {
    const Outcome outcome = convert(bad);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("is not a row of 9 numbers"));
  }
}

TEST_F(GetData, RefusesAFileThatIsNotTheKnownOne) {
  folder_.write("some.csv", kMeans);
  const Outcome outcome = run_script({"california", "--from", "some.csv", "--data-dir", "d"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("some.csv is not California Housing"), HasSubstr("SHA-256")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "d"));
}

TEST_F(GetData, MakesTheTableFromAFile) {
  trust_our_rows();
  folder_.write("some.csv", kMeans);
  const Outcome outcome = run_script({"california", "--from", "some.csv", "--data-dir", "d/e"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "d/e/california_housing.csv is there now: 20640 rows.\n");
  EXPECT_EQ(folder_.read("d/e/california_housing.csv"), kTable);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path() / "d/e"), {}), 1);

  EXPECT_EQ(run_script({"california", "--data-dir", "d/e"}).out,
            "d/e/california_housing.csv is there.\n");
}

TEST_F(GetData, FetchesThePackageOrElseTheArchive) {
  trust_our_rows();
  folder_.write("means.csv", kMeans);
  stand_in("npm",
           "[ \"$*\" = 'pack --silent scikitjs@1.24.0' ] || exit 9\n"
           "mkdir -p package/docs/static/data\n"
           "cp '" +
               folder_.path().string() +
               "/means.csv' "
               "package/docs/static/data/california_housing.csv\n"
               "tar -czf scikitjs.tgz package && rm -r package\n");
  stand_in("curl", "exit 9\n");
  EXPECT_EQ(run_script({"california", "--data-dir", "one"}).code, 0);
  EXPECT_EQ(folder_.read("one/california_housing.csv"), kTable);

  std::filesystem::create_directories(folder_.path() / "CaliforniaHousing");
  folder_.write("CaliforniaHousing/cal_housing.data", kOriginal);
  stand_in("npm", "echo no network; exit 1\n");
  stand_in("curl",
           "while [ \"$1\" != -o ]; do shift; done\n"
           "case \"$3\" in https://*/5976036) ;; *) exit 9 ;; esac\n"
           "tar -czf \"$2\" -C '" +
               folder_.path().string() + "' CaliforniaHousing\n");
  const Outcome outcome = run_script({"california", "--data-dir", "two"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no network"), HasSubstr("npm could not bring")));
  EXPECT_EQ(folder_.read("two/california_housing.csv"), kTable);

  stand_in("curl", "exit 22\n");
  const Outcome nothing = run_script({"california", "--data-dir", "three"});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.err, AllOf(HasSubstr("could not be fetched"), HasSubstr("--from")));
}

TEST_F(GetData, KeepsAFileThatIsThere) {
  std::filesystem::create_directories(folder_.path() / "d");
  folder_.write("d/california_housing.csv", "mine\n");
  const Outcome outcome = run_script({"california", "--data-dir", "d"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("d/california_housing.csv is there"), HasSubstr("move it away")));
  EXPECT_EQ(folder_.read("d/california_housing.csv"), "mine\n");
}

TEST_F(GetData, RefusesATableThatWasNotRebuiltWell) {
  trust_our_rows();
  stand_in("awk", "echo nonsense\n");
  folder_.write("some.csv", kMeans);
  const Outcome outcome = run_script({"california", "--from", "some.csv", "--data-dir", "d"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the rebuilt table is not the known one"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "d"));
}

TEST_F(GetData, SaysHowChemicalIsExported) {
  const Outcome outcome = run_script({"chemical", "--data-dir", "d"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("MathWorks"),
                                 HasSubstr("load chemical_dataset; writematrix([chemicalInputs' "
                                           "double(chemicalTargets)'], 'chemical.csv')\n"),
                                 HasSubstr("d/chemical.csv")));
  folder_.write("chemical.csv", "1\n");
  EXPECT_EQ(run_script({"chemical", "--data-dir", "."}).code, 0);
}

TEST_F(GetData, RefusesWhatItDoesNotKnow) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "which set, california or chemical?"},
      {{"iris"}, "there is no set 'iris'; there are california and chemical."},
      {{"california", "chemical"}, "one set at a time; 'chemical' is too much."},
      {{"california", "--fast"}, "there is no option '--fast'; there are --data-dir, --from"},
      {{"california", "--from"}, "--from needs a name after it."},
      {{"--data-dir"}, "--data-dir needs a name after it."},
      {{"chemical", "--from", "x"}, "--from is for california only."},
  };
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = run_script(arguments);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr("scripts/get-data: " + message));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  const Outcome absent = run_script({"california", "--from", "absent", "--data-dir", "d"});
  EXPECT_EQ(absent.code, 1);
  EXPECT_THAT(absent.err, HasSubstr("'absent' is no file that can be read."));
  EXPECT_THAT(run_script({"--help"}).out, HasSubstr("Usage: scripts/get-data SET"));
}

}  // namespace
}  // namespace knotwork::testing
