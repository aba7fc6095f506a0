// SPDX-License-Identifier: MIT
// Tests studies that open well but contain something that tune did not store.
#include <knotwork/search.hpp>

#include "tune_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kSpace = R"([{"option":"lambda-w","values":["0.1","1"]}])";

class TuneDamage : public TuneTest {
 protected:
  // The output for a study with this space, these settings and this result.
  std::string shown(const std::string& space, const std::vector<Setting>& settings = {},
                    const std::string& result = "", const std::string& folds = "2") const {
    const std::filesystem::path path = folder_.path() / "s.db";
    std::filesystem::remove(path);
    {
      Study study(path,
                  {{"space", space}, {"strategy", "grid"}, {"folds", folds}, {"score", "NRMSE"}});
      if (!settings.empty()) {
        for (const std::int64_t trial : study.begin("", settings, 1, 2)) {
          study.store(trial, {0, 0.5, 0, ""});
          study.store(trial, {1, 0.25, 0, ""});
        }
      }
      if (!result.empty()) study.set_result("", "tune", result);
    }
    std::string sentence = refusal({"tune", "--show", "s.db"});
    EXPECT_EQ(refusal({"tune", "--show", "s.db", "--svg", "f.svg"}), sentence);
    EXPECT_EQ(knotwork({"tune", "--show", "s.db", "--json"}).err, sentence);
    return sentence;
  }
};

TEST_F(TuneDamage, ASpaceThatIsNone) {
  for (const char* space : {"", "[", "{}", "[]", "[1]", R"([{"option":"lambda-w","values":[]}])",
                            R"([{"option":"lambda-w","values":[1]}])", R"([{"option":"lambda-w"}])",
                            R"([{"option":"lambda-w","values":["1"],"range":{"low":0}}])",
                            R"([{"option":"a","values":["1"]},{"option":"a","values":["2"]}])"}) {
    EXPECT_THAT(shown(space),
                AllOf(HasSubstr("The study s.db is damaged (the description of the search"),
                      HasSubstr("restore a copy, or remove it to start again")))
        << space;
  }
  for (const char* folds : {"0", "x", ""}) {
    EXPECT_THAT(shown(kSpace, {}, "", folds),
                HasSubstr("s.db is damaged (the description of the search"));
  }
}

TEST_F(TuneDamage, SettingsOfAnotherSearch) {
  const std::vector<Setting> others = {{},
                                       {{"knots", "9"}},
                                       {{"lambda-w", "1"}, {"knots", "9"}},
                                       {{"knots", "9"}, {"lambda-w", "1"}}};
  for (const Setting& other : others) {
    EXPECT_THAT(shown(kSpace, {{{"lambda-w", "0.1"}}, other}),
                HasSubstr("s.db is damaged (a trial has options that the search does not have)"));
  }
}

TEST_F(TuneDamage, AResultThatIsNone) {
  for (const char* result : {"{", "[]", "7", "{}", R"({"winner":{}})", R"({"model":"m"})",
                             R"({"winner":{},"model":7})"}) {
    EXPECT_THAT(shown(kSpace, {{{"lambda-w", "0.1"}}}, result),
                HasSubstr("s.db is damaged (the stored winner cannot be read)"))
        << result;
  }
}

TEST_F(TuneDamage, AStudyOfOthers) {
  { const Study study(folder_.path() / "s.db", {{"experiment", "reproduce"}}); }
  EXPECT_THAT(refusal({"tune", "--show", "s.db"}),
              HasSubstr("s.db is a study, but not one made by tune; name another file"));
}

// Values outside the grid are shown unchanged.
TEST_F(TuneDamage, ValuesThatTheSpaceDoesNotHaveDoNoHarm) {
  const std::string space =
      R"([{"option":"a","values":["1","2"]},{"option":"b","values":["x","y"]}])";
  {
    Study study(folder_.path() / "s.db",
                {{"space", space}, {"strategy", "grid"}, {"folds", "1"}, {"score", "NRMSE"}});
    const std::vector<Setting> settings = {{{"a", "nan"}, {"b", "z"}}, {{"a", "3"}, {"b", "q"}}};
    for (const std::int64_t trial : study.begin("", settings, 1, 1)) {
      study.store(trial, {0, 0.5, 0, ""});
    }
    study.set_result("", "tune", R"({"winner":{},"model":"m.st","test":[1]})");
  }
  const Outcome outcome = knotwork({"tune", "--show", "s.db", "--svg", "f.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a nan, b z"), HasSubstr("saved in   m.st\n")));
}

}  // namespace
}  // namespace knotwork::testing
