// SPDX-License-Identifier: MIT
// What training minimizes:
//     J = (1 / sum v_n) * sum_n v_n L(d_n, f(x_n)) + sum over regularizers of lambda * R.
// Values contain all terms, gradients those that are smooth.
//
// The objective walks the samples in blocks that stay in cache, on as many threads as asked for;
// sums over some thousand rows are combined in one fixed binary tree, so the bits do not depend on
// the threads.
// Samples are referred to, not copied: they must outlive the objective, with the samples of each
// column side by side (row_stride 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/loss.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/network.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/regularizer.hpp>

namespace knotwork {

// x becomes (x - offset) * scale, computed in double.
struct ColumnScale {
  double offset = 0;
  double scale = 1;
};

// Samples in the precision of the arithmetic. Where columns are still to be scaled, that happens
// block by block: it costs a little time at each evaluation, and no memory.
template <class T>
struct Samples {
  MatrixView<const T> inputs;
  MatrixView<const T> targets;
  std::span<const T> weights = {};                  // empty: all 1
  std::span<const ColumnScale> input_scales = {};   // for each column; empty: used as they are
  std::span<const ColumnScale> target_scales = {};  // likewise
  // Of a set that several processes share these are the rows from `first` on; all_rows is how many
  // it has, and mass the sum of their weights. 0: these rows are the set.
  std::size_t first = 0;
  std::size_t all_rows = 0;
  double mass = 0;
};
using AnySamples = std::variant<Samples<float>, Samples<double>>;

struct WeightedRegularizer {
  std::shared_ptr<const Regularizer> regularizer;
  double lambda = 0;
};
using WeightedRegulariser [[deprecated("is WeightedRegularizer now")]] = WeightedRegularizer;

// A weight that changes from epoch to epoch, geometrically between two positive numbers and in
// equal steps if one of them is 0: from first in epoch 0 to last in epoch epochs - 1.
struct LambdaCourse {
  double first = 0;
  double last = 0;
  std::size_t epochs = 1;
  std::size_t epochs_before = 0;  // of earlier runs, from which a later one goes on

  KNOTWORK_API double at(std::uint64_t epoch) const;
};

struct ObjectiveOptions {
  std::shared_ptr<const Loss> loss;  // none: squared
  std::vector<WeightedRegularizer> regularizers;
  std::size_t threads = 1;  // 0: all cores
  // Mini-batches of about this many rows; 0 means the whole set at once.
  std::size_t batch = 0;
  std::uint64_t seed = 0;
  // Share of the outputs of hidden layers that evaluate_batch() leaves out at random, others with
  // every batch of every epoch; evaluate() leaves out none.
  double dropout = 0;
  // Processes that compute their shares of every sum and get all of it, each with the same bits as
  // if it were alone; null: this one is. Each has at least the samples of its share.
  Ranks* ranks = nullptr;
};

// The objective's value and what it is made of, in the order: loss, then the regularizers.
struct ObjectiveParts {
  double value = 0;
  std::vector<std::pair<std::string, double>> parts;
};

// Mini-batches are drawn from at most this many lanes: contiguous shares of the rows, whole leaves
// each, every one shuffled for itself and giving its share of every batch. (Short shares would
// cost as much to be added up as to be computed.) A batch is divided by its share of the whole
// weight, so that sample weights count across batches too. Large batches have more of them, for
// more processes.
constexpr std::size_t batch_lanes(std::size_t batch) {
  if (batch < 512) return 4;
  return batch < 16384 ? 8 : 64;
}

class KNOTWORK_API Objective final : public Function {
 public:
  // The network gives the structure and the constants, its parameters are not used; it is referred
  // to and must outlive the objective.
  // Throws bad_data when shapes do not fit, there are no rows, or weights are not usable.
  Objective(const Network& network, AnySamples samples, ObjectiveOptions options);
  Objective(Network&&, AnySamples, ObjectiveOptions) = delete;
  ~Objective() override;
  Objective(const Objective&) = delete;
  Objective& operator=(const Objective&) = delete;

  std::size_t size() const override;
  double evaluate(std::span<const double> parameters, std::span<double> gradient) override;
  std::size_t begin_epoch(std::uint64_t epoch) override;
  double evaluate_batch(std::size_t batch, std::span<const double> parameters,
                        std::span<double> gradient) override;

  // What the value at a point is made of; the regularizers are computed anew, the rest is the loss.
  ObjectiveParts parts_at(std::span<const double> parameters, double value) const;
  // Gives every regularizer of that name another weight, e.g. along a warm path. Throws bad_option
  // when there is none.
  void set_lambda(std::string_view regularizer, double lambda);
  // The same for a weight that begin_epoch() sets from now on, a function of the epoch alone.
  void set_course(std::string_view regularizer, const LambdaCourse& course);
  // The proximal steps of the regularizers that are not smooth, with their weights of now.
  void shrink(std::span<double> parameters, std::span<const double> steps) const;

 private:
  class Walk;
  template <class T>
  class WalkOf;
  double add_regularizers(double loss, std::span<const double> parameters,
                          std::span<double> gradient) const;

  const Network& network_;
  ObjectiveOptions options_;
  std::vector<std::pair<std::string, LambdaCourse>> courses_;
  std::unique_ptr<Walk> walk_;
};

// --- The check of the gradient ------------------------------------------------------------------
//
// Is the gradient right? Compared with central differences, for each group of parameters.
//
// The error of a group is max |g - difference| / max |g| over its parameters. Central differences
// are meaningless across a kink, so a point where any pre-activation lies within ten steps of one
// is left by moving the parameters a little, at random, until there is none.

struct GradientCheckOptions {
  double step = 2e-6;  // relative to max(1, |parameter|)
  double nudge = 1e-2;
  int max_nudges = 200;
  std::uint64_t seed = 0;
};

struct GroupError {
  std::string group;  // "layers.0.weight", ...
  double error = 0;
  double largest_gradient = 0;
};

struct GradientCheck {
  std::vector<GroupError> groups;
  double worst = 0;
  int nudges = 0;
};

// At the network's own parameters, with samples in double. Throws failed_run when no point free of
// kinks is found.
KNOTWORK_API GradientCheck check_gradient(const Network& network, const Samples<double>& samples,
                                          const ObjectiveOptions& objective,
                                          const GradientCheckOptions& options = {});

}  // namespace knotwork
