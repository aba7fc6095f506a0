// SPDX-License-Identifier: MIT
// Tests faults of the machine: full disks, folders without write permission, inputs that break off,
// closed pipes, no memory. The program reports one sentence and the documented exit code, and the
// files from before are unchanged.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <set>
#include <thread>

#include "cli_test.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KNOTWORK_SANITIZED 1  // sanitizers need more address space than a limit would leave
#else
#define KNOTWORK_SANITIZED 0
#endif

namespace knotwork::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A command that writes files, all of which existed before.
struct Writer {
  Words words;
  Words outputs;
};

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {{"train", "t.csv", "--iterations", "3", "--quiet", "--out", "new.st"}, {"new.st"}},
      {{"train", "t.csv", "--iterations", "3", "--quiet", "--out", "new.st", "--save-config",
        "c.toml"},
       {"new.st", "c.toml"}},
      {{"train", "t.csv", "--start-from", "m.st", "--iterations", "3", "--quiet", "--out", "m.st"},
       {"m.st"}},
      // The checkpoint is larger and written first.
      {{"train", "t.csv", "--iterations", "3", "--quiet", "--checkpoint", "new.st.checkpoint",
        "--resume", "--out", "new.st"},
       {"new.st"}},
      {{"predict", "m.st", "t.csv", "--quiet", "--out", "p.csv"}, {"p.csv"}},
      {{"report", "m.st", "--quiet", "--out", "r.html"}, {"r.html"}},
      {{"report", "m.st", "--data", "t.csv", "--quiet", "--out", "r.html"}, {"r.html"}},
      {{"export", "m.st", "--format", "c", "--out", "m.h"}, {"m.h"}},
      {{"export", "m.st", "--format", "onnx", "--out", "m.onnx"}, {"m.onnx"}},
      {{"datasets", "sinc", "--rows", "500", "--out", "d.csv"}, {"d.csv"}},
      {{"completion", "bash", "--out", "c.bash"}, {"c.bash"}},
      {{"tune", "t.csv", "--study", "s.db", "--iterations", "2", "--hidden", "2", "--vary",
        "lambda-w=0.1|1", "--folds", "2", "--quiet", "--out", "w.st"},
       {"w.st"}}};
  return all;
}

class MachineFaults : public CliTest {
 protected:
  MachineFaults() {
    folder_.write("t.csv", small_table());
    EXPECT_EQ(
        knotwork({"train", "t.csv", "--iterations", "3", "--seed", "7", "--out", "m.st"}).code, 0);
  }
  ~MachineFaults() override { RecordProperty("knotwork_count_machine_faults", faults_); }

  Outcome run_with_fault(Launch wanted) {
    ++faults_;
    return run(wanted);
  }

  // The sentence of a run that fails and changes nothing.
  std::string failure(const Launch& wanted, int code = 1) {
    const auto before = contents();
    const Outcome outcome = run_with_fault(wanted);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_THAT(outcome.err, IsOneSentence());
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(changed(before, contents()), IsEmpty()) << "these files were changed";
    return outcome.err;
  }

  // The names of files that only one of the two has, or that differ.
  static std::set<std::string> changed(const std::map<std::string, std::string>& before,
                                       const std::map<std::string, std::string>& after) {
    std::set<std::string> names;
    for (const auto& [name, text] : before) {
      if (!after.contains(name) || after.at(name) != text) names.insert(name);
    }
    for (const auto& [name, text] : after) {
      if (!before.contains(name)) names.insert(name);
    }
    return names;
  }

  // All files except studies, which are written during the search.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : folder_.names()) {
      if (name.starts_with("s.db")) continue;
      std::error_code ignored;
      const bool is_file = std::filesystem::is_regular_file(folder_.path() / name, ignored);
      all[name] = is_file ? folder_.read(name) : "";
    }
    return all;
  }

  int faults_ = 0;
};

TEST_F(MachineFaults, ADiskThatIsFullLeavesTheOldFiles) {
  for (const Writer& writer : writers()) {
    SCOPED_TRACE(writer.words.front() + " " + writer.outputs.front());
    ASSERT_EQ(knotwork(writer.words).code, 0);
    const std::size_t size = folder_.read(writer.outputs.front()).size();
    ASSERT_GT(size, 128u);
    // A model contains the seconds of its training, so its next file may be a few digits shorter.
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, size / 2, size - 64}) {
      Launch wanted = launch(writer.words);
      wanted.file_size = room;
      EXPECT_THAT(failure(wanted), AnyOf(HasSubstr(writer.outputs.front()), HasSubstr("s.db")));
    }
    // Nothing was lost: with enough space the same command succeeds.
    EXPECT_EQ(knotwork(writer.words).code, 0);
  }
}

TEST_F(MachineFaults, ADeviceThatIsFullIsNamed) {
  for (const Writer& writer : writers()) {
    if (writer.words.front() == "tune") continue;  // the study has its own test
    Words words = writer.words;
    if (std::find(words.begin(), words.end(), "--checkpoint") != words.end()) continue;  // changed
    *(std::find(words.begin(), words.end(), "--out") + 1) = "/dev/full";
    EXPECT_THAT(failure(launch(words)), HasSubstr("/dev/full")) << words.front();
  }
}

TEST_F(MachineFaults, AFolderThatCannotBeWrittenLeavesTheOldFiles) {
  for (const Writer& writer : writers()) ASSERT_EQ(knotwork(writer.words).code, 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0555), 0);
  Launch version = launch({"--version"});
  version.unprivileged = true;
  if (run(version).code != 0) GTEST_SKIP() << "the program cannot be run by another user";
  for (const Writer& writer : writers()) {
    SCOPED_TRACE(writer.words.front());
    Launch wanted = launch(writer.words);
    wanted.unprivileged = true;
    EXPECT_THAT(failure(wanted), AnyOf(HasSubstr(writer.outputs.front()), HasSubstr("s.db")));
  }
  ::chmod(folder_.path().c_str(), 0755);
}

// What every command reads, replaced by `input`.
std::vector<Words> readers(const std::string& input) {
  return {{"train", input, "--out", "new.st"},
          {"train", "t.csv", "--config", input, "--out", "new.st"},
          {"train", "t.csv", "--start-from", input, "--out", "new.st"},
          {"predict", "m.st", input},
          {"predict", input, "t.csv"},
          {"evaluate", "m.st", input},
          {"evaluate", input, "t.csv"},
          {"inspect", input},
          {"report", "m.st", "--data", input, "--out", "r.html"},
          {"report", input, "--out", "r.html"},
          {"export", input, "--format", "c", "--out", "m.h"},
          {"tune", input, "--study", "s.db"},
          {"compare", input, "--activations", "tanh,relu"}};
}

TEST_F(MachineFaults, InputsThatCannotBeReadAreNamed) {
  for (const char* input : {"/proc/self/mem", "."}) {
    // A folder is refused before reading, the other input fails while it is read.
    const int code = input == std::string(".") ? 2 : 1;
    for (const Words& words : readers(input)) {
      SCOPED_TRACE(::testing::PrintToString(words));
      EXPECT_THAT(failure(launch(words), code), HasSubstr(input));
    }
  }
}

TEST_F(MachineFaults, InputsThatBreakOffAreRefusedAsWhatTheyAre) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string model = folder_.read("m.st");
  for (const Words& words : readers("pipe")) {
    // An empty configuration is valid.
    if (std::find(words.begin(), words.end(), "--config") != words.end()) continue;
    SCOPED_TRACE(::testing::PrintToString(words));
    const bool of_model =
        words[1] == "pipe" && words[0] != "train" && words[0] != "tune" && words[0] != "compare";
    for (const std::string& sent : {std::string(), of_model ? model.substr(0, model.size() / 2)
                                                            : std::string("x,z,y\n1,2")}) {
      std::jthread writer([&] {
        const int descriptor = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
        EXPECT_EQ(::write(descriptor, sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
        ::close(descriptor);
      });
      EXPECT_THAT(failure(launch(words), 2), HasSubstr("pipe"));
    }
  }
}

TEST_F(MachineFaults, ResultsThatNobodyTakes) {
  const std::vector<Words> printing = {{"predict", "m.st", "t.csv", "--quiet"},
                                       {"predict", "m.st", "t.csv", "--quiet", "--json"},
                                       {"evaluate", "m.st", "t.csv", "--quiet"},
                                       {"inspect", "m.st", "--full"},
                                       {"export", "m.st", "--format", "c", "--out", "-"},
                                       {"datasets"},
                                       {"datasets", "sinc", "--rows", "100000"},
                                       {"completion", "bash"},
                                       {"help", "train"}};
  for (const Words& words : printing) {
    SCOPED_TRACE(::testing::PrintToString(words));
    Launch wanted = launch(words);
    for (const Output output : {Output::full_disk, Output::closed}) {
      wanted.output = output;
      EXPECT_THAT(failure(wanted), HasSubstr("standard output"));
    }
    // As in `knotwork datasets | head -1`, which has seen enough.
    wanted.output = Output::broken_pipe;
    const Outcome outcome = run_with_fault(wanted);
    EXPECT_EQ(outcome.code, 128 + SIGPIPE);
    EXPECT_EQ(outcome.err, "");
  }
}

// Messages may be lost, but nothing else.
TEST_F(MachineFaults, AFullLogEndsNothing) {
  for (const char* words : {"train t.csv --hidden 3 --iterations 40 --progress --out log.st",
                            "train t.csv --hidden 3 --iterations 2 --out log.st"}) {
    Launch wanted =
        launch({"-c", std::string("exec \"$0\" ") + words + " 2>/dev/full", KNOTWORK_PROGRAM});
    wanted.program = "/bin/sh";
    EXPECT_EQ(run_with_fault(wanted).code, 0) << words;
    EXPECT_EQ(knotwork({"evaluate", "log.st", "t.csv"}).code, 0);
  }
  Launch wrong = launch({"-c", "exec \"$0\" train nofile.csv 2>/dev/full", KNOTWORK_PROGRAM});
  wrong.program = "/bin/sh";
  EXPECT_EQ(run_with_fault(wrong).code, 2);
}

// Limits from where the program can just be loaded to where it has enough memory.
TEST_F(MachineFaults, MemoryThatIsUsedUpIsOneSentence) {
  if (KNOTWORK_SANITIZED) GTEST_SKIP() << "sanitizers need the address space for themselves";
  constexpr std::size_t kMegabyte = 1 << 20;
  std::string rows = "x,z,y\n";
  for (int k = 0; k < 60000; ++k) rows += k % 2 ? "1.5,2,1.25\n" : "2.5,3,7.75\n";
  folder_.write("many.csv", rows);
  std::size_t least = 8 * kMegabyte;
  const auto version_runs = [&] {
    Launch version = launch({"--version"});
    version.memory = least;
    return run(version).code == 0;
  };
  while (!version_runs()) least += kMegabyte;
  const std::vector<Words> hungry = {
      {"train", "many.csv", "--iterations", "1", "--hidden", "2", "--quiet", "--out", "m.st"},
      {"predict", "m.st", "many.csv", "--quiet", "--out", "p.csv"},
      {"evaluate", "m.st", "many.csv", "--quiet"},
      {"report", "m.st", "--data", "many.csv", "--quiet", "--out", "r.html"},
      {"tune", "many.csv", "--study", "s.db", "--iterations", "1", "--hidden", "2", "--vary",
       "lambda-w=0.1|1", "--folds", "2", "--quiet", "--out", "w.st"}};
  for (const Words& words : hungry) {
    SCOPED_TRACE(words.front());
    int failed = 0;
    for (const std::size_t more : {1, 2, 3, 4, 6, 8, 12, 16, 24}) {
      const auto before = contents();
      Launch wanted = launch(words);
      wanted.memory = least + more * kMegabyte;
      const Outcome outcome = run_with_fault(wanted);
      if (outcome.code == 0) break;
      ++failed;
      EXPECT_EQ(outcome.code, 1) << outcome.err;
      EXPECT_THAT(outcome.err, IsOneSentence());
      EXPECT_THAT(outcome.err,
                  AnyOf(HasSubstr("not enough memory"), HasSubstr("threads could not be started")));
      EXPECT_THAT(changed(before, contents()), IsEmpty()) << "these files were changed";
    }
    EXPECT_GT(failed, 0);
  }
}

}  // namespace
}  // namespace knotwork::testing
