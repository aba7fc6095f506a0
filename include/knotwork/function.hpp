// SPDX-License-Identifier: MIT
// What an optimizer sees: parameters in, value and gradient out. Nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <knotwork/export.hpp>

namespace knotwork {

class KNOTWORK_API Function {
 public:
  virtual ~Function() = default;

  virtual std::size_t size() const = 0;
  // Returns the value at x and writes the whole gradient. Neither may be assumed to be finite.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;

  // Mini-batches. A function without any is one batch that is the whole of it.
  // begin_epoch shuffles as a pure function of the epoch's number and says how many batches follow;
  // batch values are on the scale of evaluate(): a batch's expected value is that of the whole.
  virtual std::size_t begin_epoch(std::uint64_t /*epoch*/) { return 1; }
  virtual double evaluate_batch(std::size_t /*batch*/, std::span<const double> x,
                                std::span<double> gradient) {
    return evaluate(x, gradient);
  }
};

}  // namespace knotwork
