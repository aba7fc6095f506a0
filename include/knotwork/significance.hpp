// SPDX-License-Identifier: MIT
// Is one model better than another, or was it luck? Tests for scores of cross-validation.
//
// Scores of folds are not independent: any two trainings share most of their rows, so the ordinary
// paired t-test finds differences where there are none. Nadeau and Bengio ("Inference for the
// generalization error", Machine Learning 52, 2003) widen the variance by the share of rows tested:
//
//   t = mean(d) / sqrt((1/n + n_test/n_train) var(d)),   n - 1 degrees of freedom
//
// with d the n differences of scores on the same folds, and var that of a sample. Without the
// second term it is the ordinary test. Ten folds (n_test/n_train = 1/9) make t smaller by 1.45.
#pragma once

#include <span>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/statistics.hpp>

namespace knotwork {

// I_x(a, b), the share of the beta distribution below x: I_x(1, 1) = x, I_0.5(a, a) = 0.5.
// a and b above 0, x from 0 to 1.
KNOTWORK_API double incomplete_beta(double a, double b, double x);

// Probability of a value at least as far from 0 as t, of Student's distribution with so many
// degrees of freedom: 0.05 at t = 2.262157 with 9.
KNOTWORK_API double student_t_p(double t, double degrees);

struct PairedTest {
  double difference = 0;  // mean
  double t = 0;           // infinite where the differences are all the same, but not 0
  double degrees = 0;
  double p = 1;  // two-sided
};
// `ratio` is n_test / n_train. Throws bad_data for fewer than two differences or one that is not
// finite.
KNOTWORK_API PairedTest corrected_t_test(std::span<const double> differences, double ratio);

// Of several tests against the same reference: p values such that finding one of them below 0.05
// by luck has a probability of at most 0.05 (Holm, 1979). The smallest is multiplied by their
// number, the next by one less, and none is made smaller than one before it.
KNOTWORK_API std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace knotwork
