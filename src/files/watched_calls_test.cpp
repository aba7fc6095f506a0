// SPDX-License-Identifier: MIT
// Tests that a Monitor can end reading and writing that waits for another process.
#include "files/watched_calls.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "files/file_io.hpp"
#include "files/input_file.hpp"
#include "files/packed/unpacking.hpp"
#include "parallel/test_monitors.hpp"

namespace knotwork::files {
namespace {

namespace fs = std::filesystem;
using parallel::StoppingMonitor;
using Bytes = std::vector<std::uint8_t>;

class WatchedCallsTest : public ::testing::Test {
 protected:
  WatchedCallsTest() {
    std::string name = (fs::path(::testing::TempDir()) / "knotwork-watched-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    EXPECT_EQ(::mkfifo(pipe().c_str(), 0600), 0);
  }
  ~WatchedCallsTest() override { fs::remove_all(folder_); }

  fs::path pipe() const { return folder_ / "pipe"; }

  // Whether the work ends with a stop. A call that waits asks repeatedly, so a later question will
  // do.
  template <class Work>
  static ::testing::AssertionResult is_stopped(const Work& work, Hearing hearing) {
    for (const std::size_t question : {1, 2, 3}) {
      const StoppingMonitor monitor(question);
      const WatchedFiles watched(&monitor, hearing);
      try {
        work();
        return ::testing::AssertionFailure() << "came to its end";
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::stopped)
          return ::testing::AssertionFailure() << error.what();
      }
    }
    return ::testing::AssertionSuccess();
  }

  fs::path folder_;
};

TEST_F(WatchedCallsTest, OpeningAPipeWithoutAWriterIsStopped) {
  for (const Hearing hearing : {Hearing::always, Hearing::waiting}) {
    EXPECT_TRUE(is_stopped([&] { InputFile file(pipe()); }, hearing));
    EXPECT_TRUE(is_stopped([&] { read_file(pipe()); }, hearing));
  }
}

TEST_F(WatchedCallsTest, OpeningAPipeWithoutAReaderIsStopped) {
  for (const Hearing hearing : {Hearing::always, Hearing::waiting}) {
    EXPECT_TRUE(is_stopped([&] { write_file_atomically(pipe(), Bytes{1, 2, 3}); }, hearing));
  }
}

TEST_F(WatchedCallsTest, ReadingASilentPipeIsStopped) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  char byte = 0;
  const auto read = [&] { system_calls().read(ends[0], &byte, 1); };
  EXPECT_TRUE(is_stopped(read, Hearing::always));
  EXPECT_TRUE(is_stopped(read, Hearing::waiting));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(WatchedCallsTest, WritingToAFullPipeIsStopped) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Bytes much(1 << 20);
  const auto write = [&] {
    for (std::size_t done = 0; done < much.size();) {
      done += static_cast<std::size_t>(
          system_calls().write(ends[1], much.data() + done, much.size() - done));
    }
  };
  EXPECT_TRUE(is_stopped(write, Hearing::always));
  EXPECT_TRUE(is_stopped(write, Hearing::waiting));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(WatchedCallsTest, WhoOnlyHearsWhileWaitingWritesAFileToItsEnd) {
  const StoppingMonitor monitor(1);
  const WatchedFiles watched(&monitor, Hearing::waiting);
  write_file_atomically(folder_ / "file", Bytes(100'000, 7));
  EXPECT_EQ(fs::file_size(folder_ / "file"), 100'000u);
  EXPECT_EQ(read_file(folder_ / "file").size(), 100'000u);
}

TEST_F(WatchedCallsTest, AFileIsWrittenWholeOrNotAtAll) {
  write_file_atomically(folder_ / "file", Bytes{1});
  const Bytes much(1 << 20, 7);
  for (const std::size_t question : {1, 2, 3}) {
    const StoppingMonitor monitor(question);
    const WatchedFiles watched(&monitor);
    const auto write = [&] {
      AtomicFile file(folder_ / "file");
      for (int k = 0; k < 5; ++k) file.write(much);
      file.commit();
    };
    EXPECT_THROW(write(), Error);
  }
  EXPECT_EQ(fs::file_size(folder_ / "file"), 1u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);  // the file and the pipe
}

TEST_F(WatchedCallsTest, BytesGoThroughPipesAsWithoutAMonitor) {
  Bytes sent(300'000);
  for (std::size_t k = 0; k < sent.size(); ++k) sent[k] = static_cast<std::uint8_t>(k * k >> 3);
  std::thread writer([&] {
    const StoppingMonitor monitor(0);
    const WatchedFiles watched(&monitor);
    write_file_atomically(pipe(), sent);
  });
  Bytes got;
  {
    const StoppingMonitor monitor(0);
    const WatchedFiles watched(&monitor);
    got = read_file(pipe());
  }
  writer.join();
  EXPECT_EQ(got, sent);
}

TEST_F(WatchedCallsTest, ADescriptorWaitsAsUsualAfterwards) {
  std::thread writer([&] { write_file_atomically(pipe(), Bytes{1, 2}); });
  const StoppingMonitor monitor(0);
  const WatchedFiles watched(&monitor);
  const int descriptor = system_calls().open(pipe().c_str(), O_RDONLY, 0);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(::fcntl(descriptor, F_GETFL) & O_NONBLOCK, 0);
  ::close(descriptor);
  writer.join();
}

TEST_F(WatchedCallsTest, UnpackingIsStopped) {
  // "a", packed.
  const StoppingMonitor monitor(1);
  constexpr unsigned char kPacked[] = {0x1F, 0x8B, 8,    0,    0,    0,    0, 0, 0, 3, 0x4B,
                                       0x04, 0,    0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0};
  const std::string packed(reinterpret_cast<const char*>(kPacked), sizeof kPacked);
  EXPECT_EQ(unpack(packed, "t"), "a");
  try {
    unpack(packed, "t", kMaxUnpackedBytes, &monitor);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::stopped);
  }
}

}  // namespace
}  // namespace knotwork::files
