// SPDX-License-Identifier: MIT
// Tests reading and writing with every system call failing in turn. Afterwards the old file or the
// new one exists, whole, and nothing else.
#include "files/failing_calls.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "files/file_io.hpp"
#include "model_file/test_saved_models.hpp"

#include <knotwork/table.hpp>

namespace knotwork::model_file {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FailingCallsTest : public ::testing::Test {
 protected:
  FailingCallsTest() {
    std::string name = (fs::path(::testing::TempDir()) / "knotwork-failing-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    path_ = folder_ / "file";
  }
  ~FailingCallsTest() override { fs::remove_all(folder_); }
  void TearDown() override { RecordProperty("knotwork_count_file_faults", faults_); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      all.push_back(entry.path().filename());
    }
    return all;
  }

  struct Outcome {
    bool reached = false;  // the call that should fail was made
    bool thrown = false;
    std::string what;
  };
  // Runs `action` with call `number` failing.
  template <class Action>
  Outcome run(files::Fault fault, std::size_t number, int error, const Action& action) {
    files::FailingCalls calls(fault, number, error);
    Outcome outcome;
    {
      const files::ReplacedSystemCalls replaced(calls);
      try {
        action();
      } catch (const Error& thrown) {
        outcome.thrown = true;
        outcome.what = thrown.what();
        EXPECT_EQ(thrown.kind(), ErrorKind::failed_run) << thrown.what();
        EXPECT_THAT(outcome.what, StartsWith(path_.string() + " cannot be "));
        EXPECT_THAT(outcome.what, EndsWith("."));
      }
    }
    outcome.reached = calls.has_failed();
    faults_ += outcome.reached ? 1 : 0;
    EXPECT_EQ(calls.still_open(), 0);
    return outcome;
  }

  // Lets `write` replace the old file, with every call failing in turn, and returns the number of
  // calls. If `old` is empty there is no old file.
  template <class Write>
  std::size_t walk(files::Fault fault, int error, const Bytes& old, const Bytes& new_bytes,
                   const Write& write) {
    for (std::size_t number = 1;; ++number) {
      SCOPED_TRACE(testing::Message() << "call " << number << ", errno " << error);
      fs::remove(path_);
      if (!old.empty()) files::write_file_atomically(path_, old);
      const Outcome outcome = run(fault, number, error, write);
      const bool harmless = fault == files::Fault::interruption || fault == files::Fault::part;
      EXPECT_FALSE(outcome.thrown && harmless) << outcome.what;
      if (outcome.thrown && old.empty()) {
        EXPECT_FALSE(fs::exists(path_));
      } else {
        EXPECT_EQ(files::read_file(path_), outcome.thrown ? old : new_bytes);
        EXPECT_THAT(names(), ElementsAre("file"));
      }
      if (!outcome.reached) {
        EXPECT_FALSE(outcome.thrown) << outcome.what;
        return number - 1;
      }
      if (number < 1000) continue;
      ADD_FAILURE() << "There is no end of calls.";
      return number;
    }
  }

  fs::path folder_, path_;
  int faults_ = 0;  // calls that failed
};

const Bytes kOld = {'o', 'l', 'd'};
const Bytes kNew = {'n', 'e', 'w', 'e', 'r', 0, 255};

TEST_F(FailingCallsTest, TheOldFileOrTheNewOneIsThereWhole) {
  const auto write = [&] { files::write_file_atomically(path_, kNew); };
  for (const int error : {ENOSPC, EIO, EDQUOT, EMFILE, ENOMEM}) {
    // Open, set the mode, write, flush, rename; open the folder, flush it, close it; close.
    EXPECT_EQ(walk(files::Fault::error, error, kOld, kNew, write), 9u);
    EXPECT_EQ(walk(files::Fault::error, error, {}, kNew, write), 8u);  // no mode to keep
    EXPECT_EQ(walk(files::Fault::full_disk, error, kOld, kNew, write), 7u);
  }
  EXPECT_EQ(walk(files::Fault::interruption, 0, kOld, kNew, write), 7u);
  EXPECT_EQ(walk(files::Fault::part, 0, kOld, kNew, write), 7u);
}

TEST_F(FailingCallsTest, AMessageSaysWhy) {
  const Outcome outcome =
      run(files::Fault::full_disk, 1, ENOSPC, [&] { files::write_file_atomically(path_, kNew); });
  EXPECT_EQ(outcome.what, path_.string() + " cannot be written: No space left on device.");
}

TEST_F(FailingCallsTest, ASavedModelIsTheOldOneOrTheNewOne) {
  const Model model = tiny_model();
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 1;
  const Bytes old = serialize(trained_model(options));
  const Bytes saved = serialize(model);
  const auto save = [&] { save_model(model, path_); };
  for (const files::Fault fault : {files::Fault::error, files::Fault::full_disk,
                                   files::Fault::interruption, files::Fault::part}) {
    EXPECT_GE(walk(fault, ENOSPC, old, saved, save), 7u);
  }
}

// With a failing call, reading returns everything or throws an error.
TEST_F(FailingCallsTest, NoFileIsReadInPart) {
  Bytes large(150000);
  for (std::size_t k = 0; k < large.size(); ++k) large[k] = static_cast<std::uint8_t>(k * 7);
  files::write_file_atomically(path_, large);
  const auto count = [&](files::Fault fault) {
    std::size_t number = 1;
    for (bool reached = true; reached; ++number) {
      files::FailingCalls calls(fault, number, EIO);
      const files::ReplacedSystemCalls replaced(calls);
      std::optional<Error> error;
      try {
        EXPECT_EQ(files::read_file(path_), large);
      } catch (const Error& thrown) {
        error = thrown;
      }
      reached = calls.has_failed();
      faults_ += reached ? 1 : 0;
      if (!error) continue;
      EXPECT_EQ(fault, files::Fault::error) << error->what();
      EXPECT_EQ(error->kind(), number == 1 ? ErrorKind::bad_file : ErrorKind::failed_run);
      EXPECT_THAT(error->what(), AllOf(StartsWith(path_.string()), HasSubstr("cannot be "),
                                       HasSubstr("Input/output error")));
    }
    return number - 2;
  };
  // Open, read three blocks and the end, close.
  EXPECT_EQ(count(files::Fault::error), 6u);
  EXPECT_EQ(count(files::Fault::interruption), 5u);
  EXPECT_GE(count(files::Fault::part), 5u);
}

// Devices without end: only their start may be read.
TEST_F(FailingCallsTest, ADeviceWithoutEndIsNoModel) {
  for (const char* device : {"/dev/zero", "/dev/urandom"}) {
    try {
      load_model(device);
      ADD_FAILURE() << device;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model);
      EXPECT_THAT(error.what(), HasSubstr("is not a complete model file"));
    }
  }
}

TEST_F(FailingCallsTest, AModelAndATableThatVanishWhileTheyAreReadAreNamed) {
  save_model(tiny_model(), path_);
  for (std::size_t number = 2; number <= 3; ++number) {
    const Outcome model = run(files::Fault::error, number, EIO, [&] { load_model(path_); });
    EXPECT_THAT(model.what, HasSubstr("cannot be read to its end: Input/output error."));
  }
  const std::string text = "a,b\n1,2\n3,4\n";
  files::write_file_atomically(path_, Bytes(text.begin(), text.end()));
  for (std::size_t number = 2; number <= 3; ++number) {
    const Outcome table = run(files::Fault::error, number, ESTALE, [&] { read_csv(path_); });
    EXPECT_THAT(table.what, HasSubstr("cannot be read to its end (Stale file handle)"));
  }
}

}  // namespace
}  // namespace knotwork::model_file
