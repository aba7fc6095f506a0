// SPDX-License-Identifier: MIT
// Comparing variants of a model on equal terms: the same folds, the same number of trainings to
// choose penalties, and a test whether a difference is more than luck.
//
// In every round (a fold of a repeat) each variant is trained on the other folds and scored on that
// one. Penalties are chosen inside the training rows of the round: `budget` settings, the same ones
// for all variants, are drawn log-uniformly from kPenaltyRange, each variant heeding those of its
// own penalties; the setting with the best mean score over the inner folds is then trained on all
// training rows of the round. What is tested had no say in anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/search.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// --- Significance -------------------------------------------------------------------------------
//
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

// --- Variants -----------------------------------------------------------------------------------

// The options that can be chosen in a comparison: lambda-w, lambda-q, lambda-slope,
// lambda-curvature.
KNOTWORK_API const std::vector<std::string>& penalty_options();
inline constexpr Range kPenaltyRange = {1e-6, 0.1, true, false};

struct Variant {
  std::string name;
  TrainOptions options;
  std::vector<std::string> tuned = {};  // of penalty_options()
};

// What a variant's own penalties are, if nothing else is said: those that have an effect and are
// not 0 in its options, and for learned activations other than splines the damping (lambda-q). By
// default lambda-w for all, lambda-curvature for splines, lambda-q for the others; of a preset
// those that it uses. What is `given` stays as it is.
KNOTWORK_API std::vector<std::string> own_penalties(const TrainOptions& options,
                                                    std::span<const std::string> given = {});

// Options to compare with, made for speed: one network with a linear output, free biases and at
// most 300 iterations of L-BFGS.
KNOTWORK_API TrainOptions comparison_options();

struct ComparisonOptions {
  std::size_t folds = 10;
  std::size_t repeats = 1;      // of the cross-validation, with other folds
  std::size_t budget = 8;       // settings for each variant and round; 0: options as they are
  std::size_t inner_folds = 2;  // that each setting is scored on
  std::uint64_t seed = 0;       // of folds and settings; round r trains with options.seed + r
  std::size_t threads = 0;      // rounds and variants side by side; 0: all cores
};
// Throws bad_option naming what is wrong and what is allowed.
KNOTWORK_API void check(const ComparisonOptions& options);

// Settings of a round, drawn as a Latin hypercube: of the `budget` equal parts of each penalty's
// range (in the logarithm) every one is hit once.
KNOTWORK_API std::vector<Setting> draw_penalties(const ComparisonOptions& options,
                                                 std::size_t round);

// What became of a variant in a round.
struct RoundResult {
  double score = 0;  // Scores::to_compare(); infinite if training failed
  std::optional<double> accuracy = {};
  Setting chosen = {};        // penalties
  double seconds = 0;         // of a processor, for the training that was scored
  double tuning_seconds = 0;  // likewise, for those that chose its penalties
  std::string failure = {};   // why it failed
};

struct VariantResult {
  Variant variant;                       // without a budget it has no tuned penalties
  std::size_t parameters = 0;            // of all networks
  std::vector<RoundResult> rounds = {};  // repeat after repeat, fold after fold
  MeanDeviation score = {};              // infinite if a round failed
  std::optional<MeanDeviation> accuracy = {};
  MeanDeviation seconds = {};  // of a processor, for one training
  double tuning_seconds = 0;   // of a processor, in all
  std::size_t rank = 0;        // from 1, by mean score; equal ones share theirs
  // Of its scores minus those of the first variant; none for that one and where a round failed.
  std::optional<PairedTest> against_first = {};
  std::optional<double> adjusted_p = {};  // for the number of such tests, see holm_adjusted()
};

struct ComparisonResult {
  bool stopped = false;  // by the observer; there are no results then
  bool classes = false;
  std::size_t rows = 0;
  std::size_t trainings = 0;
  std::vector<VariantResult> variants;  // as they were given
  std::string score_name;               // see compared_score()
};

struct ComparisonProgress {
  std::size_t done = 0;  // trainings
  std::size_t planned = 0;
};
// Called after every training and about ten times a second, never twice at a time; returning false
// ends the comparison.
using ComparisonObserver = std::function<bool(const ComparisonProgress&)>;

// On the given rows (ascending). Results do not depend on the threads. Throws bad_option for fewer
// than two variants, two of one name, or folds that cannot be had, and bad_data where a fold has
// nothing to score.
KNOTWORK_API ComparisonResult compare(const TrainingData& data, std::span<const std::size_t> rows,
                                      const std::vector<Variant>& variants,
                                      const ComparisonOptions& options = {},
                                      const ComparisonObserver& observer = {});

// --- What a comparison found, for people ---------------------------------------------------------

// The best first: rank, name, score, accuracy (of classes), parameters, processor seconds of one
// training, difference to the first variant, its p and the adjusted p. The first line has the heads
// of the columns. Cells that would say nothing are empty.
KNOTWORK_API std::vector<std::vector<std::string>> comparison_cells(const ComparisonResult& result);
KNOTWORK_API std::string comparison_markdown(const ComparisonResult& result);
// What the columns of the test mean, in two sentences.
KNOTWORK_API std::string explain_test(const ComparisonResult& result);

struct ComparisonPage {
  std::string title;
  std::string command;                                     // that was run
  std::vector<std::pair<std::string, std::string>> facts;  // "rows" -> "1030"
};
// One file that needs no other and no network: the table, a figure of all scores, the explanation
// of the test, the chosen penalties, the facts, the command and the version of the library. It is
// well-formed XML after its first line, adapts to light and dark, to narrow screens and to paper.
KNOTWORK_API std::string comparison_page(const ComparisonResult& result,
                                         const ComparisonPage& page);

}  // namespace knotwork
