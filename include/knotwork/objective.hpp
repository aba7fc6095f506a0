// SPDX-License-Identifier: MIT
// The Objective is the function that training minimizes:
//     J = (1 / sum v_n) * sum_n v_n L(d_n, f(x_n)) + sum over regularizers of lambda * R.
// The value contains all terms, the gradient only the smooth terms.
//
// The objective walks the samples in blocks that fit into the cache, on `threads` threads. Sums
// over some thousand rows are combined in one fixed binary tree, so the bits do not depend on the
// number of threads. The objective refers to the samples and does not copy them: they must outlive
// the objective, with the samples of each column adjacent in memory (row_stride 1).
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
#include <knotwork/monitor.hpp>
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

// Samples in the precision of the arithmetic. If columns are not scaled yet, they are scaled block
// by block, which costs a little time at each evaluation and no memory.
template <class T>
struct Samples {
  MatrixView<const T> inputs;
  MatrixView<const T> targets;
  std::span<const T> weights = {};                  // empty: all 1
  std::span<const ColumnScale> input_scales = {};   // for each column; empty: already scaled
  std::span<const ColumnScale> target_scales = {};  // as input_scales
  // For a set that several processes share: `first` is the number of the first row here, all_rows
  // the number of rows of the set, and mass the sum of their weights. 0: these rows are the whole
  // set.
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

// A weight that changes from epoch to epoch, from `first` in epoch 0 to `last` in epoch epochs - 1:
// geometrically if both are positive, in equal steps if one of them is 0.
struct LambdaCourse {
  double first = 0;
  double last = 0;
  std::size_t epochs = 1;
  std::size_t epochs_before = 0;  // epochs of the earlier runs that this run resumes

  KNOTWORK_API double at(std::uint64_t epoch) const;
};

struct ObjectiveOptions {
  std::shared_ptr<const Loss> loss;  // none: squared
  std::vector<WeightedRegularizer> regularizers;
  std::size_t threads = 1;  // 0: all cores
  // Mini-batches of about this many rows; 0: the whole set at once.
  std::size_t batch = 0;
  std::uint64_t seed = 0;
  // Share of the outputs of hidden layers that evaluate_batch() drops at random, different ones for
  // every batch of every epoch; evaluate() drops none.
  double dropout = 0;
  // The processes that compute shares of every sum; each gets the total, with the same bits as a
  // single process. null: a single process. Each process needs only the samples of its share.
  Ranks* ranks = nullptr;
  // Optional. The objective asks this monitor before every block of rows whether to stop, and never
  // reports progress to it. Once the monitor requests a stop, evaluate() and evaluate_batch() throw
  // an Error of kind `stopped`. If several processes work together, all of them throw this error,
  // as a SharedError in the same round, whichever process was asked to stop. The objective can be
  // used again afterwards.
  std::shared_ptr<const Monitor> monitor = {};
};

// The objective's value and its parts in this order: loss, then the regularizers.
struct ObjectiveParts {
  double value = 0;
  std::vector<std::pair<std::string, double>> parts;
};

// The largest number of lanes that mini-batches are drawn from. Lanes are contiguous shares of the
// rows, in whole leaves; each lane is shuffled separately and contributes a share to every batch.
// (With shorter shares, adding the results would cost as much as computing them.) A batch is
// divided by the total weight times its share of the rows, so that sample weights count across
// batches too. Large batches have more lanes, for more processes.
constexpr std::size_t batch_lanes(std::size_t batch) {
  if (batch < 512) return 4;
  return batch < 16384 ? 8 : 64;
}

class KNOTWORK_API Objective final : public Function {
 public:
  // `network` gives the structure and the constants; its parameters are not used. The objective
  // refers to the network, which must outlive the objective. Throws bad_data when shapes do not
  // match, there are no rows, or weights are not usable.
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

  // The parts of the value at a point; the regularizers are computed again, the rest is the loss.
  ObjectiveParts parts_at(std::span<const double> parameters, double value) const;
  // Sets another weight for every regularizer of that name, e.g. along a warm path. Throws
  // bad_option when there is none.
  void set_lambda(std::string_view regularizer, double lambda);
  // Sets a weight that begin_epoch() updates from now on, as a function of the epoch alone.
  void set_course(std::string_view regularizer, const LambdaCourse& course);
  // Applies the proximal steps of the regularizers that are not smooth, with their current weights.
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
// The gradient compared with central differences, for each group of parameters.
//
// The error of a group is max |g - difference| / max |g| over its parameters. Central differences
// are meaningless across a kink, so if any pre-activation is within ten steps of a kink, the
// parameters are moved a little, at random, until no pre-activation is.

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

// Checks at the network's own parameters, with samples in double. Throws failed_run when no point
// without kinks nearby is found.
KNOTWORK_API GradientCheck check_gradient(const Network& network, const Samples<double>& samples,
                                          const ObjectiveOptions& objective,
                                          const GradientCheckOptions& options = {});

}  // namespace knotwork
