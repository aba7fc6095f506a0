// SPDX-License-Identifier: MIT
#include "cli/output/tensor_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "base/test_errors.hpp"
#include "cli/program/interrupt.hpp"

#include <knotwork/training.hpp>

namespace knotwork::cli {
namespace {

// All numbers of a large model take a while.
TEST(TensorText, ASignalEndsIt) {
  const std::vector<double> x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const auto column = column_major(std::span<const double>(x), x.size(), 1);
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 1;
  const Model model = fit(column, column, options);
  const auto stopped = [](const auto& work) {
    const std::optional<Error> error = error_of(work);
    return error && error->kind() == ErrorKind::stopped;
  };
  {
    const InterruptGuard guard;
    EXPECT_GT(describe_tensors(model, 80).size(), 4u);
    std::raise(SIGTERM);
    EXPECT_TRUE(stopped([&] { describe_tensors(model, 80); }));
    EXPECT_TRUE(stopped([&] { tensors_document(model, true); }));
  }
  const InterruptGuard forgets_the_signal;
  EXPECT_FALSE(tensors_document(model, true).empty());
}

}  // namespace
}  // namespace knotwork::cli
