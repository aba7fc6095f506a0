// SPDX-License-Identifier: MIT
// Tests train --checkpoint, --every and --resume in typical use.
#include <signal.h>

#include <filesystem>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

class Checkpoints : public CliTest {
 protected:
  Checkpoints() { folder_.write("t.csv", small_table()); }

  // Takes seconds, so that it can be interrupted in the middle.
  static Words long_training(const Words& more) {
    Words words = {"train",        "builtin:planted",
                   "--hidden",     "150",
                   "--optimizer",  "adam",
                   "--iterations", "400",
                   "--rate",       "0.003",
                   "--seed",       "5"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Sends the signal once training has begun; starts again if the signal came too late.
  Outcome interrupted(const Words& words, int signal, const std::string& checkpoint) const {
    Outcome outcome;
    for (int attempt = 0; attempt < 5; ++attempt) {
      fs::remove(folder_.path() / checkpoint);
      RunningProgram program(launch(words));
      EXPECT_TRUE(program.wait_for_error_text("objective"));
      program.send(signal);
      outcome = program.finish();
      if (outcome.err.find("was interrupted") != std::string::npos) break;
    }
    return outcome;
  }
  static Words quick(const Words& more) {
    Words words = {"train", "t.csv", "--hidden", "3", "--iterations", "8"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // The record of a model file, without the training time.
  Json lasting_record(const std::string& model) const {
    Json record = record_of(folder_.read(model));
    record["training"].erase("seconds");
    record.erase("sha256");
    return record;
  }
  void expect_same_model(const std::string& a, const std::string& b) const {
    EXPECT_EQ(tensors_of(folder_.read(a)), tensors_of(folder_.read(b)));
    EXPECT_TRUE(lasting_record(a) == lasting_record(b));
  }
};

TEST_F(Checkpoints, SigtermWritesOneAndResumeEndsWithTheSameModel) {
  document(long_training({"--out", "whole.st"}));
  const Outcome outcome = interrupted(
      long_training({"--checkpoint", "c.st", "--every", "1000000", "--progress"}), SIGTERM, "c.st");
  EXPECT_EQ(outcome.code, 143);
  EXPECT_THAT(lines_of(outcome.err).back(),
              HasSubstr("Training was interrupted; the best model so far is in model.safetensors; "
                        "the same command with --resume continues from c.st."));
  EXPECT_THAT(folder_.names(), ElementsAre("c.st", "model.safetensors", "t.csv", "whole.st"));

  const Json json = document(long_training({"--checkpoint", "c.st", "--resume"}));
  EXPECT_EQ(json["iterations"], 400);
  expect_same_model("model.safetensors", "whole.st");
}

TEST_F(Checkpoints, TheTimeLimitWritesOneAndTheModelSoFar) {
  document(quick({"--out", "whole.st"}));
  const Outcome outcome = knotwork(quick({"--checkpoint", "c.st", "--time-limit", "1e-9"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "The time limit ended training; the same command with --resume continues from c.st"));
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["training"]["stopped"], "time");
  EXPECT_EQ(knotwork({"evaluate", "model.safetensors", "t.csv"}).code, 0);
  document(quick({"--checkpoint", "c.st", "--resume"}));
  expect_same_model("model.safetensors", "whole.st");
}

TEST_F(Checkpoints, TheTimeLimitIsNotBlamedForASignal) {
  const Outcome outcome = interrupted(
      long_training({"--checkpoint", "c.st", "--refit", "--progress"}), SIGTERM, "c.st");
  EXPECT_EQ(outcome.code, 143);
  EXPECT_THAT(outcome.err, Not(HasSubstr("time limit")));
}

// As on a batch queue: each run has a short time limit, except the last.
TEST_F(Checkpoints, WhatTheTimeLimitCutsShortIsChosenOn) {
  as_people_do_ = true;
  const Words words = {"train",        "t.csv", "--hidden",    "3",
                       "--iterations", "8",     "--baselines", "none"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  document(with({"--out", "whole.st"}));
  for (const char* limit : {"1e-9", "0.02", "0.05"}) {
    EXPECT_EQ(knotwork(with({"--checkpoint", "c.st", "--resume", "--time-limit", limit})).code, 0);
  }
  document(with({"--checkpoint", "c.st", "--resume"}));
  expect_same_model("model.safetensors", "whole.st");
}

TEST_F(Checkpoints, OfATrainingThatStartsFromAModel) {
  document(quick({"--out", "first.st", "--seed", "3"}));
  document(quick({"--out", "other.st", "--seed", "4"}));
  const Words words = {"train", "t.csv", "--start-from", "first.st", "--iterations", "6"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  document(with({"--out", "whole.st"}));
  knotwork(with({"--checkpoint", "c.st", "--time-limit", "1e-9"}));
  EXPECT_THAT(refusal({"train", "t.csv", "--start-from", "other.st", "--iterations", "6",
                       "--checkpoint", "c.st", "--resume"}),
              HasSubstr("started from another model"));
  document(with({"--checkpoint", "c.st", "--resume"}));
  EXPECT_EQ(tensors_of(folder_.read("model.safetensors")), tensors_of(folder_.read("whole.st")));
  EXPECT_THAT(refusal(with({"--checkpoint", "d.st", "--out", "first.st"})),
              HasSubstr("replace the model it starts from"));
}

TEST_F(Checkpoints, MayBeAskedForInAConfiguration) {
  const std::string plain = "data = \"t.csv\"\nhidden = [3]\niterations = 8\n";
  folder_.write("plain.toml", plain);
  folder_.write("run.toml", plain + "checkpoint = \"c.st\"\nevery = 2\nresume = true\n");
  document({"train", "--config", "plain.toml", "--out", "whole.st"});
  for (int k = 0; k < 2; ++k) {
    document({"train", "--config", "run.toml"});
    EXPECT_TRUE(tensors_of(folder_.read("model.safetensors")) ==
                tensors_of(folder_.read("whole.st")));
  }
  folder_.write("run.toml", plain + "checkpoint = \"c.st\"\nevery = \"ten\"\n");
  EXPECT_THAT(refusal({"train", "--config", "run.toml"}),
              AllOf(HasSubstr("run.toml, line 5"), HasSubstr("every")));
}

TEST_F(Checkpoints, OfATrainingThatIsOverGiveItsModelAgain) {
  document(quick({"--checkpoint", "c.st", "--every", "2"}));
  const std::string first = folder_.read("model.safetensors");
  fs::remove(folder_.path() / "model.safetensors");
  document(quick({"--checkpoint", "c.st", "--resume"}));
  EXPECT_EQ(tensors_of(folder_.read("model.safetensors")), tensors_of(first));
}

TEST_F(Checkpoints, ResumeWithoutOneBeginsAnew) {
  document(quick({"--out", "whole.st"}));
  document(quick({"--checkpoint", "c.st", "--resume"}));
  expect_same_model("model.safetensors", "whole.st");
}

TEST_F(Checkpoints, WhileChoosingKeepWhatWasCompared) {
  as_people_do_ = true;
  const Words words = {
      "train", "builtin:planted", "--hidden", "20",          "--optimizer", "adam", "--iterations",
      "60",    "--ensemble",      "1",        "--baselines", "none"};
  const auto with = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  document(with({"--out", "whole.st"}));
  RunningProgram program(launch(with({"--checkpoint", "c.st", "--progress"})));
  ASSERT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGTERM);
  EXPECT_EQ(program.finish().code, 143);
  EXPECT_THAT(folder_.names(), Contains("c.st"));
  document(with({"--checkpoint", "c.st", "--resume"}));
  expect_same_model("model.safetensors", "whole.st");
}

TEST_F(Checkpoints, AreNotPartOfASavedConfiguration) {
  document(quick({"--checkpoint", "c.st", "--every", "2", "--save-config", "run.toml"}));
  EXPECT_THAT(folder_.read("run.toml"), Not(HasSubstr("checkpoint")));
  EXPECT_THAT(folder_.read("run.toml"), Not(HasSubstr("every")));
  document({"train", "--config", "run.toml", "--out", "again.st"});
  EXPECT_EQ(tensors_of(folder_.read("again.st")), tensors_of(folder_.read("model.safetensors")));
}

TEST_F(Checkpoints, AreNeverReplacedUnasked) {
  document(quick({"--checkpoint", "c.st"}));
  const std::string before = folder_.read("c.st");
  EXPECT_THAT(refusal(quick({"--checkpoint", "c.st"})),
              HasSubstr("c.st already exists: give --resume to resume from it, or remove it"));
  EXPECT_THAT(refusal(quick({"--out", "c.st"})), HasSubstr("is a checkpoint of a training"));
  EXPECT_THAT(refusal(quick({"--save-config", "c.st"})), HasSubstr("is a checkpoint"));
  EXPECT_THAT(refusal({"predict", "model.safetensors", "t.csv", "--out", "c.st"}),
              HasSubstr("is a checkpoint"));
  EXPECT_EQ(folder_.read("c.st"), before);
}

TEST_F(Checkpoints, DoNotReplaceOtherFiles) {
  document(quick({"--out", "m.st"}));
  folder_.write("notes.txt", "Bring bread.\n");
  EXPECT_THAT(refusal(quick({"--checkpoint", "m.st"})), HasSubstr("m.st is a model"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "m.st", "--resume"})), HasSubstr("m.st is a model"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "notes.txt", "--resume"})),
              HasSubstr("not a checkpoint"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "t.csv"})), HasSubstr("t.csv"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "x.st", "--out", "x.st"})),
              HasSubstr("--checkpoint and --out are both x.st"));
  EXPECT_EQ(folder_.read("notes.txt"), "Bring bread.\n");
}

TEST_F(Checkpoints, OptionsThatNeedEachOther) {
  EXPECT_THAT(refusal(quick({"--every", "5"})), HasSubstr("--every needs --checkpoint FILE"));
  EXPECT_THAT(refusal(quick({"--resume"})), HasSubstr("--resume needs --checkpoint FILE"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "c.st", "--every", "0"})),
              HasSubstr("--every must be a whole number of at least 1"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "c.st", "--every", "-1"})), HasSubstr("--every"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "-"})), HasSubstr("is not a file name"));
  EXPECT_THAT(refusal(quick({"--checkpoint", "nowhere/c.st"})), HasSubstr("nowhere"));
}

TEST_F(Checkpoints, OfAnotherTrainingAreRefusedByWhatDiffers) {
  document(quick({"--checkpoint", "c.st"}));
  const std::string before = folder_.read("c.st");
  const auto refused = [&](const Words& more) {
    Words words = quick({"--checkpoint", "c.st", "--resume"});
    words.insert(words.end(), more.begin(), more.end());
    return refusal(words);
  };
  EXPECT_THAT(
      refused({"--lambda-w", "0.25"}),
      AllOf(HasSubstr("The checkpoint c.st belongs to another training"), HasSubstr("lambda-w")));
  EXPECT_THAT(refused({"--drop", "z"}), HasSubstr("its rows, its columns, its division"));
  EXPECT_THAT(refused({"--seed", "8"}), HasSubstr("seed was '0', but here it is '8'"));
  EXPECT_EQ(folder_.read("c.st"), before);
  EXPECT_EQ(knotwork(quick({"--checkpoint", "c.st", "--resume", "--threads", "2"})).code, 0);
}

TEST_F(Checkpoints, ThatAreDamagedAreRefused) {
  document(quick({"--checkpoint", "c.st"}));
  const std::string good = folder_.read("c.st");
  for (const std::size_t place : {good.size() / 3, good.size() - 5}) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 4);
    folder_.write("c.st", bad);
    EXPECT_THAT(refusal(quick({"--checkpoint", "c.st", "--resume"})), HasSubstr("c.st"));
    EXPECT_EQ(folder_.read("c.st"), bad);
  }
  folder_.write("c.st", good.substr(0, good.size() / 2));
  EXPECT_THAT(refusal(quick({"--checkpoint", "c.st", "--resume"})), HasSubstr("c.st"));
}

TEST_F(Checkpoints, AreNoModels) {
  document(quick({"--checkpoint", "c.st"}));
  EXPECT_THAT(
      refusal({"predict", "c.st", "t.csv"}),
      AllOf(HasSubstr("is a checkpoint of a training and not a model"), HasSubstr("--resume")));
  EXPECT_THAT(refusal({"inspect", "c.st"}), HasSubstr("is a checkpoint"));
}

TEST_F(Checkpoints, NeedAFile) {
  for (const char* place : {"/dev/full", "/dev/null"}) {
    EXPECT_THAT(refusal(quick({"--checkpoint", place})), HasSubstr("is not a regular file"));
  }
}

// If the very first checkpoint cannot be written, nothing is lost yet, even in a resumed training.
TEST_F(Checkpoints, ThatCannotBeWrittenEndTheTrainingBeforeItBegins) {
  Launch full = launch(quick({"--checkpoint", "c.st"}));
  full.file_size = 100;
  const Outcome outcome = run(full);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(IsOneSentence(), HasSubstr("c.st cannot be written")));
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));

  knotwork(quick({"--checkpoint", "c.st", "--time-limit", "1e-9", "--out", "m.st"}));
  const std::string before = folder_.read("c.st");
  full = launch(quick({"--checkpoint", "c.st", "--resume"}));
  full.file_size = 100;
  const Outcome resumed = run(full);
  EXPECT_EQ(resumed.code, 1);
  EXPECT_THAT(resumed.err, HasSubstr("c.st cannot be written"));
  EXPECT_EQ(folder_.read("c.st"), before);
}

// Root may read everything, so another user runs the program.
TEST_F(Checkpoints, ThatCannotBeReadAreNotReplaced) {
  Launch blind = launch(quick({"--checkpoint", "c.st", "--resume", "--out", "other.st"}));
  blind.unprivileged = true;
  document(quick({"--checkpoint", "c.st"}));
  const std::string before = folder_.read("c.st");
  fs::permissions(folder_.path() / "c.st", fs::perms::others_write);
  fs::permissions(folder_.path(), fs::perms::all);
  Launch version = launch({"--version"});
  version.unprivileged = true;
  if (run(version).code != 0) GTEST_SKIP() << "the program cannot be run by another user";
  const Outcome outcome = run(blind);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(IsOneSentence(), HasSubstr("cannot be read")));
  fs::permissions(folder_.path() / "c.st", fs::perms::owner_all);
  EXPECT_TRUE(folder_.read("c.st") == before);
}

TEST_F(Checkpoints, AreOfOneTrainingAtATime) {
  RunningProgram program(
      launch(long_training({"--checkpoint", "c.st", "--every", "1", "--progress"})));
  ASSERT_TRUE(program.wait_for_error_text("objective"));
  for (const Words& more :
       {Words{"--checkpoint", "c.st"}, Words{"--checkpoint", "c.st", "--resume"}}) {
    const Outcome other = knotwork(quick(more));
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("c.st"));
  }
  EXPECT_THAT(refusal(long_training({"--checkpoint", "c.st", "--resume"})),
              HasSubstr("c.st is in use by another program"));
  EXPECT_EQ(program.finish().code, 0);
  EXPECT_EQ(knotwork(long_training({"--checkpoint", "c.st", "--resume"})).code, 0);
  EXPECT_THAT(folder_.names(), ElementsAre("c.st", "model.safetensors", "t.csv"));
}

// If the checkpoint's folder disappears during training, the model is still written.
TEST_F(Checkpoints, ThatCannotBeWrittenLaterCostNoModel) {
  fs::create_directory(folder_.path() / "kept");
  RunningProgram program(
      launch(long_training({"--checkpoint", "kept/c.st", "--every", "1", "--progress"})));
  ASSERT_TRUE(program.wait_for_error_text("objective"));
  fs::rename(folder_.path() / "kept", folder_.path() / "gone");
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(lines_of(outcome.err).back(),
              AllOf(HasSubstr("The model is in model.safetensors, but the newest checkpoint could "
                              "not be written: kept/c.st cannot be written")));
  EXPECT_EQ(knotwork({"evaluate", "model.safetensors", "builtin:planted"}).code, 0);
  EXPECT_EQ(knotwork(long_training({"--checkpoint", "gone/c.st", "--resume"})).code, 0);
}

}  // namespace
}  // namespace knotwork::testing
