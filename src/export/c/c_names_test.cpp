// SPDX-License-Identifier: MIT
#include "export/c/c_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "export/c/c_text.hpp"
#include "export/test_compiler.hpp"
#include "export/test_exported_models.hpp"

#include <knotwork/error.hpp>
#include <knotwork/export_model.hpp>

namespace knotwork::exporting {
namespace {

using namespace testing_export;

std::string refusal(const std::string& name) {
  try {
    check_c_name(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "it is free";
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(CNames, MustBeIdentifiers) {
  for (const std::string name : {"", "1st", "a-b", "a b", "_a", "a__b", "\xC3\xA9"}) {
    EXPECT_EQ(refusal(name),
              "name must be a C identifier (letters, digits and single underscores, beginning with "
              "a letter), not '" +
                  name + "'.");
  }
}

TEST(CNames, MustBeFree) {
  for (const std::string& name :
       words("int class main in out NULL linux unix typeof nullptr co_yield "
             "NAN INFINITY HUGE_VAL HUGE_VALF HUGE_VALL M_PI M_E M_SQRT2 M_PIl M_2_SQRTPI MAXFLOAT "
             "FP_NAN FP_ILOGB0 FP_FAST_FMAF MATH_ERRNO math_errhandling double_t float_t "
             "signbit isnan isnanf isinf isinfl isfinite isnormal fpclassify isgreater isunordered "
             "tanh tanhf tanhl log2 log2f pow powl lgamma lgamma_r lgammaf_r lgammal_r nan nanf j0 "
             "y1 jnf signgam gamma sincos exp10 roundeven fmaximum_numf cosf32 powf64x "
             "lgammaf128_r f32addf64 SNANF128 HUGE_VAL_F64 printf malloc abs index")) {
    EXPECT_EQ(refusal(name),
              "name must be a name that C and C++ do not use, but '" + name + "' is taken.");
  }
}

// All names that this system's math.h declares or defines.
TEST(CNames, NothingOfMathHIsFree) {
  Folder folder;
  folder.write("a.c", "#define _GNU_SOURCE\n#include <math.h>\n");
  ASSERT_TRUE(
      folder.run("cc -E -P a.c | grep -o 'extern [^;]*(' | grep -oE '[A-Za-z0-9_]+ *\\(' "
                 "| tr -d ' (' | grep -v '^_' | sort -u"))
      << folder.read("said");
  std::vector<std::string> all = words(folder.read("said"));
  EXPECT_GT(all.size(), 100u);
  ASSERT_TRUE(
      folder.run("echo | cc -E -dM -x c - | sort >before; cc -E -dM a.c | sort >after; "
                 "comm -13 before after | cut -d' ' -f2 | cut -d'(' -f1 | grep -v '^_'"));
  for (const std::string& macro : words(folder.read("said"))) all.push_back(macro);
  for (const std::string& name : all) {
    EXPECT_NE(refusal(name), "it is free") << name;
  }
}

TEST(CNames, WhatIsFreeCompiles) {
  const std::vector<std::string> free = words(
      "predict Predict PREDICT a1_B nan_ Main NaN infinity pi fp_nan tanh_ tanhd predict_exp "
      "integer Class null f32add addf64 f32_log MATH_X log_r Linux x y p m s w k j a b q low");
  Folder folder;
  std::string program;
  for (const std::string& name : free) {
    EXPECT_EQ(refusal(name), "it is free") << name;
    folder.write("n_" + name + ".h",
                 to_c(small_model(activation("spline"), {plain_target("y")}, 2), {name}));
    append(program, "#include \"n_{0}.h\"\n", name);
  }
  program += "int main(void) {\n  double in[3] = {1, 2, 3}, out[1], sum = 0;\n";
  for (const std::string& name : free) {
    append(program, "  {0}(in, out); sum += out[0];\n", name);
  }
  folder.write("program.c", program + "  return sum != sum;\n}\n");
  for (const char* compiler : {"cc -std=c99", "cc -std=gnu17", "c++ -std=c++20 -x c++"}) {
    EXPECT_TRUE(folder.run(std::string(compiler) +
                           " -Wall -Wextra -Werror program.c -o program -lm && ./program"))
        << compiler << folder.read("said").substr(0, 2000);
  }
}

}  // namespace
}  // namespace knotwork::exporting
