// SPDX-License-Identifier: MIT
// Tests the contract of every entry of the table of losses, and known values of each loss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "objective/test_samples.hpp"

#include <knotwork/error.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/random.hpp>

namespace knotwork {
namespace {

using testing::HasSubstr;

constexpr std::size_t kClasses = 4;

std::shared_ptr<const Loss> make(const std::string& name) {
  LossOptions options;
  options.huber_delta = 0.8;
  options.quantiles = {0.1, 0.5, 0.9};
  options.classes = name == "logistic" ? 2 : kClasses;
  return builtin_losses().at(name).make(options);
}

// Predictions, targets and weights of a block whose rows are longer than its samples.
template <class T>
struct Example {
  std::size_t targets, outputs, samples = 151, stride = 160;
  std::vector<T> f, d, weights;

  explicit Example(const Loss& loss)
      : targets(loss.classes() > 0 ? 1 : 2), outputs(loss.outputs(targets)) {
    const Random random(3, Purpose::weights);
    for (std::size_t k = 0; k < outputs * stride; ++k) {
      f.push_back(static_cast<T>(2 * random.normal(k)));
    }
    for (std::size_t k = 0; k < targets * stride; ++k) {
      const std::uint64_t draw = 10000 + k;
      d.push_back(loss.classes() > 0 ? static_cast<T>(random.below(loss.classes(), draw))
                                     : static_cast<T>(random.normal(draw)));
    }
    for (std::size_t k = 0; k < stride; ++k) {
      weights.push_back(static_cast<T>(0.1 + random.uniform(20000 + k)));
    }
  }

  double evaluate(const Loss& loss, std::vector<T>& gradients, bool weighted) const {
    gradients.assign(f.size(), T{99});
    return loss.evaluate(LossBlock<T>{outputs, samples, stride, f.data(), d.data(),
                                      weighted ? weights.data() : nullptr, gradients.data()});
  }
};

class EveryLoss : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<const Loss> loss_ = make(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Table, EveryLoss, testing::ValuesIn(builtin_losses().names()));

TEST_P(EveryLoss, IsMadeUnderItsOwnName) {
  EXPECT_EQ(loss_->name(), GetParam());
  EXPECT_FALSE(builtin_losses().at(GetParam()).summary.empty());
}

TEST_P(EveryLoss, SaysWhatIsPredicted) {
  const auto loss = make(GetParam());
  EXPECT_EQ(loss->kind() == LossKind::classes, loss->classes() > 0);
  EXPECT_EQ(loss->kind() == LossKind::quantiles, loss->outputs(1) == 3 && loss->classes() == 0);
  LossOptions others;
  others.quantiles = {0.5};
  others.classes = 2;
  EXPECT_EQ(builtin_losses().at(GetParam()).make(others)->kind(), loss->kind());
  EXPECT_EQ(builtin_losses().at(GetParam()).kind, loss->kind());
}

TEST(Losses, ValidationScoreIsTheMeanButForSquaredErrors) {
  for (const std::string& name : builtin_losses().names()) {
    EXPECT_EQ(make(name)->validation_score(8, 2), name == "squared" ? 2 : 8) << name;
  }
}

TEST_P(EveryLoss, GradientsAreCentralDifferencesAndNothingElseIsWritten) {
  for (bool weighted : {false, true}) {
    Example<double> example(*loss_);
    std::vector<double> gradients, unused;
    example.evaluate(*loss_, gradients, weighted);
    for (std::size_t k = 0; k < example.f.size(); ++k) {
      if (k % example.stride >= example.samples) {
        ASSERT_EQ(gradients[k], 99) << k;
        continue;
      }
      const double h = 1e-6, here = example.f[k];
      example.f[k] = here + h;
      const double above = example.evaluate(*loss_, unused, weighted);
      example.f[k] = here - h;
      const double below = example.evaluate(*loss_, unused, weighted);
      example.f[k] = here;
      // The sum over some hundred samples has rounding errors, and the difference amplifies them.
      ASSERT_NEAR(gradients[k], (above - below) / (2 * h), 1e-6) << k;
    }
  }
}

TEST_P(EveryLoss, FloatIsDoubleButForRounding) {
  const Example<float> narrow(*loss_);
  Example<double> wide(*loss_);
  wide.f.assign(narrow.f.begin(), narrow.f.end());
  wide.d.assign(narrow.d.begin(), narrow.d.end());
  wide.weights.assign(narrow.weights.begin(), narrow.weights.end());
  std::vector<float> narrow_gradients;
  std::vector<double> wide_gradients;
  const double sum = narrow.evaluate(*loss_, narrow_gradients, true);
  const double wanted = wide.evaluate(*loss_, wide_gradients, true);
  EXPECT_NEAR(sum, wanted, 1e-5 * std::fabs(wanted));
  for (std::size_t k = 0; k < wide_gradients.size(); ++k) {
    ASSERT_NEAR(double{narrow_gradients[k]}, wide_gradients[k], 1e-5) << k;
  }
}

TEST_P(EveryLoss, ANetworkHasItsGradient) {
  const std::size_t targets = loss_->classes() > 0 ? 1 : 2, rows = 40;
  Network network =
      make_network({3, 5, loss_->outputs(targets)}, builtin_activations().at("spline").make({}),
                   builtin_activations().at("identity").make({}));
  network.initialize(4);
  const Example<double> example(*loss_);
  const std::vector<double> x(example.f.begin(), example.f.begin() + 120);
  std::vector<double> d;
  for (std::size_t t = 0; t < targets; ++t) {
    for (std::size_t r = 0; r < rows; ++r) d.push_back(example.d[t * example.stride + r]);
  }
  ObjectiveOptions options;
  options.loss = loss_;
  const GradientCheck check = check_gradient(
      network, {column_major(std::span(x), rows, 3), column_major(std::span(d), rows, targets), {}},
      options);
  EXPECT_LT(check.worst, 1e-7);
}

double value(const std::string& name, std::vector<double> f, double d) {
  std::vector<double> g(f.size());
  return make(name)->evaluate(LossBlock<double>{f.size(), 1, 1, f.data(), &d, nullptr, g.data()});
}

TEST(Losses, AreWhatTheirHeaderSays) {
  struct Known {
    std::vector<double> predictions;
    double target, loss;
  };
  const std::map<std::string, std::vector<Known>> known = {
      {"squared", {{{3}, 1, 4}}},
      {"absolute", {{{3}, 1, 2}}},
      {"huber", {{{1.5}, 1, 0.25}, {{3}, 1, 0.64 + 1.6 * 1.2}}},
      {"quantile", {{{0, 0, 0}, 1, 0.1 + 0.5 + 0.9}, {{2, 2, 2}, 1, 0.9 + 0.5 + 0.1}}},
      {"logistic", {{{0}, 1, std::numbers::ln2}}},
      {"softmax", {{{0, 0, 0, 0}, 2, 2 * std::numbers::ln2}}}};
  for (const std::string& name : builtin_losses().names()) {
    ASSERT_TRUE(known.contains(name)) << name << " has no known value here";
    for (const Known& one : known.at(name)) {
      EXPECT_DOUBLE_EQ(value(name, one.predictions, one.target), one.loss) << name;
    }
  }
}

TEST(Losses, OfClassesDoNotOverflow) {
  for (double d : {0.0, 1.0}) {
    EXPECT_DOUBLE_EQ(value("logistic", {1e4}, d), d == 0 ? 1e4 : 0);
    EXPECT_DOUBLE_EQ(value("logistic", {-1e4}, d), d == 0 ? 0 : 1e4);
  }
  EXPECT_DOUBLE_EQ(value("softmax", {1e4, -1e4, 0, 0}, 0), 0);
  EXPECT_DOUBLE_EQ(value("softmax", {1e4, -1e4, 0, 0}, 1), 2e4);
}

template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Losses, RefuseOptionsTheyCannotUse) {
  const auto try_with = [](const std::string& name, LossOptions options) {
    return complaint([&] { builtin_losses().at(name).make(options); });
  };
  EXPECT_THAT(try_with("huber", {0, {}, 0}), HasSubstr("huber-delta must be a positive number"));
  EXPECT_THAT(try_with("quantile", {1, {}, 0}), HasSubstr("quantiles must be levels"));
  EXPECT_THAT(try_with("quantile", {1, {0.5, 0.1}, 0}), HasSubstr("not '0.5,0.1'"));
  EXPECT_THAT(try_with("quantile", {1, {0.5, 1}, 0}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(try_with("logistic", {1, {}, 3}), HasSubstr("two classes, not 3"));
  EXPECT_THAT(try_with("softmax", {1, {}, 1}), HasSubstr("two or more classes, not 1"));
}

TEST(Losses, OfClassesRefuseOtherTargets) {
  const Network network =
      make_network({1, kClasses}, nullptr, builtin_activations().at("identity").make({}));
  const std::vector<double> x = {1, 2, 3};
  for (double wrong : {-1.0, 4.0, 1.5, std::nan("")}) {
    const std::vector<double> d = {0, wrong, 3};
    ObjectiveOptions options;
    options.loss = make("softmax");
    EXPECT_THAT(complaint([&] {
                  Objective(network,
                            Samples<double>{{x.data(), 3, 1, 1, 3}, {d.data(), 3, 1, 1, 3}, {}},
                            options);
                }),
                HasSubstr("it must be a class, from 0 to 3"));
  }
}

}  // namespace
}  // namespace knotwork
