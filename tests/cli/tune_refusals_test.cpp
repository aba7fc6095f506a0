// SPDX-License-Identifier: MIT
#include "tune_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TuneRefusals : public TuneTest {
 protected:
  // A request that would search forever if it were not refused, and must not leave a study.
  std::string refused(const Words& more) const {
    Words all = {"tune", "t.csv", "--study", "s.db"};
    all.insert(all.end(), more.begin(), more.end());
    const std::string sentence = refusal(all);
    EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));
    return sentence;
  }
};

TEST_F(TuneRefusals, WhatIsMissing) {
  EXPECT_THAT(refusal({"tune"}), HasSubstr("tune needs DATA, or --show and a study"));
  EXPECT_THAT(refusal({"tune", "t.csv"}), HasSubstr("tune needs --study FILE"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--study", ""}), HasSubstr("--study is empty"));
  EXPECT_THAT(refusal({"tune", "none.csv", "--study", "s.db"}), HasSubstr("none.csv"));
}

TEST_F(TuneRefusals, MistakesComeBeforeWhatIsMissing) {
  EXPECT_THAT(refusal({"tune", "--vary", "lamda-w=1|2"}), HasSubstr("did you mean 'lambda-w'?"));
  EXPECT_THAT(refusal({"tune", "none.csv", "--optimizer", "adm"}), HasSubstr("'adam'?"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--strategy", "gird"}), HasSubstr("'grid'?"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--folds", "x"}), HasSubstr("--folds"));
}

TEST_F(TuneRefusals, HelpSaysThatAStudyIsRequired) {
  EXPECT_THAT(knotwork({"help", "tune"}).out,
              ::testing::ContainsRegex("--study FILE +file that keeps the finished folds .required"));
}

TEST_F(TuneRefusals, AnOptionThatIsLikeNoOtherIsRefusedWithoutAListOfAll) {
  for (const char* vary : {"qqq=1|2", "qqq=1..2"}) {
    EXPECT_THAT(
        refused({"--vary", vary}),
        HasSubstr("There is no option 'qqq' to vary; knotwork tune --help lists the options."));
  }
}

TEST_F(TuneRefusals, MisspeltNamesGetTheClosestOne) {
  EXPECT_THAT(refused({"--vary", "lamda-w=1|2"}),
              HasSubstr("no option called 'lamda-w'; did you mean 'lambda-w'?"));
  EXPECT_THAT(refused({"--vary", "lamda-w=1..2"}), HasSubstr("did you mean 'lambda-w'?"));
  EXPECT_THAT(refused({"--strategy", "gird"}),
              HasSubstr("no search strategy called 'gird'; did you mean 'grid'?"));
  EXPECT_THAT(refused({"--preset", "papr"}), HasSubstr("did you mean 'paper'?"));
  EXPECT_THAT(refused({"--vary", "activation=spline|tahn"}), HasSubstr("did you mean 'tanh'?"));
  EXPECT_THAT(refused({"--target", "yy"}), AllOf(HasSubstr("'yy'"), HasSubstr("'y'")));
}

TEST_F(TuneRefusals, ValuesThatTrainingWouldNotTake) {
  EXPECT_THAT(refused({"--vary", "lambda-w=0.1|-1"}),
              HasSubstr("lambda-w must be a number of at least 0, not -1"));
  EXPECT_THAT(refused({"--vary", "lambda-w=-1..1"}), HasSubstr("not -1"));
  EXPECT_THAT(refused({"--vary", "hidden=4|x"}), AllOf(HasSubstr("hidden"), HasSubstr("'x'")));
  EXPECT_THAT(refused({"--vary", "iterations=0.5..3"}), HasSubstr("takes whole numbers only"));
  EXPECT_THAT(refused({"--vary", "lambda-w"}), HasSubstr("lambda-w=1|2|3"));
  EXPECT_THAT(refused({"--vary", "optimizer=adam|lbfgs", "--vary", "batch=0|8"}),
              HasSubstr("batch is 8, but 'lbfgs' needs all rows"));
  EXPECT_THAT(refused({"--hidden", "x"}), AllOf(HasSubstr("hidden"), HasSubstr("'x'")));
}

TEST_F(TuneRefusals, WhatIsVariedTwiceOrBesideItsOwnValue) {
  EXPECT_THAT(refused({"--vary", "lambda-w=1|2", "--lambda-w", "1"}),
              HasSubstr("lambda-w is varied and also given as --lambda-w"));
  EXPECT_THAT(refused({"--vary", "lambda-w=1|2", "--vary", "lambda-w=3|4"}),
              HasSubstr("lambda-w is searched twice"));
  EXPECT_THAT(refused({"--lambda-w", "1", "--lambda-q", "1"}),
              AllOf(HasSubstr("There is nothing to search"), HasSubstr("--vary hidden=10|20|40")));
}

TEST_F(TuneRefusals, WhatWouldHaveNoEffect) {
  EXPECT_THAT(refused({"--vary", "lambda-q=1|2", "--activation", "tanh"}),
              HasSubstr("--vary lambda-q would have no effect: no layer has splines or "
                        "other trained activations."));
  EXPECT_THAT(refused({"--vary", "lambda-w=1|2", "--rate", "0.1"}),
              HasSubstr("--rate would have no effect: only adam"));
  EXPECT_THAT(refused({"--vary", "threads=1|2"}), HasSubstr("--vary threads would have no effect"));
  EXPECT_THAT(refused({"--vary", "refit=true|false"}),
              HasSubstr("--vary refit would have no effect"));
  EXPECT_THAT(refused({"--vary", "lambda-w=1|2", "--trials", "4"}),
              AllOf(HasSubstr("--trials would have no effect"), HasSubstr("random and halving")));
  EXPECT_THAT(refused({"--time-limit", "4"}), HasSubstr("limit --iterations"));
  EXPECT_THAT(refused({"--vary", "time-limit=4|5"}), HasSubstr("vary iterations instead"));
}

TEST_F(TuneRefusals, NumbersThatAreNone) {
  EXPECT_THAT(refused({"--folds", "x"}), AllOf(HasSubstr("--folds"), HasSubstr("'x'")));
  EXPECT_THAT(refused({"--trials", "-3"}), AllOf(HasSubstr("--trials"), HasSubstr("'-3'")));
  EXPECT_THAT(refused({"--strategy", "random", "--trials", "0"}),
              HasSubstr("trials must be from 1"));
  for (const char* folds : {"0", "1", "43"}) {
    EXPECT_THAT(refused({"--folds", folds}), AllOf(HasSubstr("folds"), HasSubstr(folds)));
  }
  EXPECT_THAT(refused({"--vary", "lambda-w=0..1:9999", "--vary", "lambda-q=0..1:9999"}),
              HasSubstr("more than 1000000 settings"));
}

TEST_F(TuneRefusals, PlacesThatAreWrong) {
  EXPECT_THAT(refused({"--out", "t.csv"}), HasSubstr("--out t.csv would overwrite an input"));
  EXPECT_THAT(refused({"--out", "-"}), HasSubstr("give --out a file"));
  EXPECT_THAT(refused({"--out", "./s.db"}), HasSubstr("--out and --study are both ./s.db"));
  EXPECT_THAT(refused({"--out", "none/m.st"}), HasSubstr("none"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--study", "none/s.db"}),
              HasSubstr("The study none/s.db cannot be created: there is no folder none."));
  EXPECT_THAT(refusal({"tune", "t.csv", "--study", "t.csv"}), HasSubstr("t.csv is not a study"));
  EXPECT_THAT(refusal({"tune", "t.csv", "--study", "."}), HasSubstr(". is a folder"));
  EXPECT_EQ(folder_.read("t.csv"), small_table());
}

TEST_F(TuneRefusals, OptionsThatExcludeEachOther) {
  EXPECT_THAT(refused({"--quiet", "--progress"}), HasSubstr("--progress and --quiet exclude"));
  EXPECT_THAT(refused({"--svg", "f.svg"}), HasSubstr("knotwork tune --show s.db --svg f.svg"));
}

TEST_F(TuneRefusals, AStudyOfSomethingElseSaysWhatDiffers) {
  const Words grid = {"--vary", "lambda-w=0.1|1"};
  tuned(grid);
  const auto other = [&](Words more) {
    more.insert(more.begin(), grid.begin(), grid.end());
    return refusal(words(more));
  };
  EXPECT_THAT(other({"--seed", "1"}), HasSubstr("its seed is '0', here it is '1'"));
  EXPECT_THAT(other({"--folds", "4"}), HasSubstr("its folds is '3', here it is '4'"));
  EXPECT_THAT(other({"--knots", "9"}), HasSubstr("its knots is '21', here it is '9'"));
  EXPECT_THAT(other({"--strategy", "refine"}), HasSubstr("its strategy is 'grid'"));
  EXPECT_THAT(other({"--target", "x"}), HasSubstr("its target is '[\"y\"]', here it is '[\"x\"]'"));
  EXPECT_THAT(other({"--drop", "x"}), HasSubstr("its drop is '[]'"));
  EXPECT_THAT(other({"--test-fraction", "0.2"}), HasSubstr("its test-fraction is '0.3'"));
  EXPECT_THAT(refusal(words({"--vary", "lambda-w=0.1|2"})), HasSubstr("its space"));
  folder_.write("t.csv", small_table(61));
  EXPECT_THAT(other({}), AllOf(HasSubstr("s.db belongs to another search: its data differs"),
                               HasSubstr("name another file")));
}

TEST_F(TuneRefusals, ShowTakesNothingOfTheSearch) {
  tuned({"--vary", "lambda-w=0.1|1"});
  const auto refused_show = [&](Words more) {
    more.insert(more.begin(), {"tune", "--show", "s.db"});
    return refusal(more);
  };
  EXPECT_THAT(refused_show({"t.csv"}), HasSubstr("DATA would have no effect with --show"));
  EXPECT_THAT(refused_show({"--folds", "3"}),
              HasSubstr("--folds would have no effect with --show"));
  EXPECT_THAT(refused_show({"--study", "s.db"}),
              HasSubstr("--study would have no effect with --show"));
  EXPECT_THAT(refused_show({"--hidden", "3"}),
              HasSubstr("--hidden would have no effect with --show"));
  EXPECT_THAT(refused_show({"--quiet"}), HasSubstr("--quiet would have no effect with --show"));
  EXPECT_THAT(refused_show({"--svg", "s.db"}), HasSubstr("--svg s.db would overwrite an input"));
  EXPECT_THAT(refused_show({"--svg", "-"}), HasSubstr("--svg needs the name of a file"));
  EXPECT_THAT(refused_show({"--svg", "none/f.svg"}), HasSubstr("none"));
  EXPECT_THAT(refusal({"tune", "--show", "none.db"}), HasSubstr("There is no study none.db"));
  EXPECT_THAT(refusal({"tune", "--show", "t.csv"}), HasSubstr("t.csv is not a study"));
}

TEST_F(TuneRefusals, AFigureOfThreeOptions) {
  tuned({"--vary", "lambda-w=0.1|1", "--vary", "knots=9|11", "--vary", "range=2"});
  EXPECT_THAT(refusal({"tune", "--show", "s.db", "--svg", "f.svg"}),
              HasSubstr("--svg can draw one or two varied options, but this study has 3"));
}

}  // namespace
}  // namespace knotwork::testing
