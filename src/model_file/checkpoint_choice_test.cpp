// SPDX-License-Identifier: MIT
// Tests checkpoints of trainings that choose their options, and checkpoints that are refused.
#include "model_file/test_checkpoints.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model_file {
namespace {

using ::testing::AnyOf;
using ::testing::Gt;
using ::testing::HasSubstr;

// A resumed training neither chooses options again nor trains their folds again.
class CheckpointOfChoice : public ::testing::Test {
 protected:
  Model trained(Checkpoints* checkpoints, TrainContext context = {}) const {
    if (checkpoints) context.checkpoints = lent(*checkpoints);
    const std::vector<std::string> given = {"hidden", "iterations", "optimizer", "ensemble"};
    return train_automatically(prepared_, options_, given, context);
  }

  TrainOptions options_ = small_options();
  Table table_ = small_table(false);
  PreparedData prepared_{table_, with_test_part(), 3};
};

TEST_F(CheckpointOfChoice, GoesOnToTheSameFileFromEveryMoment) {
  const Bytes whole = lasting(trained(nullptr));
  std::vector<Bytes> files;
  Checkpoints all([&](const TrainingState& s) { files.push_back(serialize(s)); }, 3);
  EXPECT_TRUE(lasting(trained(&all)) == whole);
  ASSERT_THAT(files.size(), Gt(10u));
  std::size_t folds = 0;
  for (std::size_t k = 0; k < files.size(); k += 5) {
    TrainingState state = deserialize_checkpoint(files[k], "it");
    EXPECT_GE(state.fold_losses.size(), folds);
    folds = state.fold_losses.size();
    std::size_t saved = 0;
    Checkpoints rest([&](const TrainingState&) { ++saved; }, 3, std::move(state));
    EXPECT_TRUE(lasting(trained(&rest)) == whole) << "from state " << k;
    EXPECT_LE(saved, files.size() - k + 1);  // one checkpoint at the beginning
  }
  EXPECT_GT(folds, 3u);
}

TEST_F(CheckpointOfChoice, KeepsTheFoldsOfAChoiceThatWasEnded) {
  const Bytes whole = lasting(trained(nullptr));
  std::optional<TrainingState> newest;
  Checkpoints first([&](const TrainingState& s) { newest = s; }, 100);
  try {
    trained(&first, watched([](const TrainIteration& i) { return i.iteration < 4; }));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::stopped);
  }
  ASSERT_TRUE(newest);
  EXPECT_FALSE(newest->choice);
  EXPECT_GE(newest->fold_losses.size(), 1u);
  Checkpoints rest([](const TrainingState&) {}, 100, newest);
  EXPECT_TRUE(lasting(trained(&rest)) == whole);
}

// The options chosen must be the options left open.
TEST_F(CheckpointOfChoice, RefusesOptionsThatWereNotToBeChosen) {
  std::optional<TrainingState> newest;
  Checkpoints first([&](const TrainingState& s) { newest = s; }, 100);
  trained(&first);
  ASSERT_TRUE(newest->choice);
  for (const auto& [name, text] :
       {std::pair{"hidden", "30000,30000"}, std::pair{"iterations", "100000000"},
        std::pair{"lambda-w", "0.123"}}) {
    TrainingState forged = *newest;
    for (auto& option : forged.choice->options) {
      if (option.first == name) option.second = text;
    }
    Checkpoints rest([](const TrainingState&) {}, 100, forged);
    EXPECT_THROW(trained(&rest), Error) << name;
  }
}

// A choice that ran out of time is resumed; its shortened final training is not taken for the real
// one.
TEST_F(CheckpointOfChoice, GoesOnWithOneThatTheTimeLimitCutShort) {
  const Bytes whole = lasting(trained(nullptr));
  for (const double limit : {1e-9, 0.004}) {
    std::optional<TrainingState> newest;
    Checkpoints first([&](const TrainingState& s) { newest = s; }, 3);
    options_.time_limit = limit;
    trained(&first);
    options_.time_limit = 0;
    if (limit < 1e-6) {
      EXPECT_FALSE(newest->choice);
      EXPECT_TRUE(newest->training.empty());
    }
    Checkpoints rest([](const TrainingState&) {}, 3, newest);
    EXPECT_TRUE(lasting(trained(&rest)) == whole) << limit;
  }
}

// Checkpoints that are refused.
class WrongCheckpoint : public ::testing::Test {
 protected:
  TrainingState state_of(const TrainOptions& options) const {
    std::optional<TrainingState> newest;
    Checkpoints checkpoints([&](const TrainingState& s) { newest = s; }, 4);
    train(prepared_, options, {.checkpoints = lent(checkpoints)});
    return *newest;
  }
  std::string refusal_of(const TrainingState& state, const TrainOptions& options,
                         const PreparedData& prepared) const {
    Checkpoints checkpoints([](const TrainingState&) {}, 4, state);
    try {
      train(prepared, options, {.checkpoints = lent(checkpoints)});
    } catch (const Error& error) {
      EXPECT_THAT(error.kind(), AnyOf(ErrorKind::bad_option, ErrorKind::bad_model));
      return error.what();
    }
    return "";
  }

  Table table_ = small_table(false);
  PreparedData prepared_{table_, with_test_part(), 3};
};

TEST_F(WrongCheckpoint, IsRefusedByWhatDiffers) {
  const TrainingState state = state_of(small_options());
  TrainOptions other = small_options();
  other.lambda_w = 0.5;
  EXPECT_THAT(refusal_of(state, other, prepared_),
              HasSubstr("lambda-w was '0.001', but here it is '0.5'"));
  other = small_options();
  other.input_high = 2;
  EXPECT_THAT(refusal_of(state, other, prepared_), HasSubstr("ends of range scaling"));
  other = small_options();
  other.iterations = 10;
  EXPECT_THAT(refusal_of(state, other, prepared_), HasSubstr("iterations"));

  Table changed = table_;
  changed.columns[1][5] += 1e-9;
  EXPECT_THAT(refusal_of(state, small_options(), PreparedData(changed, with_test_part(), 3)),
              HasSubstr("its rows, its columns, its division"));
  EXPECT_THAT(refusal_of(state, small_options(), PreparedData(table_, with_test_part(), 4)),
              HasSubstr("its rows, its columns, its division"));

  TrainingState foreign = state;
  foreign.version = "99.0";
  EXPECT_THAT(refusal_of(foreign, small_options(), prepared_), HasSubstr("version 99.0"));
  foreign = state;
  foreign.instruction_set = "abacus";
  EXPECT_THAT(refusal_of(foreign, small_options(), prepared_),
              HasSubstr("set the option isa to abacus"));
}

TEST_F(WrongCheckpoint, MayDifferInThreadsAndTime) {
  const TrainingState state = state_of(small_options());
  TrainOptions other = small_options();
  other.threads = 2;
  other.time_limit = 1000;
  EXPECT_EQ(refusal_of(state, other, prepared_), "");
}

TEST_F(WrongCheckpoint, ThatContradictsItselfIsRefused) {
  TrainingState unfinished;
  Checkpoints checkpoints(
      [&](const TrainingState& s) {
        if (!s.training.empty() && !s.training[0]->done) unfinished = s;
      },
      4);
  train(prepared_, small_options(), {.checkpoints = lent(checkpoints)});
  ASSERT_FALSE(unfinished.training.empty());
  const auto refused = [&](auto change) {
    TrainingState changed = unfinished;
    change(*changed.training[0]);
    return refusal_of(changed, small_options(), prepared_);
  };
  EXPECT_NE(refused([](MemberState& m) { m.stage = 3; }), "");
  EXPECT_NE(refused([](MemberState& m) { m.latest.pop_back(); }), "");
  EXPECT_NE(refused([](MemberState& m) { m.best_iteration = 1000; }), "");
  EXPECT_NE(refused([](MemberState& m) { m.optimizer.optimizer = "cg"; }), "");
  EXPECT_NE(refused([](MemberState& m) { m.optimizer.vectors["point"].push_back(0); }), "");
  EXPECT_NE(refused([](MemberState& m) { m.optimizer.numbers.erase("value"); }), "");
}

TEST_F(WrongCheckpoint, OfAnotherTrainingThatIsOverIsRefused) {
  const TrainingState state = state_of(small_options());
  ASSERT_TRUE(state.training[0]->done);
  const auto refused = [&](auto change) {
    TrainingState changed = state;
    change(*changed.training[0]);
    return refusal_of(changed, small_options(), prepared_);
  };
  EXPECT_NE(refused([](MemberState& m) { m.summary.stages.resize(3); }), "");
  EXPECT_NE(refused([](MemberState& m) { m.summary.stages[0].iterations = 1000; }), "");
  EXPECT_NE(refused([](MemberState& m) { m.summary.stages[0].best_iteration = 1000; }), "");
  EXPECT_NE(refused([](MemberState& m) {
              m.network = make_network({2, 4, 1}, builtin_activations().at("tanh").make({}),
                                       builtin_activations().at("identity").make({}));
            }),
            "");
}

TEST_F(WrongCheckpoint, IsOneThatServesTwoTrainings) {
  Checkpoints checkpoints([](const TrainingState&) {}, 4);
  train(prepared_, small_options(), {.checkpoints = lent(checkpoints)});
  EXPECT_THROW(train(prepared_, small_options(), {.checkpoints = lent(checkpoints)}), Error);
}

// An exception of save ends the training, and no further checkpoint is saved.
TEST_F(WrongCheckpoint, PlaceEndsTheTraining) {
  std::size_t calls = 0;
  Checkpoints checkpoints(
      [&](const TrainingState&) {
        ++calls;
        throw Error(ErrorKind::failed_run, "The disk is full.");
      },
      1);
  EXPECT_THROW(train(prepared_, small_options(), {.checkpoints = lent(checkpoints)}), Error);
  EXPECT_EQ(calls, 1u);
}

}  // namespace
}  // namespace knotwork::model_file
