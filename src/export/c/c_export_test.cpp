// SPDX-License-Identifier: MIT
// Compiles headers of every kind of model as C and as C++ with the system's compilers, and compares
// their predictions with Model::predict().
#include <knotwork/export_model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "export/c/c_text.hpp"
#include "export/test_compiler.hpp"
#include "export/test_quantiles.hpp"
#include "parallel/test_monitors.hpp"

#include <knotwork/error.hpp>

namespace knotwork::exporting {
namespace {

using namespace testing_export;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char kFlags[] =
    "-Wall -Wextra -Werror -pedantic -Wconversion -Wdouble-promotion "
    "-Wshadow";

// Reads rows for one model after the other and prints the predictions.
class Comparison {
 public:
  Comparison(Precision precision, Precision element)
      : cases_(all_cases_with_quantiles()), precision_(precision), type_(element) {
    const std::string type(c_type(element));
    if (element == Precision::float32) {
      std::erase_if(cases_, [](const Case& one) { return reads_dates(one.model); });
    }
    std::string calls, includes;
    for (const Case& one : cases_) {
      folder_.write(one.name + ".h", to_c(one.model, {one.name, precision, element}));
      append(includes, "#include \"{}.h\"\n", one.name);
      append(calls,
             "  for (int r = 0; r < {0}; ++r) {{\n"
             "    {1} in[{2}_inputs], out[{2}_outputs];\n"
             "    for (int k = 0; k < {2}_inputs; ++k) in[k] = ({1})number();\n"
             "    {2}(in, out);\n"
             "    for (int k = 0; k < {2}_outputs; ++k) printf(\"%.17g\\n\", (double)out[k]);\n"
             "  }}\n",
             rows(one).size(), type, one.name);
    }
    const std::string program = includes +
                                "#include <stdio.h>\n#include <stdlib.h>\n"
                                "static double number(void) {\n  char text[64];\n"
                                "  if (scanf(\"%63s\", text) != 1) exit(1);\n"
                                "  return strtod(text, NULL);\n}\n"
                                "int main(void) {\n" +
                                calls + "  return 0;\n}\n";
    folder_.write("program.c", program);
    std::ostringstream input;
    input.precision(17);
    for (const Case& one : cases_) {
      for (const auto& row : rows(one)) {
        for (const double cell : row) input << cell << '\n';
      }
    }
    folder_.write("rows", input.str());
  }

  void expect_equal(const std::string& compiler) {
    const std::string source = compiler.starts_with("c++") ? " -x c++" : "";
    ASSERT_TRUE(folder_.run(compiler + " " + kFlags + source + " program.c -o program -lm"))
        << folder_.read("said").substr(0, 3000);
    ASSERT_TRUE(folder_.run("./program <rows")) << folder_.read("said");
    std::istringstream output(folder_.read("said"));
    for (const Case& one : cases_) {
      const Rows there = predicted(one.model, rows(one));
      Rows here = there;
      for (std::size_t r = 0; r < there.size(); ++r) {
        for (std::size_t k = 0; k < there[r].size(); ++k) {
          std::string text;
          output >> text;
          here[r][k] = std::strtod(text.c_str(), nullptr);
          EXPECT_TRUE(same_kind(here[r][k], there[r][k]))
              << one.name << ": " << here[r][k] << ", not " << there[r][k];
        }
      }
      EXPECT_LE(worst_difference(one.model, here, there), tolerance(one)) << one.name;
    }
  }

 private:
  // Rounding alone: models in double agree to 1e-12. If either side uses float, the tolerance is
  // the documented one.
  double tolerance(const Case& one) const {
    Model model = one.model;
    if (precision_ == Precision::float64 && type_ == Precision::float64 &&
        model.precision == Precision::float64) {
      return 1e-12;
    }
    model.precision = Precision::float64;
    const Rows exact = predicted(model, rows(one));
    model.precision = Precision::float32;
    const double rounding = 1e-6 + 2 * worst_difference(model, predicted(model, rows(one)), exact);
    return std::min(rounding, 1e-5);
  }

  // Relative to the prediction or to the target's deviation.
  static double worst_difference(const Model& model, const Rows& a, const Rows& b) {
    const std::vector<double> deviation = deviations(model);
    double worst = 0;
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t k = 0; k < a[r].size(); ++k) {
        if (!std::isfinite(a[r][k]) || !std::isfinite(b[r][k])) continue;
        const double size = std::max({1.0, std::fabs(b[r][k]), deviation[k]});
        worst = std::max(worst, std::fabs(a[r][k] - b[r][k]) / size);
      }
    }
    return worst;
  }

  static bool same_kind(double a, double b) {
    return std::isfinite(b) ? std::isfinite(a) : a == b || (std::isnan(a) && std::isnan(b));
  }

  static Rows rows(const Case& one) {
    Rows all = rows_for(one.model, 40);
    all.insert(all.end(), one.rows.begin(), one.rows.end());
    // Values that no table contains, but that a program may pass.
    for (const double odd : {kNaN, kInfinity, -kInfinity}) {
      all.push_back(all[0]);
      for (double& cell : all.back()) cell = odd;
    }
    return all;
  }

  std::vector<Case> cases_;
  Precision precision_, type_;
  Folder folder_;
};

TEST(CExport, AsC99InDoubleIsWhatTheModelPredicts) {
  Comparison(Precision::float64, Precision::float64).expect_equal("cc -std=c99");
}
TEST(CExport, AsC99InFloatIsWhatTheModelPredicts) {
  Comparison(Precision::float32, Precision::float32).expect_equal("cc -std=c99");
}
TEST(CExport, AsC99InFloatWithCellsInDoubleIsWhatTheModelPredicts) {
  Comparison(Precision::float32, Precision::float64).expect_equal("cc -std=c99");
}
TEST(CExport, AsCppInDoubleWithCellsInFloatIsWhatTheModelPredicts) {
  Comparison(Precision::float64, Precision::float32).expect_equal("c++ -std=c++11");
}
TEST(CExport, AsCppInDoubleIsWhatTheModelPredicts) {
  Comparison(Precision::float64, Precision::float64).expect_equal("c++ -std=c++11");
}
TEST(CExport, AsCppInFloatIsWhatTheModelPredicts) {
  Comparison(Precision::float32, Precision::float32).expect_equal("c++ -std=c++20");
}

std::string refusal(const Model& model, const CExportOptions& options) {
  try {
    to_c(model, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was taken";
}

TEST(CExport, TheCommentSaysWhatGoesInAndOut) {
  for (const Case& one : input_cases()) {
    if (one.name != "texts_and_missing_cells") continue;
    const std::string text = to_c(one.model);
    EXPECT_THAT(text, AllOf(HasSubstr("predict_inputs = 5, predict_outputs = 1"),
                            HasSubstr("in[0]   'colour', a text"), HasSubstr("  0 'blue'"),
                            HasSubstr("  1 'green / * * /'"), HasSubstr("  2 'red'"),
                            HasSubstr("in[1]   'size', a number; from -3 to 5 in training; NaN"),
                            HasSubstr("in[3]   'shape ? ?/'"), HasSubstr("0 '\xC3\xA9 round'"),
                            HasSubstr("out[0]  'y'"), HasSubstr("predict(const double *in")));
  }
  EXPECT_THAT(to_c(small_model(activation("tanh"), {classes(3)})),
              HasSubstr("out[2]  The probability of 'class 2'."));
}

TEST(CExport, TheCommentOfAPrivateModelLeavesOutTheTable) {
  Model model = small_model(activation("tanh"));
  model.inputs[0].low = -3.25;
  model.inputs[0].high = 5.75;
  model.training.data = "houses.csv";
  const std::string usual = to_c(model);
  EXPECT_THAT(usual, AllOf(HasSubstr("from -3.25 to 5.75"), HasSubstr("Trained on houses.csv")));
  model.training.is_private = true;
  const std::string text = to_c(model);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("-3.25")), Not(HasSubstr("5.75")),
                          Not(HasSubstr("houses")), HasSubstr("a number; NaN")));
}

TEST(CExport, TheCommentIsAboutDatesAndTextsToo) {
  const std::string text = to_c(date_and_level_cases().at(1).model);
  EXPECT_THAT(text, AllOf(HasSubstr("in[0]   'model', a text, by its number; -1 for any other"),
                          HasSubstr("  0 '\\x09'"), HasSubstr("  12 '\xC3\xA9t\xC3\xA9'"),
                          HasSubstr("in[1]   'seen', a date, in seconds since 1970-01-01 UTC; from "
                                    "1954-02-26"),
                          HasSubstr("predict_text_0(text) gives in[0] for a text")));
  EXPECT_THAT(to_c(small_model(activation("tanh"))), ::testing::Not(HasSubstr("_text_")));
}

Model model_of_many_texts(std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) texts.push_back("text " + std::to_string(k));
  const Levels levels = levels_of(texts);
  return model_of({dense(2, 2, activation("tanh")), dense(2, 1, activation("identity"))},
                  {text_value("model", levels, "y"), text_value("model", levels, "")},
                  {plain_target("y")});
}

TEST(CExport, ManyTextsAreInATableAndNotInTheComment) {
  const std::string text = to_c(model_of_many_texts(900));
  EXPECT_NE(text.find("texts, which are in predict_texts_0:"), std::string::npos);
  std::size_t found = 0;
  for (std::size_t at = text.find("text 899"); at != std::string::npos;
       at = text.find("text 899", at + 1)) {
    ++found;
  }
  EXPECT_EQ(found, 1u);
}

TEST(CExport, FindsTheElementForAText) {
  Folder folder;
  folder.write("one.h", to_c(date_and_level_cases().at(1).model, {"one"}));
  folder.write("many.h", to_c(model_of_many_texts(900), {"many", {}, Precision::float32}));
  folder.write("program.c", R"(#include "one.h"
#include "many.h"
#include <stdio.h>
int main(void) {
  const char *const texts[] = {"Z", "ab", "\303\251t\303\251", "\"quoted\"", "question ?\077/",
                               "back\\slash", "unknown", "", "a b c"};
  int k;
  for (k = 0; k < 9; ++k) printf("%g ", one_text_0(texts[k]));
  printf("%g %g %g %g\n", one_text_2("z"), one_text_2("a"), one_text_2("b"), one_text_2(""));
  printf("%g %g %g\n", one_text_5(""), one_text_5("b"), one_text_5("a"));
  printf("%g %g %g\n", (double)many_text_0("text 0"), (double)many_text_0("text 99"),
         (double)many_text_0(0));
  return 0;
}
)");
  for (const char* compiler : {"cc -std=c99", "c++ -std=c++11 -x c++"}) {
    ASSERT_TRUE(folder.run(std::string(compiler) + " " + kFlags + " program.c -o program -lm"))
        << folder.read("said");
    ASSERT_TRUE(folder.run("./program"));
    // The texts in order: \t "quoted" */ 7 Z a, a b, ab, back\slash, question ??/, DEL, e, ete.
    EXPECT_EQ(folder.read("said"),
              "4 7 12 1 9 8 -1 nan -1 0 1 -1 nan\n0 1 -1\n0 899 nan\n");
  }
}

TEST(CExport, DatesNeedCellsInDouble) {
  const Model model = date_and_level_cases().at(0).model;
  EXPECT_EQ(refusal(model, {.type = Precision::float32}),
            "type must be double, because column 'sold' contains dates, whose seconds float cannot "
            "represent.");
  EXPECT_EQ(refusal(model, {"predict", Precision::float32}), "it was taken");
}

TEST(CExport, TheSignatureDoesNotDependOnThePrecisionOfTheModel) {
  Model model = small_model(activation("tanh"));
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    model.precision = precision;
    EXPECT_THAT(to_c(model), AllOf(HasSubstr("predict(const double *in, double *out)"),
                                   HasSubstr("`in` and `out` have the type double;")));
    EXPECT_THAT(to_c(model, {.type = Precision::float32}),
                AllOf(HasSubstr("predict(const float *in, float *out)"),
                      HasSubstr("`in` and `out` have the type float;")));
  }
}

TEST(CExport, CommentsHoldNothingThatCompilersTripOver) {
  EXPECT_EQ(c_comment_text("a*/b/*c"), "a* /b/ *c");
  EXPECT_EQ(c_comment_text("??\?/"), "? ? ?/");
  EXPECT_EQ(c_comment_text("a\nb\x7F"), "a\\x0ab\\x7f");
  EXPECT_EQ(c_comment_text("\xC3\xA9\xC3(\xE2\x80\xAE"), "\xC3\xA9\\xc3(\\xe2\\x80\\xae");
}

TEST(CExport, NumbersComeBackExactly) {
  EXPECT_EQ(c_number(1, Precision::float64), "1.0");
  EXPECT_EQ(c_number(1e30, Precision::float64), "1e+30");
  EXPECT_EQ(c_number(0.1, Precision::float32), "0.1f");
  EXPECT_EQ(c_number(-3, Precision::float32), "-3.0f");
  const double odd = 0.1 + 0.2;
  EXPECT_EQ(std::stod(c_number(odd, Precision::float64)), odd);
}

TEST(CExport, NamesMustBeFreeInCAndCpp) {
  EXPECT_THAT(refusal(small_model(activation("tanh")), {"tanh"}), HasSubstr("taken"));
  EXPECT_THAT(refusal(small_model(activation("tanh")), {""}), HasSubstr("identifier"));
}

// Two headers whose names differ only in case can be used together.
TEST(CExport, NamesMayDifferInCaseAlone) {
  Folder folder;
  const Model one = small_model(activation("tanh")), other = small_model(activation("spline"));
  folder.write("one.h", to_c(one, {"predict"}));
  folder.write("other.h", to_c(other, {"Predict"}));
  folder.write("program.c", R"(#include "one.h"
#include "other.h"
#include <stdio.h>
int main(void) {
  const double in[predict_inputs] = {1, 2, 3};
  double a[predict_outputs], b[Predict_outputs];
  predict(in, a);
  Predict(in, b);
  printf("%.17g %.17g\n", a[0], b[0]);
  return 0;
}
)");
  ASSERT_TRUE(folder.run(std::string("cc -std=c99 ") + kFlags + " program.c -o program -lm"))
      << folder.read("said");
  ASSERT_TRUE(folder.run("./program"));
  std::istringstream output(folder.read("said"));
  double a = 0, b = 0;
  output >> a >> b;
  EXPECT_NEAR(a, predicted(one, {{1, 2, 3}})[0][0], 1e-11);
  EXPECT_NEAR(b, predicted(other, {{1, 2, 3}})[0][0], 1e-11);
}

TEST(CExport, NumbersThatFloatDoesNotHaveAreRefused) {
  Model model = small_model(activation("tanh"));
  model.members[0].parameters()[0] = 1e60;
  EXPECT_THAT(refusal(model, {"predict", Precision::float32}), HasSubstr("1e+60"));
  EXPECT_EQ(refusal(model, {"predict", Precision::float64}), "it was taken");
}

TEST(CExport, IsStopped) {
  const Model model = small_model(activation("spline"), {plain_target("y")}, 2);
  const std::string plain = to_c(model);
  parallel::expect_stops(6, [&](const std::shared_ptr<parallel::StoppingMonitor>& monitor) {
    EXPECT_EQ(to_c(model, {.monitor = monitor}), plain);
  });
}

}  // namespace
}  // namespace knotwork::exporting
