// SPDX-License-Identifier: MIT
#include <knotwork/options.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <knotwork/regularizer.hpp>

#include "base/test_errors.hpp"

namespace knotwork {
namespace {

const TrainOptionField& field(std::string_view name) {
  for (const TrainOptionField& one : train_option_fields()) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no such field");
}

std::string complaint(const std::function<void()>& act) {
  const auto error = error_of(act);
  if (!error) return "no complaint";
  EXPECT_EQ(error->kind(), ErrorKind::bad_option);
  return error->what();
}

TEST(Options, EveryFieldReadsBackWhatItWrites) {
  const std::map<std::string, std::string> samples = {
      {"hidden", "7,3"},
      {"activation", "relu"},
      {"output-activation", "same"},
      {"knots", "33"},
      {"range", "2.5"},
      {"basis", "b-spline"},
      {"tension", "0.5"},
      {"tails", "constant"},
      {"init", "gelu"},
      {"init-noise", "0.125"},
      {"fit-range", "layer"},
      {"refit-range", "2"},
      {"halve-step", "1"},
      {"share", "layer"},
      {"residual", "true"},
      {"start", "variance"},
      {"input-splines", "4"},
      {"input-knots", "9"},
      {"ensemble", "4"},
      {"scale-inputs", "uniform"},
      {"scale-target", "range"},
      {"loss", "own-loss"},
      {"lambda-w", "0.1"},
      {"lambda-q", "1e-07"},
      {"lambda-slope", "0.25"},
      {"lambda-curvature", "0"},
      {"lambda-bank", "1e-09"},
      {"free-bias", "true"},
      {"lambda-w1", "0.002"},
      {"lambda-kinks", "0.003"},
      {"penalty-schedule", "lambda-w=0.1..1e-05,lambda-kinks=0..2"},
      {"monotone", "true"},
      {"max-slope", "1.5"},
      {"monotone-in", "price,-age"},
      {"warm-path", "0.01,0.1,1"},
      {"warm-path-q", "1,2"},
      {"optimizer", "adamw"},
      {"iterations", "12"},
      {"batch", "64"},
      {"rate", "0.01"},
      {"control-point-rate", "0.5"},
      {"schedule", "one-cycle"},
      {"weight-decay", "0.001"},
      {"dropout", "0.1"},
      {"lbfgs-memory", "5"},
      {"max-evaluations", "99"},
      {"gradient-norm", "1e-06"},
      {"relative-decrease", "1e-09"},
      {"time-limit", "1.5"},
      {"validation-fraction", "0.2"},
      {"patience", "7"},
      {"refit", "true"},
      {"snapshots", "12"},
      {"private", "true"},
      {"precision", "float"},
      {"seed", "18446744073709551615"},
      {"threads", "3"},
      {"huber-delta", "0.5"},
      {"quantiles", "0.1,0.9"},
      {"class-weights", "balanced"}};
  std::set<std::string> seen;
  TrainOptions options;
  for (const TrainOptionField& one : train_option_fields()) {
    ASSERT_TRUE(samples.contains(one.name)) << one.name << " has no sample here";
    EXPECT_TRUE(seen.insert(one.name).second) << one.name << " stands twice";
    const std::string& sample = samples.at(one.name);
    EXPECT_NE(one.get(options), sample) << one.name << ": the sample must not be the default";
    one.set(options, sample);
    EXPECT_EQ(one.get(options), sample);
  }
  EXPECT_EQ(seen.size(), samples.size());
}

// A field that sets another field's member would pass the test above.
TEST(Options, AFieldChangesNothingButItself) {
  for (const TrainOptionField& one : train_option_fields()) {
    TrainOptions options;
    if (one.value.empty()) {
      one.set(options, "true");
    } else {
      for (const char* text : {"3", "0.5", "relu", "b-spline", "cosine", "gelu", "uniform", "adam",
                               "constant", "float", "layer", "1,2", "lambda-w=1..0.5"}) {
        try {
          one.set(options, text);
          break;
        } catch (const Error&) {
        }
      }
    }
    int changed = 0;
    const TrainOptions defaults;
    for (const TrainOptionField& other : train_option_fields()) {
      changed += other.get(options) != other.get(defaults);
    }
    EXPECT_EQ(changed, 1) << one.name;
  }
}

TEST(Options, UnreadableValuesAreRefusedByName) {
  TrainOptions options;
  using testing::HasSubstr;
  EXPECT_THAT(complaint([&] { field("lambda-w").set(options, "abc"); }),
              HasSubstr("lambda-w must be a number, not 'abc'"));
  EXPECT_THAT([&] { field("lambda-w").set(options, "inf"); },
              ThrowsError(ErrorKind::bad_option, "lambda-w"));
  EXPECT_THAT([&] { field("hidden").set(options, "5,x"); },
              ThrowsError(ErrorKind::bad_option, "hidden"));
  EXPECT_THAT(complaint([&] { field("hidden").set(options, "5,"); }), HasSubstr("comma"));
  EXPECT_THAT([&] { field("iterations").set(options, "-1"); },
              ThrowsError(ErrorKind::bad_option, "iterations"));
  EXPECT_THAT(complaint([&] { field("penalty-schedule").set(options, "lambda-w=1"); }),
              HasSubstr("must be like lambda-w=0.1..0.001, not 'lambda-w=1'"));
  EXPECT_THAT(complaint([&] { field("penalty-schedule").set(options, "lambda-w=1..x"); }),
              HasSubstr("penalty-schedule must be a number, not 'x'"));
  EXPECT_THAT(complaint([&] { field("tails").set(options, "linaer"); }), HasSubstr("'linear'"));
  for (const char* name : {"tails", "schedule", "precision", "scale-inputs", "refit"}) {
    EXPECT_THAT([&] { field(name).set(options, "x"); }, ThrowsError(ErrorKind::bad_option, name));
  }
  EXPECT_THAT(complaint([&] { field("schedule").set(options, "cosin"); }), HasSubstr("'cosine'"));
  EXPECT_THAT(complaint([&] { field("precision").set(options, "half"); }), HasSubstr("float"));
  EXPECT_THAT(complaint([&] { field("scale-inputs").set(options, "unifrom"); }),
              HasSubstr("'uniform'"));
}

TEST(Options, SettingsThatCannotWorkAreRefusedByName) {
  using Change = std::function<void(TrainOptions&)>;
  const std::vector<std::pair<std::string, Change>> cases = {
      {"hidden",
       [](auto& o) {
         o.hidden = {5, 0};
       }},
      {"tanh", [](auto& o) { o.activation = "tanhh"; }},
      {"identity", [](auto& o) { o.output_activation = "identitty"; }},
      {"knots", [](auto& o) { o.spline.knots = 3; }},
      {"range", [](auto& o) { o.spline.range = 0; }},
      {"init-noise", [](auto& o) { o.spline.init_noise = -1; }},
      {"catmull-rom", [](auto& o) { o.spline.basis = "catmul-rom"; }},
      {"tension", [](auto& o) { o.spline.tension = 0.5; }},
      {"initial function", [](auto& o) { o.spline.init = "zzz"; }},
      {"scale-target", [](auto& o) { o.scale_target = ScalingKind::quantile; }},
      {"range", [](auto& o) { o.input_low = 1; }},
      {"squared", [](auto& o) { o.loss = "squard"; }},
      {"lambda-w", [](auto& o) { o.lambda_w = -1; }},
      {"lambda-q", [](auto& o) { o.lambda_q = std::nan(""); }},
      {"lambda-slope", [](auto& o) { o.lambda_slope = -1; }},
      {"lambda-curvature", [](auto& o) { o.lambda_curvature = INFINITY; }},
      {"warm-path",
       [](auto& o) {
         o.warm_path = {1, -1};
       }},
      {"iterations",
       [](auto& o) {
         o.warm_path = {1, 2, 3}, o.iterations = 2;
       }},
      {"neurons", [](auto& o) { o.hidden = {2'000'000}; }},
      {"the same number of values",
       [](auto& o) {
         o.warm_path = {1, 2}, o.warm_path_q = {1};
       }},
      {"lbfgs", [](auto& o) { o.optimizer = "lbgfs"; }},
      {"batch", [](auto& o) { o.batch = 10; }},
      {"weight-decay", [](auto& o) { o.optimizer = "adam", o.weight_decay = 0.1; }},
      {"schedule", [](auto& o) { o.schedule = RateSchedule::cosine; }},
      {"rate", [](auto& o) { o.rate = 0; }},
      {"control-point-rate", [](auto& o) { o.control_point_rate = -1; }},
      {"lbfgs-memory", [](auto& o) { o.lbfgs_memory = 0; }},
      {"gradient-norm", [](auto& o) { o.gradient_norm = -1; }},
      {"relative-decrease", [](auto& o) { o.relative_decrease = -1; }},
      {"time-limit", [](auto& o) { o.time_limit = -1; }},
      {"validation-fraction", [](auto& o) { o.validation_fraction = 1; }},
      {"patience", [](auto& o) { o.patience = 0; }},
      {"threads", [](auto& o) { o.threads = 100000; }},
      {"lambda-w1", [](auto& o) { o.lambda_w1 = -1; }},
      {"lambda-kinks", [](auto& o) { o.lambda_kinks = std::nan(""); }},
      {"max-slope", [](auto& o) { o.max_slope = INFINITY; }},
      {"without a name",
       [](auto& o) {
         o.monotone_in = {"a", ""};
       }},
      {"'lambda-curvature'",
       [](auto& o) {
         o.penalty_schedule = {{"lambda-curvatur", 1, 2}};
       }},
      {"lambda-w the value -1",
       [](auto& o) {
         o.penalty_schedule = {{"lambda-w", 1, -1}};
       }},
      {"lambda-w twice",
       [](auto& o) {
         o.penalty_schedule = {{"lambda-w", 1, 2}, {"lambda-w", 1, 2}};
       }},
      {"penalty-schedule and warm-path both change lambda-w",
       [](auto& o) {
         o.optimizer = "adam", o.penalty_schedule = {{"lambda-w", 1, 2}}, o.warm_path = {1, 2};
       }},
      {"penalty-schedule and warm-path-q both change lambda-q",
       [](auto& o) {
         o.optimizer = "adam", o.penalty_schedule = {{"lambda-q", 1, 2}}, o.warm_path_q = {1, 2};
       }},
  };
  for (const auto& [expected, change] : cases) {
    TrainOptions options;
    change(options);
    EXPECT_THAT(complaint([&] { check(options); }), testing::HasSubstr(expected));
    EXPECT_NE(error_of([&] { check(options); })->option(), "") << expected;
  }
  EXPECT_NO_THROW(check(TrainOptions{}));
  EXPECT_NO_THROW(check(paper_options()));
}

TEST(Options, WhatNeedsAdamIsRefusedByNameForTheOthers) {
  using Change = std::function<void(TrainOptions&)>;
  const std::vector<std::pair<std::string, Change>> cases = {
      {"lambda-w1", [](auto& o) { o.lambda_w1 = 1; }},
      {"lambda-kinks", [](auto& o) { o.lambda_kinks = 1; }},
      {"penalty-schedule",
       [](auto& o) {
         o.penalty_schedule = {{"lambda-w", 1, 0.1}};
       }},
      {"monotone", [](auto& o) { o.monotone = true; }},
      {"max-slope", [](auto& o) { o.max_slope = 1; }},
      {"monotone-in", [](auto& o) { o.monotone_in = {"a"}; }}};
  for (const auto& [name, change] : cases) {
    for (const std::string& optimizer : builtin_optimizers().names()) {
      TrainOptions options;
      options.optimizer = optimizer;
      change(options);
      if (optimizer.starts_with("adam")) {
        EXPECT_NO_THROW(check(options)) << name;
        continue;
      }
      EXPECT_THAT(complaint([&] { check(options); }),
                  testing::AllOf(testing::StartsWith(name + " needs"),
                                 testing::HasSubstr("'" + optimizer + "'"),
                                 testing::HasSubstr("set the option optimizer to adam")));
      EXPECT_THAT([&] { check(options); }, ThrowsError(ErrorKind::bad_option, name));
    }
  }
}

TEST(Options, AFieldThatWouldHaveNoEffectSaysWhy) {
  TrainOptions options;
  for (const TrainOptionField& one : train_option_fields()) {
    const bool needs_more = one.name == "rate" || one.name == "control-point-rate" ||
                            one.name == "patience" || one.name == "tension" ||
                            one.name == "huber-delta" || one.name == "quantiles" ||
                            one.name == "input-knots" || one.name == "lambda-bank";
    EXPECT_EQ(one.unused_because(options).empty(), !needs_more) << one.name;
  }
  EXPECT_THAT(field("tension").unused_because(options), testing::HasSubstr("'cardinal'"));
  // Settings of input splines, and of the hidden layers' own activation.
  TrainOptions other = options;
  other.activation = "tanh";
  other.output_activation = "spline";
  EXPECT_THAT(field("share").unused_because(other), testing::HasSubstr("no hidden layer"));
  other.output_activation = "identity";
  EXPECT_NE(field("max-slope").unused_because(other), "");
  other.input_splines = 2;
  for (const char* name : {"max-slope", "monotone", "lambda-kinks", "lambda-q", "basis"}) {
    EXPECT_EQ(field(name).unused_because(other), "") << name;
  }
  EXPECT_THAT(field("input-knots").unused_because(options), testing::HasSubstr("input-splines"));
  options.spline.basis = "cardinal";
  EXPECT_EQ(field("tension").unused_because(options), "");
  options.activation = "tanh";
  EXPECT_THAT(field("tension").unused_because(options), testing::HasSubstr("splines"));
  EXPECT_THAT(field("knots").unused_because(options), testing::HasSubstr("splines"));
  EXPECT_THAT(field("lambda-q").unused_because(options), testing::HasSubstr("trained"));
  options.activation = "kaf";
  EXPECT_THAT(field("knots").unused_because(options), testing::HasSubstr("splines"));
  EXPECT_EQ(field("lambda-q").unused_because(options), "");
  EXPECT_EQ(field("warm-path-q").unused_because(options), "");
  options.hidden = {};
  EXPECT_THAT(field("lambda-q").unused_because(options), testing::HasSubstr("trained"));
  options.output_activation = "same";
  EXPECT_EQ(field("lambda-q").unused_because(options), "");
  options = {};
  options.spline.basis = "cardinal";
  options.activation = "tanh";
  options.output_activation = "spline";
  EXPECT_EQ(field("knots").unused_because(options), "");
  options.optimizer = "adam";
  EXPECT_EQ(field("rate").unused_because(options), "");
  EXPECT_THAT(field("lbfgs-memory").unused_because(options), testing::HasSubstr("lbfgs"));
  options.warm_path = {1, 2};
  EXPECT_THAT(field("lambda-w").unused_because(options), testing::HasSubstr("warm-path"));
  options = {};
  options.activation = "tanh";
  for (const char* name : {"lambda-kinks", "monotone", "max-slope"}) {
    EXPECT_THAT(field(name).unused_because(options), testing::HasSubstr("splines")) << name;
  }
  options.penalty_schedule = {{"lambda-w1", 1, 0}};
  EXPECT_EQ(field("penalty-schedule").unused_because(options), "");
  options.penalty_schedule = {{"lambda-slope", 1, 0}};
  EXPECT_THAT(field("penalty-schedule").unused_because(options), testing::HasSubstr("splines"));
  options = {};
  options.monotone_in = {"a"};
  EXPECT_THAT(field("monotone").unused_because(options), testing::HasSubstr("monotone-in"));
  for (const RegularizerEntry& entry : builtin_regularizers().entries()) {
    const TrainOptionField& lambda = lambda_field(entry.name);
    options.penalty_schedule = {{lambda.name, 1, 0.5}};
    EXPECT_THAT(lambda.unused_because(options),
                testing::HasSubstr("penalty-schedule gives its values"));
  }
}

TEST(Options, ThePaperPresetIsThePapers) {
  const TrainOptions paper = paper_options();
  EXPECT_EQ(paper.hidden, std::vector<std::size_t>{5});
  EXPECT_EQ(paper.activation, "spline");
  EXPECT_EQ(paper.output_activation, "same");
  EXPECT_EQ(paper.spline.knots, 21u);
  EXPECT_EQ(paper.spline.range, 2);
  EXPECT_EQ(paper.scale_inputs, ScalingKind::range);
  EXPECT_EQ(paper.target_high - paper.target_low, 1);
  EXPECT_EQ(paper.optimizer, "cg");
  EXPECT_EQ(paper.iterations, 1500u);
  EXPECT_EQ(paper.lambda_curvature, 0);
  EXPECT_EQ(paper.validation_fraction, 0);
}

TEST(Options, ARefusedValueIsShownInOneLineAndWhole) {
  TrainOptions options;
  for (const char* name : {"seed", "lambda-w", "free-bias"}) {
    try {
      set_option(options, name, std::string_view("1\0\n2", 4));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::EndsWith("not '1\\x00\\n2'."));
    }
  }
}

}  // namespace
}  // namespace knotwork
