// SPDX-License-Identifier: MIT
// Reference values were computed with 30 digits by mpmath.
#include <cmath>
#include <limits>
#include <vector>

#include <knotwork/comparison.hpp>
#include <knotwork/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knotwork::searching {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kInf = std::numeric_limits<double>::infinity();

void expect_close(double value, double expected) {
  EXPECT_NEAR(value, expected, 1e-12 * std::abs(expected));
}

TEST(IncompleteBeta, HasKnownValues) {
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
  expect_close(incomplete_beta(1, 1, 0.3), 0.3);
  expect_close(incomplete_beta(7, 7, 0.5), 0.5);
  expect_close(incomplete_beta(10, 1, 0.5), 0.0009765625);
  expect_close(incomplete_beta(2, 3, 0.4), 0.5248);
  expect_close(incomplete_beta(0.5, 0.5, 0.3), 0.36901011956554538);
  expect_close(incomplete_beta(4.5, 0.5, 0.9), 0.34343639613791351);
  expect_close(incomplete_beta(100, 120, 0.45), 0.44780123014770749);
  expect_close(incomplete_beta(0.5, 5, 0.01), 0.2428418908984375);
}

TEST(IncompleteBeta, IsOneMinusItsMirrorImage) {
  for (const double x : {0.01, 0.2, 0.5, 0.77, 0.999}) {
    EXPECT_NEAR(incomplete_beta(3.5, 0.5, x), 1 - incomplete_beta(0.5, 3.5, 1 - x), 1e-14);
  }
}

TEST(IncompleteBeta, RefusesWhatHasNoValue) {
  EXPECT_THROW(incomplete_beta(0, 1, 0.5), Error);
  EXPECT_THROW(incomplete_beta(1, -1, 0.5), Error);
  EXPECT_THROW(incomplete_beta(1, 1, 1.5), Error);
  EXPECT_THROW(incomplete_beta(1, 1, std::nan("")), Error);
}

TEST(StudentT, HasTheProbabilitiesOfTheTables) {
  EXPECT_NEAR(student_t_p(2.262157, 9), 0.05, 1e-7);
  expect_close(student_t_p(2.262157162740992, 9), 0.050000000004675688);
  expect_close(student_t_p(12.706204736432095, 1), 0.049999999998991307);
  expect_close(student_t_p(2.0930240544082634, 19), 0.050000000000004586);
  expect_close(student_t_p(1, 1), 0.5);
  expect_close(student_t_p(4, 2), 0.057190958417936634);
  expect_close(student_t_p(0.5, 9), 0.62907129982602648);
  expect_close(student_t_p(1e-3, 9), 0.99922393032597327);
  expect_close(student_t_p(3.3, 99), 0.0013447647463991784);
}

TEST(StudentT, HasTailsThatAreSmallButRight) {
  expect_close(student_t_p(30, 9), 2.4837047041582624e-10);
  expect_close(student_t_p(100, 5), 1.8960014224623627e-9);
  EXPECT_EQ(student_t_p(1e200, 3), 0);
  EXPECT_EQ(student_t_p(kInf, 9), 0);
  EXPECT_EQ(student_t_p(-kInf, 9), 0);
  EXPECT_EQ(student_t_p(0, 9), 1);
  // In the limit this is the normal distribution; the logarithms of the gamma function cost digits.
  EXPECT_NEAR(student_t_p(1.96, 1e6), 0.049996067585269787, 1e-9);
}

TEST(StudentT, HasTwoSides) {
  EXPECT_EQ(student_t_p(-2.5, 7), student_t_p(2.5, 7));
}

TEST(StudentT, RefusesWhatIsNoNumber) {
  EXPECT_THROW(student_t_p(std::nan(""), 3), Error);
  EXPECT_THROW(student_t_p(1, 0), Error);
}

TEST(CorrectedTTest, IsThatOfNadeauAndBengio) {
  const std::vector<double> differences = {0.02, 0.01, 0.03, -0.01, 0.02,
                                           0.04, 0.00, 0.01, 0.02,  0.01};
  const PairedTest test = corrected_t_test(differences, 1.0 / 9);
  expect_close(test.difference, 0.015);
  expect_close(test.t, 2.2770423280802516);
  EXPECT_EQ(test.degrees, 9);
  expect_close(test.p, 0.048797934444487955);
}

TEST(CorrectedTTest, IsTheOrdinaryOneWithoutTheCorrection) {
  const std::vector<double> differences = {0.02, 0.01, 0.03, -0.01, 0.02,
                                           0.04, 0.00, 0.01, 0.02,  0.01};
  expect_close(corrected_t_test(differences, 0).t, 3.3084657994221349);
}

TEST(CorrectedTTest, ChangesItsSignWithTheDifferences) {
  const PairedTest one = corrected_t_test(std::vector<double>{1, 2, 4}, 0.5);
  const PairedTest other = corrected_t_test(std::vector<double>{-1, -2, -4}, 0.5);
  EXPECT_EQ(one.t, -other.t);
  EXPECT_EQ(one.p, other.p);
}

TEST(CorrectedTTest, KnowsEqualScores) {
  const PairedTest same = corrected_t_test(std::vector<double>{0, 0, 0}, 0.5);
  EXPECT_EQ(same.t, 0);
  EXPECT_EQ(same.p, 1);
  const PairedTest shifted = corrected_t_test(std::vector<double>{-0.1, -0.1, -0.1}, 0.5);
  EXPECT_EQ(shifted.t, -kInf);
  EXPECT_EQ(shifted.p, 0);
  EXPECT_EQ(shifted.difference, -0.1);
}

TEST(CorrectedTTest, RefusesWhatCannotBeTested) {
  EXPECT_THROW(corrected_t_test(std::vector<double>{1}, 0.1), Error);
  EXPECT_THROW(corrected_t_test(std::vector<double>{1, kInf}, 0.1), Error);
  EXPECT_THROW(corrected_t_test(std::vector<double>{1, 2}, -1), Error);
}

TEST(Holm, MultipliesTheSmallestMost) {
  EXPECT_THAT(
      holm_adjusted(std::vector<double>{0.01, 0.04, 0.03}),
      ElementsAre(DoubleNear(0.03, 1e-15), DoubleNear(0.06, 1e-15), DoubleNear(0.06, 1e-15)));
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.6, 0.5}), ElementsAre(1, 1));
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.02}), ElementsAre(DoubleEq(0.02)));
  EXPECT_THAT(holm_adjusted({}), IsEmpty());
}

}  // namespace
}  // namespace knotwork::searching
