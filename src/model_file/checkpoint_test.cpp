// SPDX-License-Identifier: MIT
// Tests that a training resumed from any of its checkpoints ends with the same file as an
// uninterrupted training.
#include "model_file/test_checkpoints.hpp"

#include "parallel/test_monitors.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/trainer.hpp>

namespace knotwork::model_file {
namespace {

struct Case {
  const char* name;
  void (*set)(TrainOptions&);
  bool classes = false;
};

const Case kCases[] = {
    {"cg", [](TrainOptions& o) { o.optimizer = "cg"; }},
    {"lbfgs",
     [](TrainOptions& o) {
       o.optimizer = "lbfgs";
       o.lbfgs_memory = 3;
     }},
    {"adam",
     [](TrainOptions& o) {
       o.optimizer = "adam";
       o.rate = 0.02;
       o.batch = 16;
     }},
    {"adam in double with dropout and cosine",
     [](TrainOptions& o) {
       o.optimizer = "adam";
       o.batch = 7;
       o.precision = Precision::float64;
       o.hidden = {4, 4};
       o.dropout = 0.2;
       o.schedule = RateSchedule::cosine;
     }},
    {"adamw with one cycle, penalties without derivative and a course of penalties",
     [](TrainOptions& o) {
       o.optimizer = "adamw";
       o.rate = 0.05;
       o.weight_decay = 0.01;
       o.schedule = RateSchedule::one_cycle;
       o.lambda_w1 = 1e-3;
       o.lambda_kinks = 1e-3;
       o.penalty_schedule = {{"lambda-curvature", 1e-2, 1e-4}};
     }},
    {"sgd",
     [](TrainOptions& o) {
       o.optimizer = "sgd";
       o.rate = 1e-3;
       o.batch = 1;
     }},
    {"early stopping",
     [](TrainOptions& o) {
       o.validation_fraction = 0.3;
       o.patience = 3;
       o.iterations = 30;
     }},
    {"early stopping of adam",
     [](TrainOptions& o) {
       o.optimizer = "adam";
       o.rate = 0.1;
       o.validation_fraction = 0.3;
       o.patience = 2;
       o.iterations = 30;
     }},
    {"an ensemble",
     [](TrainOptions& o) {
       o.ensemble = 3;
       o.iterations = 5;
     }},
    {"an ensemble by two threads",
     [](TrainOptions& o) {
       o.ensemble = 3;
       o.iterations = 5;
       o.threads = 2;
     }},
    {"a warm path",
     [](TrainOptions& o) {
       o.warm_path = {0.1, 0.01, 0.001};
     }},
    {"knots that change, with snapshots",
     [](TrainOptions& o) {
       o.fit_range = FitRange::neuron;
       o.refit_range = 1;
       o.halve_step = 2;
       o.snapshots = 3;
     }},
    {"monotone in a column",
     [](TrainOptions& o) {
       o.optimizer = "adam";
       o.rate = 0.05;
       o.spline.basis = "b-spline";
       o.monotone_in = {"a"};
     }},
    {"a stop by the decrease", [](TrainOptions& o) { o.relative_decrease = 0.05; }},
    {"a stop by the evaluations", [](TrainOptions& o) { o.max_evaluations = 8; }},
    {"a second training on all rows",
     [](TrainOptions& o) {
       o.validation_fraction = 0.3;
       o.patience = 3;
       o.refit = true;
     }},
    {"an ensemble, early stopping and all rows",
     [](TrainOptions& o) {
       o.ensemble = 2;
       o.validation_fraction = 0.3;
       o.patience = 3;
       o.refit = true;
     }},
    {"classes", [](TrainOptions& o) { o.lambda_w = 1e-4; }, true},
    {"quantiles and input splines",
     [](TrainOptions& o) {
       o.loss = "quantile";
       o.input_splines = 1;
       o.input_knots = 9;
     }},
};

class Checkpoint : public ::testing::TestWithParam<Case> {
 protected:
  Checkpoint() { GetParam().set(options_); }

  Model trained(Checkpoints* checkpoints, TrainContext context = {}) const {
    if (checkpoints) context.checkpoints = lent(*checkpoints);
    return train(prepared_, options_, context);
  }
  // All saved states, as files.
  std::vector<Bytes> states(std::size_t every, const TrainContext& context = {}) const {
    std::vector<Bytes> files;
    Checkpoints checkpoints([&](const TrainingState& s) { files.push_back(serialize(s)); }, every);
    trained(&checkpoints, context);
    return files;
  }
  Bytes resumed(const Bytes& file) const {
    Checkpoints checkpoints([](const TrainingState&) {}, 2,
                            deserialize_checkpoint(file, "a checkpoint"));
    return lasting(trained(&checkpoints));
  }

  TrainOptions options_ = small_options();
  Table table_ = small_table(GetParam().classes);
  PreparedData prepared_{table_, with_test_part(), 3};
};

TEST_P(Checkpoint, GoesOnToTheSameFileFromEveryMoment) {
  const Bytes whole = lasting(trained(nullptr));
  const std::vector<Bytes> files = states(1);
  ASSERT_GE(files.size(), 4u);
  for (std::size_t k = 0; k < files.size(); ++k) {
    EXPECT_TRUE(resumed(files[k]) == whole) << "from state " << k;
  }
}

TEST_P(Checkpoint, IsWrittenWhenTrainingIsEndedFromOutside) {
  const Bytes whole = lasting(trained(nullptr));
  for (const std::size_t last : {0u, 1u, 3u, 7u}) {
    std::size_t seen = 0;
    const std::vector<Bytes> files =
        states(1000, watched([&](const TrainIteration&) { return seen++ < last; }));
    ASSERT_GE(files.size(), 2u);
    EXPECT_TRUE(resumed(files.back()) == whole) << "after " << last;
  }
}

// The time limit ends the training again and again, each time a little later.
TEST_P(Checkpoint, GoesOnAfterTheTimeLimit) {
  const Bytes whole = lasting(trained(nullptr));
  TrainOptions limited = options_;
  limited.time_limit = 1e-9;
  std::optional<TrainingState> newest;
  const auto save = [&](const TrainingState& s) {
    newest = deserialize_checkpoint(serialize(s), "it");
  };
  Checkpoints first(save, 1000);
  const Model model = train(prepared_, limited, {.checkpoints = lent(first)});
  EXPECT_EQ(model.training.reason, StopReason::time);
  ASSERT_TRUE(newest);
  EXPECT_TRUE(resumed(serialize(*newest)) == whole);
}

// A Monitor requests a stop at various questions: in the middle of an evaluation, of a line search,
// of an epoch, of a score.
TEST_P(Checkpoint, GoesOnAfterAStopInsideAnIteration) {
  const Bytes whole = lasting(trained(nullptr));
  // The first questions come while the rows are hashed, when there is nothing to save yet.
  const auto before = std::make_shared<parallel::StopsAfter>(std::size_t{1} << 40);
  Trainer(prepared_, options_,
          {.checkpoints = std::make_shared<Checkpoints>([](const TrainingState&) {}, 1000),
           .monitor = before});
  for (const std::size_t later : {0u, 1u, 2u, 3u, 5u, 8u, 13u, 21u, 34u, 55u}) {
    const std::size_t questions = before->asked() + later;
    std::optional<TrainingState> newest;
    const auto save = [&](const TrainingState& s) {
      newest = deserialize_checkpoint(serialize(s), "it");
    };
    const auto monitor = std::make_shared<parallel::StopsAfter>(questions);
    const Model model =
        train(prepared_, options_,
              {.checkpoints = std::make_shared<Checkpoints>(save, 1000), .monitor = monitor});
    model.check();
    if (!model.training.refitted && monitor->asked() > questions) {
      EXPECT_TRUE(model.training.train);
    }
    ASSERT_TRUE(newest);
    EXPECT_TRUE(resumed(serialize(*newest)) == whole) << "after " << questions << " questions";
  }
}

TEST_P(Checkpoint, TrainersOfAnyStepsHaveTheSameFile) {
  const Bytes whole = lasting(trained(nullptr));
  for (const std::size_t length : {1u, 2u, 5u, 1000u}) {
    Trainer trainer(prepared_, options_);
    trainer.step(0);
    std::size_t steps = 0;
    while (trainer.step(length) == StopReason::none) ASSERT_LT(++steps, 1000u);
    EXPECT_NE(trainer.reason(), StopReason::requested);
    EXPECT_TRUE(lasting(trainer.finish()) == whole) << "in steps of " << length;
  }
}

TEST_P(Checkpoint, TrainersGoOnFromTheirStates) {
  const Bytes whole = lasting(trained(nullptr));
  Trainer trainer(prepared_, options_);
  for (std::size_t step = 0; step < 1000; ++step) {
    const Bytes file = serialize(trainer.state());
    EXPECT_TRUE(resumed(file) == whole) << "before step " << step;
    Trainer other(prepared_, options_,
                  {.checkpoints = std::make_shared<Checkpoints>(
                       nullptr, 0, deserialize_checkpoint(file, "a state"))});
    while (other.step(4) == StopReason::none) {
    }
    EXPECT_TRUE(lasting(other.finish()) == whole) << "before step " << step;
    if (trainer.step(3) != StopReason::none) break;
  }
  const Bytes last = serialize(trainer.state());
  EXPECT_TRUE(resumed(last) == whole);
  EXPECT_TRUE(lasting(trainer.finish()) == whole);
}

TEST_P(Checkpoint, IsReadAsItWasWritten) {
  for (const Bytes& file : states(2)) {
    const TrainingState state = deserialize_checkpoint(file, "it");
    EXPECT_TRUE(serialize(state) == file);
  }
}

INSTANTIATE_TEST_SUITE_P(Trainings, Checkpoint, ::testing::ValuesIn(kCases), [](const auto& test) {
  std::string name = test.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace knotwork::model_file
