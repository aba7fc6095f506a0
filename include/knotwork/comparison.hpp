// SPDX-License-Identifier: MIT
// compare() compares variants of a model on equal terms: the same folds, the same number of
// trainings to choose penalties, and a significance test of the differences.
//
// In every round (a fold of a repeat) each variant is trained on the other folds and scored on that
// fold. Penalties are chosen within the training rows of the round: `budget` settings, the same for
// all variants, are drawn log-uniformly from kPenaltyRange, and each variant uses the values of its
// own penalties. The setting with the best mean score over the inner folds is then trained on all
// training rows of the round. The tested rows never influence a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/search.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// --- Significance -------------------------------------------------------------------------------
//
// Tests for cross-validation scores: is one model better than another, or was it luck?
//
// Scores of folds are not independent: any two trainings share most of their rows, so the ordinary
// paired t-test finds differences where there are none. Nadeau and Bengio ("Inference for the
// generalization error", Machine Learning 52, 2003) increase the variance by n_test/n_train:
//
//   t = mean(d) / sqrt((1/n + n_test/n_train) var(d)),   n - 1 degrees of freedom
//
// where d are the n differences of scores on the same folds and var is the sample variance. Without
// the second term this is the ordinary test. With ten folds (n_test/n_train = 1/9), t becomes
// smaller by a factor of 1.45.

// The regularized incomplete beta function I_x(a, b): I_x(1, 1) = x, I_0.5(a, a) = 0.5. a and b
// must be above 0, x from 0 to 1.
KNOTWORK_API double incomplete_beta(double a, double b, double x);

// Two-sided p value of t for Student's distribution with the given degrees of freedom: 0.05 at t =
// 2.262157 with 9.
KNOTWORK_API double student_t_p(double t, double degrees);

struct PairedTest {
  double difference = 0;  // mean
  double t = 0;           // infinite if all differences are equal and not 0
  double degrees = 0;
  double p = 1;  // two-sided
};
// `ratio` is n_test / n_train. Throws bad_data for fewer than two differences or a difference that
// is not finite.
KNOTWORK_API PairedTest corrected_t_test(std::span<const double> differences, double ratio);

// Adjusts the p values of several tests against the same reference (Holm, 1979), so that chance
// alone brings any of them below 0.05 with a probability of at most 0.05. The smallest p value is
// multiplied by the number of tests, the next by one less, and so on; no adjusted value is smaller
// than the one before it.
KNOTWORK_API std::vector<double> holm_adjusted(std::span<const double> p);

// --- Variants -----------------------------------------------------------------------------------

// The options that a comparison can choose: lambda-w, lambda-q, lambda-slope, lambda-curvature.
KNOTWORK_API const std::vector<std::string>& penalty_options();
inline constexpr Range kPenaltyRange = {1e-6, 0.1, true, false};

struct Variant {
  std::string name;
  TrainOptions options;
  std::vector<std::string> tuned = {};  // of penalty_options()
};

// The default penalties of a variant: the penalties that have an effect and are not 0 in its
// options, and the damping (lambda-q) for learned activations other than splines. With default
// options these penalties are lambda-w for all variants, lambda-curvature for splines, and lambda-q
// for the other learned activations; with a preset, they are the penalties that the preset uses.
// Options in `given` keep their values.
KNOTWORK_API std::vector<std::string> own_penalties(const TrainOptions& options,
                                                    std::span<const std::string> given = {});

// Default options for a comparison, chosen for speed: one network with a linear output, free biases
// and at most 300 iterations of L-BFGS.
KNOTWORK_API TrainOptions comparison_options();

struct ComparisonOptions {
  std::size_t folds = 10;
  std::size_t repeats = 1;      // of the cross-validation, each with other folds
  std::size_t budget = 8;       // settings for each variant and round; 0: no tuning
  std::size_t inner_folds = 2;  // for scoring each setting
  std::uint64_t seed = 0;       // for folds and settings; round r trains with options.seed + r
  std::size_t threads = 0;      // for rounds and variants in parallel; 0: all cores
};
// Throws bad_option naming what is wrong and what is allowed.
KNOTWORK_API void check(const ComparisonOptions& options);

// The settings of a round, drawn as a Latin hypercube: the range of each penalty (in the logarithm)
// has `budget` equal parts, and exactly one setting falls into each part.
KNOTWORK_API std::vector<Setting> draw_penalties(const ComparisonOptions& options,
                                                 std::size_t round);

// The result of a variant in a round.
struct RoundResult {
  double score = 0;  // Scores::to_compare(); infinite if training failed
  std::optional<double> accuracy = {};
  Setting chosen = {};        // penalties
  double seconds = 0;         // of processor time, for the training that was scored
  double tuning_seconds = 0;  // of processor time, for choosing the penalties
  std::string failure = {};   // why it failed
};

struct VariantResult {
  Variant variant;                       // without tuned penalties if the budget is 0
  std::size_t parameters = 0;            // of all networks
  std::vector<RoundResult> rounds = {};  // ordered by repeat, then by fold
  MeanDeviation score = {};              // infinite if a round failed
  std::optional<MeanDeviation> accuracy = {};
  MeanDeviation seconds = {};  // of processor time, for one training
  double tuning_seconds = 0;   // of processor time, in total
  std::size_t rank = 0;        // from 1, by mean score; equal scores share a rank
  // The test of this variant's scores minus the scores of the first variant; empty for the first
  // variant, and if a round failed.
  std::optional<PairedTest> against_first = {};
  std::optional<double> adjusted_p = {};  // for the number of tests; see holm_adjusted()
};

struct ComparisonResult {
  bool classes = false;
  std::size_t rows = 0;
  std::size_t trainings = 0;
  std::vector<VariantResult> variants;  // in the order given
  std::string score_name;               // see compared_score()
};

// Compares the variants on the given rows (ascending). Results do not depend on the number of
// threads. Throws bad_option for fewer than two variants, two variants with one name, or folds that
// are impossible, and bad_data if a fold has nothing to score. The monitor sees the phase
// `comparing` after every training and about ten times a second; when it asks for a stop, compare()
// throws stopped.
KNOTWORK_API ComparisonResult compare(const TrainingData& data, std::span<const std::size_t> rows,
                                      const std::vector<Variant>& variants,
                                      const ComparisonOptions& options = {},
                                      const std::shared_ptr<Monitor>& monitor = {});

// --- Reports of a comparison ---------------------------------------------------------------------

// The table of results, best variant first: rank, name, score, accuracy (of classes), parameters,
// processor seconds of one training, difference to the first variant, its p and the adjusted p. The
// first line contains the column headings. Cells without information are empty.
KNOTWORK_API std::vector<std::vector<std::string>> comparison_cells(const ComparisonResult& result);
KNOTWORK_API std::string comparison_markdown(const ComparisonResult& result);
// A few sentences that explain the columns of the test.
KNOTWORK_API std::string explain_test(const ComparisonResult& result);

struct ComparisonPage {
  std::string title;
  std::string command;                                     // that ran the comparison
  std::vector<std::pair<std::string, std::string>> facts;  // "rows" -> "1030"
};
// One HTML file that needs no other file and no network access: the table, a figure of all scores,
// the explanation of the test, the chosen penalties, the facts, the command and the version of the
// library. It is well-formed XML after its first line, and adapts to light and dark themes, narrow
// screens and paper.
KNOTWORK_API std::string comparison_page(const ComparisonResult& result,
                                         const ComparisonPage& page);

}  // namespace knotwork
