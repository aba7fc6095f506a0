// SPDX-License-Identifier: MIT
// Measures the time of one evaluation of objective and gradient, for splines and for tanh, on one
// thread. The time is processor time, which other programs disturb least. Rounds alternate between
// splines and tanh, so that a slow phase of the machine affects both.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiments/scenarios.hpp"
#include "parallel/processor_time.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/random.hpp>

namespace knotwork::experiments {
namespace {

constexpr double kRoundSeconds = 5e-3;  // at least, so that the clock's steps do not matter

template <class T>
struct MadeSamples {
  std::size_t rows;
  std::vector<T> inputs, targets;

  MadeSamples(std::size_t n, std::size_t columns) : rows(n), inputs(n * columns), targets(n) {
    const Random random(1, Purpose::builtin_inputs);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      inputs[k] = static_cast<T>(2 * random.uniform(k) - 1);
    }
    for (std::size_t k = 0; k < rows; ++k) {
      targets[k] = static_cast<T>(random.uniform(inputs.size() + k) - 0.5);
    }
  }
  Samples<T> view(std::size_t columns) const {
    return {column_major(std::span<const T>(inputs), rows, columns),
            column_major(std::span<const T>(targets), rows, 1),
            {}};
  }
};

// One network with its objective, as in training.
class Contestant {
 public:
  template <class T>
  Contestant(const std::string& activation, const std::vector<std::size_t>& sizes,
             const MadeSamples<T>& samples)
      : network_(make_network(sizes, builtin_activations().at(activation).make({}),
                              builtin_activations().at(activation).make({}))),
        objective_(network_, samples.view(sizes.front()), options(activation)),
        gradient_(objective_.size()) {
    network_.initialize(1);
    const double once = run(1);
    repeats_ = std::max<std::size_t>(1, static_cast<std::size_t>(kRoundSeconds / once));
  }

  void round() { seconds_.push_back(run(repeats_)); }
  Timing timing() const {
    return {*std::min_element(seconds_.begin(), seconds_.end()), median(seconds_)};
  }

 private:
  static ObjectiveOptions options(const std::string& activation) {
    ObjectiveOptions options;
    options.regularizers.push_back({builtin_regularizers().at("weights").make({}), 1e-2});
    if (activation == "spline") {
      options.regularizers.push_back({builtin_regularizers().at("damping").make({}), 1e-4});
    }
    return options;
  }

  // Seconds of one evaluation, averaged over `repeats`.
  double run(std::size_t repeats) {
    const double begin = processor_seconds();
    for (std::size_t k = 0; k < repeats; ++k) objective_.evaluate(network_.parameters(), gradient_);
    return std::max(processor_seconds() - begin, 1e-9) / static_cast<double>(repeats);
  }

  Network network_;
  Objective objective_;
  std::vector<double> gradient_;
  std::size_t repeats_ = 1;
  std::vector<double> seconds_;
};

const std::vector<std::vector<std::size_t>> kNetworks = {{kPaperInputs, 5, 1},
                                                         {kPaperInputs, 64, 1}};
const std::vector<std::size_t> kRows = {32, 128, 512, 2048, 16384};

// False if the tally stops.
template <class T>
bool measure(const std::vector<std::size_t>& sizes, std::size_t rows, std::size_t rounds,
             Tally& tally, Report& report) {
  const MadeSamples<T> samples(rows, sizes.front());
  Contestant tanh("tanh", sizes, samples), spline("spline", sizes, samples);
  for (std::size_t round = 0; round < rounds; ++round) {
    if (!tally.keep_going()) return false;
    tanh.round();
    spline.round();
    tally.finished();
  }
  const Precision precision = sizeof(T) == 4 ? Precision::float32 : Precision::float64;
  report.costs.push_back({fmt::format("{}", fmt::join(sizes, "-")),
                          std::string(to_string(precision)), rows, tanh.timing(), spline.timing()});
  return true;
}

}  // namespace

Report run_cost(const Experiment& experiment) {
  const std::size_t rounds = experiment.options.rounds;
  Tally tally(experiment.watch, 2 * kNetworks.size() * kRows.size() * rounds);
  Report report{.scenario = "cost"};
  for (const std::vector<std::size_t>& sizes : kNetworks) {
    for (std::size_t rows : kRows) {
      report.stopped = !measure<float>(sizes, rows, rounds, tally, report) ||
                       !measure<double>(sizes, rows, rounds, tally, report);
      if (report.stopped) return report;
    }
  }
  report.notes.push_back(
      fmt::format("Processor time, best and median of {} rounds, tanh and splines in turn, on one "
                  "thread and made-up rows, with the instruction set {}.",
                  rounds, instruction_set()));
  return report;
}

}  // namespace knotwork::experiments
