// SPDX-License-Identifier: MIT
// Tests tables of extreme numbers in the program: it gives a model of finite numbers with finite
// predictions, or one sentence; it never prints or writes nan or inf.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <sstream>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kMax = std::numeric_limits<double>::max();

struct Row {
  double x, z, y, weight;
};

using Change = std::function<void(Row&, int)>;

std::string table_with(const Change& change, int rows = 30) {
  std::ostringstream text;
  text.precision(17);
  text << "x,z,y,weight\n";
  for (int r = 0; r < rows; ++r) {
    Row row{r % 7 - 3 + 0.1 * r, r * 5 % 11 - 5.0, 0, 1};
    row.y = 0.5 * row.x - row.z + 0.1 * row.x * row.z;
    change(row, r);
    text << row.x << ',' << row.z << ',' << row.y << ',' << row.weight << '\n';
  }
  return text.str();
}

struct Extreme {
  const char* name;
  Change change;
  int rows = 30;
};

const std::vector<Extreme>& extremes() {
  static const std::vector<Extreme> all = {
      {"large inputs", [](Row& row, int) { row.x *= 1e300; }},
      {"small inputs", [](Row& row, int) { row.x *= 1e-310; }},
      {"inputs of both ends", [](Row& row, int r) { row.x = r % 2 ? kMax : -kMax; }},
      {"one input far away", [](Row& row, int r) { row.x = r == 3 ? 1e300 : row.x; }},
      {"large targets", [](Row& row, int) { row.y *= 1e300; }},
      {"small targets", [](Row& row, int) { row.y *= 1e-320; }},
      {"targets of both ends", [](Row& row, int r) { row.y = r % 3 ? kMax : -kMax + r; }},
      {"one target far away", [](Row& row, int r) { row.y = r == 3 ? -kMax : row.y; }},
      {"constant inputs", [](Row& row, int) { row.x = row.z = 3; }},
      {"a constant target", [](Row& row, int) { row.y = 3; }},
      {"duplicates",
       [](Row& row, int r) {
         row = {1.0 * (r % 2), 2, 3.5 + r % 2, 1};
       }},
      {"large weights", [](Row& row, int) { row.weight = 1e300; }},
      {"weights beyond sums", [](Row& row, int) { row.weight = kMax; }},
      {"the smallest weights", [](Row& row, int) { row.weight = 5e-324; }},
      {"all weight in one row", [](Row& row, int r) { row.weight = r == 4 ? 1 : 0; }},
      {"one row", [](Row&, int) {}, 1},
      {"two rows", [](Row&, int) {}, 2},
      {"ten rows", [](Row&, int) {}, 10}};
  return all;
}

// Whether a text contains nan or inf as a word.
bool has_no_number(const std::string& text) {
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += c;
      continue;
    }
    if (word == "nan" || word == "inf" || word == "NaN" || word == "Infinity") return true;
    word.clear();
  }
  return false;
}

bool all_finite_tensors(const std::string& bytes) {
  // Trained in double, so all its tensors are doubles.
  const std::string tensors = tensors_of(bytes);
  for (std::size_t at = 0; at + sizeof(double) <= tensors.size(); at += sizeof(double)) {
    double number = 0;
    std::memcpy(&number, tensors.data() + at, sizeof number);
    if (!std::isfinite(number)) return false;
  }
  return true;
}

class ExtremeNumbersCli : public CliTest {
 protected:
  // Whether it was trained; otherwise it was refused with one sentence.
  bool trains(Words more) {
    Words words = {"train",   "t.csv",           "--target", "y",
                   "--task",  "regression",      "--hidden", "3",
                   "--quiet", "--out",           "m.st",     "--iterations",
                   "6",       "--weight-column", "weight"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::remove(folder_.path() / "m.st");
    const Outcome outcome = knotwork(words);
    if (outcome.code == 0) {
      EXPECT_EQ(outcome.err, "");
      EXPECT_FALSE(has_no_number(outcome.out)) << outcome.out;
      return true;
    }
    EXPECT_THAT(outcome.code, ::testing::AnyOf(1, 2));
    EXPECT_THAT(outcome.err, IsOneSentence());
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(folder_.names(), Not(::testing::Contains("m.st")));
    return false;
  }

  void expect_finite_results(const std::string& table) {
    const Outcome predicted = knotwork({"predict", "m.st", table, "--quiet"});
    if (predicted.code == 0) {
      EXPECT_FALSE(has_no_number(predicted.out)) << predicted.out;
    } else {
      EXPECT_EQ(predicted.code, 2);
      EXPECT_THAT(predicted.err, AllOf(IsOneSentence(), HasSubstr("is not finite")));
    }
    const Outcome scored = knotwork({"evaluate", "m.st", table, "--quiet"});
    if (scored.code == 0) {
      EXPECT_FALSE(has_no_number(scored.out)) << scored.out;
    } else {
      EXPECT_EQ(scored.code, 2);
      EXPECT_THAT(scored.err,
                  AllOf(IsOneSentence(), ::testing::AnyOf(HasSubstr("is not finite"),
                                                          HasSubstr("errors overflow"))));
    }
  }
};

TEST_F(ExtremeNumbersCli, EndInAFiniteModelOrOneSentence) {
  folder_.write("far.csv", "x,z,y\n1e300,1,0\n-1e300,-1e300,1\n0,0,2\n");
  const std::vector<Words> settings = {
      {"--optimizer", "cg"},
      {"--optimizer", "lbfgs", "--activation", "tanh", "--scale-inputs", "quantile"},
      {"--optimizer", "adam", "--rate", "1e30", "--batch", "8", "--precision", "float"},
      {"--optimizer", "lbfgs", "--scale-inputs", "none", "--scale-target", "none"},
      {"--optimizer", "adam", "--rate", "0.01", "--precision", "float", "--validation-fraction",
       "0.2", "--test-fraction", "0.2"}};
  int cases = 0, trained = 0;
  for (const Extreme& extreme : extremes()) {
    folder_.write("t.csv", table_with(extreme.change, extreme.rows));
    for (const Words& setting : settings) {
      SCOPED_TRACE(extreme.name + (": " + ::testing::PrintToString(setting)));
      ++cases;
      if (!trains(setting)) continue;
      ++trained;
      const bool in_double = std::find(setting.begin(), setting.end(), "float") == setting.end();
      EXPECT_TRUE(!in_double || all_finite_tensors(folder_.read("m.st")));
      expect_finite_results("t.csv");
      expect_finite_results("far.csv");
      const Outcome shown = knotwork({"inspect", "m.st"});
      EXPECT_EQ(shown.code, 0) << shown.err;
      EXPECT_FALSE(has_no_number(shown.out)) << shown.out;
    }
  }
  EXPECT_GT(trained, cases / 3);
  RecordProperty("knotwork_count_extreme_number_cases", cases);
}

TEST_F(ExtremeNumbersCli, ACellThatNoPredictionStandsIsNamed) {
  folder_.write("t.csv", small_table());
  ASSERT_EQ(knotwork({"train", "t.csv", "--precision", "float", "--out", "m.st"}).code, 0);
  folder_.write("new.csv", "x,z\n1,2\n3,-1e300\n");
  folder_.write("p.csv", "from before");
  EXPECT_THAT(refusal({"predict", "m.st", "new.csv", "--out", "p.csv"}),
              HasSubstr("new.csv, line 3, column 2 ('z'): the prediction for this row is not "
                        "finite, because -1e+300 is too far outside the training range, 0 to 12;"));
  EXPECT_EQ(folder_.read("p.csv"), "from before");
}

TEST_F(ExtremeNumbersCli, ATestPartThatCannotBePredictedStillLeavesTheModel) {
  folder_.write("t.csv", small_table());
  folder_.write("test.csv", "x,z,y\n1,2,3\n1e300,-1e300,4\n");
  const Outcome outcome = knotwork({"train", "t.csv", "--precision", "float", "--test-data",
                                    "test.csv", "--out", "m.st", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, AllOf(IsOneSentence(), HasSubstr("The test part has no scores"),
                                 HasSubstr("test.csv, line 3")));
  EXPECT_FALSE(Json::parse(outcome.out).contains("test"));
  EXPECT_EQ(knotwork({"evaluate", "m.st", "t.csv"}).code, 0);
}

TEST_F(ExtremeNumbersCli, ManyColumns) {
  std::ostringstream text;
  for (int c = 0; c < 10000; ++c) text << 'c' << c << ',';
  text << "y\n";
  for (int r = 0; r < 14; ++r) {
    for (int c = 0; c < 10000; ++c) text << (r * (c + 3)) % 17 << ',';
    text << 0.5 * r << '\n';
  }
  folder_.write("t.csv", text.str());
  const Outcome outcome = knotwork(
      {"train", "t.csv", "--hidden", "2", "--iterations", "2", "--quiet", "--out", "m.st"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has_no_number(outcome.out));
  EXPECT_FALSE(has_no_number(knotwork({"predict", "m.st", "t.csv", "--quiet"}).out));
  RecordProperty("knotwork_count_extreme_number_cases", 1);
}

}  // namespace
}  // namespace knotwork::testing
