// SPDX-License-Identifier: MIT
// Ctrl-C, SIGTERM and SIGHUP: a clean end wherever the program is, after training has begun with
// the best model so far.
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <tuple>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Interrupt : public CliTest {
 protected:
  // Trains until the signal, which is sent once training is known to have begun.
  Outcome interrupted_by(int signal, const std::string& optimizer) const {
    RunningProgram program(launch({"train", "builtin:planted", "--optimizer", optimizer, "--rate",
                                   "1e-6", "--iterations", "1000000000", "--progress", "--json"}));
    EXPECT_TRUE(program.wait_for_error_text("objective"));
    program.send(signal);
    return program.finish();
  }
  void expect_clean_end(const Outcome& outcome) const {
    EXPECT_THAT(lines_of(outcome.err).back(),
                ::testing::AllOf(HasSubstr("knotwork: "), HasSubstr("model.safetensors")));
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << outcome.out;
    EXPECT_EQ(json["interrupted"], true);
    EXPECT_EQ(json["stopped"], "requested");
    EXPECT_THAT(folder_.names(), ElementsAre("model.safetensors"));
    const Json scores = document({"evaluate", "model.safetensors", "builtin:planted"});
    EXPECT_EQ(scores["parameters_sha256"], json["parameters_sha256"]);
  }
};

TEST_F(Interrupt, CtrlCSavesTheModelAndIsExitCode130) {
  const Outcome outcome = interrupted_by(SIGINT, "adam");
  EXPECT_EQ(outcome.code, 130);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, SigtermSavesTheModelAndIsExitCode143) {
  const Outcome outcome = interrupted_by(SIGTERM, "adam");
  EXPECT_EQ(outcome.code, 143);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, AClosedTerminalSavesTheModelAndIsExitCode129) {
  const Outcome outcome = interrupted_by(SIGHUP, "adam");
  EXPECT_EQ(outcome.code, 129);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, ASecondOneEndsAtOnce) {
  // The first signal is noticed after the current iteration, which takes far longer than the other
  // signals need to arrive. Pending signals count once, so several are sent.
  RunningProgram program(launch({"train", "builtin:planted", "--hidden", "400,400", "--optimizer",
                                 "adam", "--batch", "1", "--progress"}));
  ASSERT_TRUE(program.wait_for_error_text("objective"));
  for (int k = 0; k < 20; ++k) {
    program.send(SIGINT);
    ::usleep(5000);
  }
  EXPECT_EQ(program.finish().code, -SIGINT);
  EXPECT_THAT(folder_.names(), ::testing::IsEmpty());
}

TEST_F(Interrupt, WhileChoosingLeavesTheBestModelSoFar) {
  as_people_do_ = true;
  RunningProgram program(launch({"train", "builtin:planted", "--iterations", "1000000000",
                                 "--optimizer", "adam", "--progress", "--json"}));
  EXPECT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  expect_clean_end(outcome);
}

TEST_F(Interrupt, WhileChoosingThereIsNothingToRepeat) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table());
  RunningProgram program(launch({"train", "t.csv", "--iterations", "1000000000", "--optimizer",
                                 "adam", "--progress", "--save-config", "c.toml"}));
  EXPECT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err,
              ::testing::AllOf(HasSubstr("of 12 trainings;"), HasSubstr("c.toml was not written")));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("inf")));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("chosen  ")));
  EXPECT_THAT(folder_.names(), ElementsAre("model.safetensors", "t.csv"));
}

TEST_F(Interrupt, WithoutAModelNothingIsSaved) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table());
  // Networks that take a while to create, and not a single iteration.
  RunningProgram program(launch({"train", "t.csv", "--hidden", "2000,2000", "--iterations", "0",
                                 "--ensemble", "1", "--progress", "--save-config", "c.toml"}));
  EXPECT_TRUE(program.wait_for_error_text("choosing"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, ::testing::AllOf(HasSubstr("nothing was saved"),
                                            HasSubstr("c.toml was not written")));
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(folder_.names(), ElementsAre("t.csv"));
}

TEST_F(Interrupt, WhileRefittingLeavesTheModelFromBefore) {
  folder_.write("t.csv", small_table());
  RunningProgram program(launch({"train", "t.csv", "--hidden", "60", "--iterations", "3000",
                                 "--optimizer", "adam", "--refit", "--progress"}));
  EXPECT_TRUE(program.wait_for_error_text("refitting"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err,
              HasSubstr("all rows was interrupted; the model from before the refit is in"));
  EXPECT_EQ(record_of(folder_.read("model.safetensors"))["training"]["refitted"], false);
}

TEST_F(Interrupt, InTheBaselinesLeavesAWholeModel) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table());
  RunningProgram program(
      launch({"train", "t.csv", "--preset", "paper", "--iterations", "2000", "--progress"}));
  EXPECT_TRUE(program.wait_for_error_text("baselines"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("the model in model.safetensors is complete"));
  EXPECT_EQ(knotwork({"evaluate", "model.safetensors", "t.csv"}).code, 0);
}

TEST_F(Interrupt, AnOldModelIsReplacedAsAWhole) {
  ASSERT_EQ(knotwork({"train", "builtin:planted", "--iterations", "1"}).code, 0);
  expect_clean_end(interrupted_by(SIGINT, "adam"));
}

TEST_F(Interrupt, ABuiltinSetIsWrittenWholeOrNotAtAll) {
  for (const std::string name : {"endless.csv", "endless.safetensors"}) {
    RunningProgram program(
        launch({"datasets", "sinc", "--rows", "10000000000", "--out", name, "--progress"}));
    EXPECT_TRUE(program.wait_for_error_text("writing"));
    program.send(SIGINT);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_EQ(lines_of(outcome.err).back(),
              "knotwork: The data set was interrupted while writing; nothing was written.");
    EXPECT_THAT(folder_.names(), ::testing::IsEmpty());
  }
}

// --- Outside of training -------------------------------------------------------------------------

// Pipes that nobody else uses hold the program up for as long as a test needs.
class InterruptOutsideTraining : public CliTest {
 protected:
  InterruptOutsideTraining() { folder_.write("t.csv", small_table()); }

  std::filesystem::path make_pipe(const std::string& name) const {
    std::filesystem::path path = folder_.path() / name;
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }
  void train_model(const std::string& hidden = "3") {
    ASSERT_EQ(knotwork({"train", "builtin:friedman1", "--hidden", hidden, "--iterations", "1",
                        "--preset", "paper", "--out", "m.safetensors"})
                  .code,
              0);
  }
  // A pipe that has a reader and a writer, which is the test and does nothing.
  class OpenPipe {
   public:
    explicit OpenPipe(const std::filesystem::path& path)
        : descriptor_(::open(path.c_str(), O_RDWR)) {}
    ~OpenPipe() { ::close(descriptor_); }
    OpenPipe(const OpenPipe&) = delete;
    OpenPipe& operator=(const OpenPipe&) = delete;

    void write(const std::string& text) const {
      EXPECT_EQ(::write(descriptor_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    int bytes() const {
      int count = 0;
      EXPECT_EQ(::ioctl(descriptor_, FIONREAD, &count), 0);
      return count;
    }
    void wait_until_empty() const {
      for (int attempt = 0; attempt < 10'000 && bytes() > 0; ++attempt) ::usleep(2000);
      ASSERT_EQ(bytes(), 0) << "The program does not read.";
    }
    void wait_until_full() const {
      constexpr int kPipeBytes = 65536 - 4096;
      for (int attempt = 0; attempt < 10'000 && bytes() < kPipeBytes; ++attempt) ::usleep(2000);
      ASSERT_GE(bytes(), kPipeBytes) << "The program does not write.";
    }

   private:
    int descriptor_;
  };

  static void expect_end(RunningProgram& program, int signal, const std::string& sentence) {
    program.send(signal);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_EQ(lines_of(outcome.err).back(), "knotwork: " + sentence);
  }

  // Expects that a program that waits for another process ends with this sentence, and ends within
  // 0.2 seconds. Other programs may delay it, so the fastest of several ends counts.
  void expect_quick_end(const Words& words, const std::string& sentence) const {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kQuick(200);
    constexpr int kMostAttempts = 12;
    auto fastest = Clock::duration::max();
    for (int attempt = 0; attempt < 2 || (fastest >= kQuick && attempt < kMostAttempts);
         ++attempt) {
      const int signal = attempt % 2 == 0 ? SIGINT : SIGTERM;
      RunningProgram program(launch(words));
      ASSERT_TRUE(program.wait_until_it_waits()) << sentence;
      const Clock::time_point begin = Clock::now();
      expect_end(program, signal, sentence);
      fastest = std::min(fastest, Clock::now() - begin);
    }
    EXPECT_LT(fastest, kQuick) << sentence;
  }
};

TEST_F(InterruptOutsideTraining, OpeningAPipeThatNobodyWritesTo) {
  const auto pipe = make_pipe("pipe");
  train_model();
  const std::vector<std::pair<Words, std::string>> requests = {
      {{"train", "pipe", "--out", "new"}, "Training"},
      {{"convert", "pipe", "new.csv"}, "The conversion"},
      {{"predict", "m.safetensors", "pipe", "--out", "new.csv"}, "The prediction"},
      {{"evaluate", "m.safetensors", "pipe"}, "The evaluation"},
      {{"report", "m.safetensors", "--data", "pipe", "--out", "new"}, "The report"},
      {{"export", "pipe", "--format", "c", "--out", "new"}, "The export"},
      {{"compare", "pipe", "--activations", "all"}, "The comparison"},
      {{"tune", "pipe", "--study", "new"}, "The search"}};
  for (const auto& [words, work] : requests) {
    RunningProgram program(launch(words));
    ASSERT_TRUE(program.wait_until_open(pipe)) << work;
    expect_end(program, SIGTERM, work + " was interrupted while reading; nothing was written.");
    EXPECT_THAT(folder_.names(), ElementsAre("m.safetensors", "pipe", "t.csv")) << work;
  }
}

TEST_F(InterruptOutsideTraining, APipeThatStaysSilentEndsQuickly) {
  train_model();
  const OpenPipe pipe(make_pipe("pipe"));
  const std::vector<std::pair<Words, std::string>> requests = {
      {{"train", "pipe", "--out", "new"}, "Training"},
      {{"train", "t.csv", "--test-data", "pipe", "--out", "new"}, "Training"},
      {{"train", "t.csv", "--test-rows", "pipe", "--out", "new"}, "Training"},
      {{"train", "t.csv", "--start-from", "pipe", "--out", "new"}, "Training"},
      {{"train", "--config", "pipe", "--out", "new"}, "Training"},
      {{"predict", "m.safetensors", "pipe", "--out", "new.csv"}, "The prediction"},
      {{"predict", "pipe", "t.csv", "--out", "new.csv"}, "The prediction"},
      {{"evaluate", "m.safetensors", "pipe"}, "The evaluation"},
      {{"inspect", "pipe"}, "The inspection"},
      {{"inspect", "m.safetensors", "--data", "pipe"}, "The inspection"},
      {{"report", "m.safetensors", "--data", "pipe", "--out", "new"}, "The report"},
      {{"report", "pipe", "--out", "new"}, "The report"},
      {{"export", "pipe", "--format", "c", "--out", "new"}, "The export"},
      {{"export", "pipe", "--format", "onnx", "--out", "new"}, "The export"},
      {{"convert", "pipe", "new.csv"}, "The conversion"},
      {{"compare", "pipe", "--activations", "all"}, "The comparison"},
      {{"tune", "pipe", "--study", "new"}, "The search"}};
  for (const auto& [words, work] : requests) {
    expect_quick_end(words, work + " was interrupted while reading; nothing was written.");
    EXPECT_THAT(folder_.names(), ElementsAre("m.safetensors", "pipe", "t.csv")) << work;
  }
}

TEST_F(InterruptOutsideTraining, ReadingAPipeThatStaysSilent) {
  folder_.write("old.csv", "old");
  const auto path = make_pipe("pipe");
  const std::string packed("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10);
  const std::vector<std::tuple<Words, std::string, std::string>> requests = {
      {{"convert", "pipe", "old.csv"}, "x,y\n1,2\n3,", "The conversion"},
      {{"train", "pipe", "--out", "new"}, "x,y\n1,2\n3,", "Training"},
      {{"train", "pipe", "--out", "new"}, packed, "Training"}};
  for (const auto& [words, start, work] : requests) {
    const OpenPipe pipe(path);
    RunningProgram program(launch(words));
    pipe.write(start);
    pipe.wait_until_empty();
    expect_end(program, SIGINT, work + " was interrupted while reading; nothing was written.");
    EXPECT_EQ(folder_.read("old.csv"), "old");
    EXPECT_THAT(folder_.names(), ElementsAre("old.csv", "pipe", "t.csv"));
  }
}

TEST_F(InterruptOutsideTraining, ReadingSilentStandardInput) {
  train_model();
  const auto path = make_pipe("pipe");
  for (const std::string request :
       {"predict m.safetensors -", "convert - new.safetensors", "train - --out new"}) {
    const OpenPipe pipe(path);
    Launch reading = launch({"-c", "exec \"$0\" " + request + " < pipe", KNOTWORK_PROGRAM});
    reading.program = "/bin/sh";
    RunningProgram program(reading);
    pipe.write("x1,x2\n1,");
    pipe.wait_until_empty();
    program.send(SIGHUP);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 129) << request;
    EXPECT_THAT(outcome.err, HasSubstr(" was interrupted while reading; nothing was written."));
    EXPECT_THAT(folder_.names(), ElementsAre("m.safetensors", "pipe", "t.csv"));
  }
}

TEST_F(InterruptOutsideTraining, WritingToAPipeThatIsFull) {
  const auto path = make_pipe("pipe");
  const OpenPipe pipe(path);
  Launch writing =
      launch({"-c", "exec \"$0\" datasets sinc --rows 1000000 > pipe", KNOTWORK_PROGRAM});
  writing.program = "/bin/sh";
  RunningProgram program(writing);
  pipe.wait_until_full();
  expect_end(program, SIGINT,
             "The data set was interrupted while writing; only a part was written.");
}

TEST_F(InterruptOutsideTraining, WritingToAPipeWithoutAReader) {
  train_model();
  ASSERT_EQ(knotwork({"datasets", "friedman1", "--rows", "50", "--out", "f.csv"}).code, 0);
  ASSERT_EQ(knotwork({"convert", "f.csv", "f.safetensors"}).code, 0);
  ASSERT_EQ(knotwork({"tune", "t.csv", "--study", "s.db", "--hidden", "2", "--iterations", "1",
                      "--folds", "2", "--vary", "lambda-w=1|2"})
                .code,
            0);
  make_pipe("out.csv");
  const std::vector<std::string> names = folder_.names();
  const Words compare = {"compare",     "t.csv", "--activations", "spline,tanh", "--folds", "2",
                         "--iterations", "1",     "--budget",      "0"};
  const auto with = [](Words words, const std::string& option) {
    words.insert(words.end(), {option, "out.csv"});
    return words;
  };
  const std::vector<std::pair<Words, std::string>> requests = {
      {with({"export", "m.safetensors", "--format", "c"}, "--out"), "The export"},
      {with({"export", "m.safetensors", "--format", "onnx"}, "--out"), "The export"},
      {with({"report", "m.safetensors"}, "--out"), "The report"},
      {with({"report", "m.safetensors", "--data", "f.csv"}, "--out"), "The report"},
      {with({"predict", "m.safetensors", "f.csv"}, "--out"), "The prediction"},
      {with({"predict", "m.safetensors", "f.safetensors"}, "--out"), "The prediction"},
      {{"convert", "t.csv", "out.csv"}, "The conversion"},
      {with({"datasets", "sinc"}, "--out"), "The data set"},
      {with(compare, "--csv"), "The comparison"},
      {with(compare, "--report"), "The comparison"},
      {with({"tune", "--show", "s.db"}, "--svg"), "The search"}};
  for (const auto& [words, work] : requests) {
    const std::string phase = work == "The conversion" ? "reading" : "writing";
    expect_quick_end(words, work + " was interrupted while " + phase + "; nothing was written.");
    EXPECT_EQ(folder_.names(), names) << work;
  }
}

// The moments are spread over loading, computing and writing.
TEST_F(InterruptOutsideTraining, InTheMiddleOfLongWork) {
  train_model("400,400");
  const auto path = make_pipe("model");
  const std::string bytes = folder_.read("m.safetensors");
  const std::vector<Words> requests = {{"report", "model", "--data", "builtin:friedman1"},
                                       {"report", "model", "--figures", "figures"},
                                       {"export", "model", "--format", "c", "--out", "e.c"},
                                       {"export", "model", "--format", "onnx", "--out", "e.onnx"},
                                       {"inspect", "model", "--full"},
                                       {"inspect", "model", "--data", "builtin:friedman1"}};
  for (const Words& words : requests) {
    int interrupted = 0;
    for (int moment = 0; moment < 6; ++moment) {
      const int signal = moment % 2 == 0 ? SIGINT : SIGTERM;
      RunningProgram program(launch(words));
      const int descriptor = ::open(path.c_str(), O_WRONLY);  // opens when the program reads it
      EXPECT_EQ(::write(descriptor, bytes.data(), bytes.size()),
                static_cast<ssize_t>(bytes.size()));
      ::close(descriptor);
      ::usleep(static_cast<useconds_t>(moment) * 40'000);
      program.send(signal);
      const Outcome outcome = program.finish();
      if (outcome.code == 0) continue;  // its work was done
      ++interrupted;
      EXPECT_EQ(outcome.code, 128 + signal) << words.front();
      EXPECT_THAT(outcome.err, AllOf(IsOneSentence(), HasSubstr(" was interrupted while ")));
    }
    EXPECT_GE(interrupted, 1) << words.front();
  }
}

TEST_F(InterruptOutsideTraining, SavingAModelThatNobodyTakes) {
  make_pipe("out");
  RunningProgram program(launch(
      {"train", "t.csv", "--hidden", "3", "--iterations", "3", "--out", "out", "--progress"}));
  ASSERT_TRUE(program.wait_for_error_text("iteration 3/3"));
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("Training was interrupted while "));
}

TEST_F(InterruptOutsideTraining, PredictingAndScoring) {
  train_model("400,400");
  ASSERT_EQ(knotwork({"datasets", "friedman1", "--rows", "200000", "--out", "t.safetensors"}).code,
            0);
  folder_.write("old.csv", "old");
  RunningProgram predicting(
      launch({"predict", "m.safetensors", "t.safetensors", "--out", "old.csv", "--progress"}));
  ASSERT_TRUE(predicting.wait_for_error_text("predicting"));
  expect_end(predicting, SIGINT,
             "The prediction was interrupted while predicting; nothing was written.");
  EXPECT_EQ(folder_.read("old.csv"), "old");
  RunningProgram scoring(launch({"evaluate", "m.safetensors", "t.safetensors", "--progress"}));
  ASSERT_TRUE(scoring.wait_for_error_text("evaluating"));
  expect_end(scoring, SIGINT, "The evaluation was interrupted while scoring; nothing was written.");
}

TEST_F(InterruptOutsideTraining, LookingAtAModel) {
  train_model("400,400");
  folder_.write("old.html", "old");
  RunningProgram program(launch({"report", "m.safetensors", "--data", "builtin:friedman1", "--out",
                                 "old.html", "--progress"}));
  ASSERT_TRUE(program.wait_for_error_text("analyzing"));
  expect_end(program, SIGINT,
             "The report was interrupted while analyzing the model; nothing was written.");
  EXPECT_EQ(folder_.read("old.html"), "old");
}

TEST_F(InterruptOutsideTraining, ASecondSignalEndsAtOnceThere) {
  const auto pipe = make_pipe("pipe");
  RunningProgram program(launch({"convert", "pipe", "new.csv"}));
  ASSERT_TRUE(program.wait_until_open(pipe));
  for (int k = 0; k < 2; ++k) program.send(SIGINT);
  const int code = program.finish().code;
  EXPECT_TRUE(code == 130 || code == -SIGINT) << code;
}

TEST_F(Interrupt, ASignalThatWasIgnoredFromTheStartStaysIgnored) {
  Launch ignoring = launch({"-c",
                            "trap '' INT; exec \"$0\" train builtin:planted --preset paper "
                            "--iterations 1000000000 --progress",
                            KNOTWORK_PROGRAM});
  ignoring.program = "/bin/sh";
  RunningProgram program(ignoring);
  ASSERT_TRUE(program.wait_for_error_text("objective"));
  program.send(SIGINT);
  program.send(SIGTERM);
  EXPECT_EQ(program.finish().code, 143);
}

}  // namespace
}  // namespace knotwork::testing
