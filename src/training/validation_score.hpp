// SPDX-License-Identifier: MIT
// How early stopping sees a point.
#pragma once

#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "network/forward_blocks.hpp"

#include <knotwork/loss.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>

namespace knotwork {

// The mean loss of the validation part; of the squared one the root of its mean over the targets,
// which is the RMSE of the scaled targets.
template <class T>
class ValidationScore {
 public:
  ValidationScore(const Network& network, const Samples<T>& samples,
                  std::shared_ptr<const Loss> loss, std::size_t threads)
      : samples_(samples),
        loss_(std::move(loss)),
        blocks_(network, samples.inputs.rows, threads),
        outputs_(samples.targets.rows * network.outputs()),
        gradients_(outputs_.size()) {
    const std::size_t rows = samples.targets.rows;
    for (std::size_t c = 0; c < samples.targets.columns; ++c) {
      for (std::size_t r = 0; r < rows; ++r) truth_.push_back(samples.targets(r, c));
    }
    mass_ = samples.weights.empty()
                ? static_cast<double>(rows)
                : std::accumulate(samples.weights.begin(), samples.weights.end(), 0.0);
  }

  double operator()(std::span<const double> parameters) {
    const std::size_t rows = samples_.targets.rows, outputs = outputs_.size() / rows;
    blocks_.run(parameters, samples_.inputs, column_major(std::span<T>(outputs_), rows, outputs));
    const double mean =
        loss_->evaluate(LossBlock<T>{outputs, rows, rows, outputs_.data(), truth_.data(),
                                     samples_.weights.empty() ? nullptr : samples_.weights.data(),
                                     gradients_.data()}) /
        mass_;
    const auto targets = static_cast<double>(samples_.targets.columns);
    return loss_->name() == "squared" ? std::sqrt(mean / targets) : mean;
  }

 private:
  Samples<T> samples_;
  std::shared_ptr<const Loss> loss_;
  ForwardBlocks<T> blocks_;
  std::vector<T> outputs_, gradients_, truth_;
  double mass_ = 0;
};

}  // namespace knotwork
