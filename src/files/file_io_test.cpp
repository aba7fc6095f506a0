// SPDX-License-Identifier: MIT
#include "files/file_io.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "files/system_calls.hpp"

#include <knotwork/error.hpp>

namespace knotwork::files {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Bytes = std::vector<std::uint8_t>;

const Bytes kOld = {'o', 'l', 'd'};
const Bytes kNew = {'n', 'e', 'w', 0, 255};

class FileIo : public ::testing::Test {
 protected:
  FileIo() {
    std::string name = (fs::path(::testing::TempDir()) / "knotwork-file_io-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~FileIo() override { fs::remove_all(folder_); }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_))
      all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }
  template <class Action>
  static Error error_of(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorKind::bad_option, "nothing was wrong");
  }
  static Error write_error(const fs::path& path) {
    return error_of([&] { write_file_atomically(path, kNew); });
  }

  fs::path folder_;
};

TEST_F(FileIo, ReadsBackWhatWasWritten) {
  Bytes large(200001);
  for (std::size_t k = 0; k < large.size(); ++k) large[k] = static_cast<std::uint8_t>(k * 7);
  for (const Bytes& bytes : {Bytes{}, kNew, Bytes(1 << 16, 1), large}) {
    write_file_atomically(folder_ / "file", bytes);
    EXPECT_EQ(read_file(folder_ / "file"), bytes);
  }
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(FileIo, NamesWhatCannotBeRead) {
  const Error missing = error_of([&] { read_file(folder_ / "none"); });
  EXPECT_EQ(missing.kind(), ErrorKind::bad_file);
  EXPECT_THAT(missing.what(), HasSubstr((folder_ / "none").string()));
  const Error folder = error_of([&] { read_file(folder_); });
  EXPECT_EQ(folder.kind(), ErrorKind::bad_file);
  EXPECT_THAT(folder.what(), HasSubstr("is a folder"));
}

TEST_F(FileIo, ANameOfTheGreatestLengthIsFine) {
  const fs::path path = folder_ / std::string(255, 'x');
  write_file_atomically(path, kNew);
  EXPECT_EQ(read_file(path), kNew);
}

TEST_F(FileIo, ANameAloneIsInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  check_writable("file");
  write_file_atomically("file", kNew);
  fs::current_path(before);
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(FileIo, PermissionsFollowTheUmaskOrTheFileThatIsReplaced) {
  const auto mode = [&](const std::string& name) {
    struct stat status {};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &status), 0);
    return status.st_mode & 07777;
  };
  const mode_t before = ::umask(027);
  write_file_atomically(folder_ / "some", kNew);
  ::umask(0);
  write_file_atomically(folder_ / "all", kNew);
  ::umask(before);
  EXPECT_EQ(mode("some"), 0640u);
  EXPECT_EQ(mode("all"), 0666u);
  ASSERT_EQ(::chmod((folder_ / "all").c_str(), 0600), 0);
  write_file_atomically(folder_ / "all", kNew);
  EXPECT_EQ(mode("all"), 0600u);
}

// Before the first file is created, somebody else puts a link under the name of that file.
class OccupiedName : public SystemCalls {
 public:
  explicit OccupiedName(fs::path target) : target_(std::move(target)) {}
  int open(const char* path, int flags, mode_t mode) override {
    if ((flags & O_CREAT) != 0 && occupied_.empty()) {
      occupied_ = path;
      fs::create_symlink(target_, occupied_);
    }
    return SystemCalls::open(path, flags, mode);
  }
  fs::path occupied() const { return occupied_; }

 private:
  fs::path target_, occupied_;
};

TEST_F(FileIo, ATemporaryFileTakesNoNameThatExists) {
  write_file_atomically(folder_ / "other", kOld);
  OccupiedName calls(folder_ / "other");
  {
    const ReplacedSystemCalls replaced(calls);
    write_file_atomically(folder_ / "file", kNew);
  }
  EXPECT_EQ(read_file(folder_ / "other"), kOld);
  EXPECT_TRUE(fs::is_symlink(calls.occupied()));
  EXPECT_FALSE(fs::is_symlink(folder_ / "file"));
  EXPECT_EQ(read_file(folder_ / "file"), kNew);
}

TEST_F(FileIo, AFolderIsNotReplaced) {
  fs::create_directory(folder_ / "folder");
  EXPECT_EQ(write_error(folder_ / "folder").kind(), ErrorKind::bad_file);
  EXPECT_TRUE(fs::is_directory(folder_ / "folder"));
  EXPECT_THAT(names(), ElementsAre("folder"));
  EXPECT_THAT(error_of([&] { check_writable(folder_ / "folder"); }).what(), HasSubstr("a folder"));
  EXPECT_THAT(error_of([&] { check_writable(folder_ / ""); }).what(), HasSubstr("a folder"));
}

TEST_F(FileIo, AMissingFolderIsNotMade) {
  const fs::path path = folder_ / "none" / "file";
  EXPECT_EQ(write_error(path).kind(), ErrorKind::bad_file);
  EXPECT_THAT(error_of([&] { check_writable(path); }).what(), HasSubstr("there is no folder"));
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(FileIo, AnOldFileStaysWhenTheNewOneCannotBeWrittenToItsEnd) {
  write_file_atomically(folder_ / "file", kOld);
  // Like a full disk: for a moment no file of this process may grow beyond 4 bytes.
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 4;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Error error = write_error(folder_ / "file");
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(error.kind(), ErrorKind::failed_run);
  EXPECT_THAT(error.what(), HasSubstr((folder_ / "file").string()));
  EXPECT_EQ(read_file(folder_ / "file"), kOld);
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(FileIo, AnOldFileStaysInAFolderThatCannotBeWrittenTo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  write_file_atomically(folder_ / "file", kOld);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(write_error(folder_ / "file").kind(), ErrorKind::bad_file);
  EXPECT_EQ(error_of([&] { check_writable(folder_ / "file"); }).kind(), ErrorKind::bad_file);
  EXPECT_EQ(read_file(folder_ / "file"), kOld);
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_THAT(names(), ElementsAre("file"));
}

// Also for root, who may write to every file.
TEST_F(FileIo, AWriteProtectedFileIsNotReplaced) {
  write_file_atomically(folder_ / "file", kOld);
  fs::create_symlink("file", folder_ / "link");
  fs::permissions(folder_ / "file", fs::perms::owner_read | fs::perms::group_read);
  for (const char* name : {"file", "link"}) {
    EXPECT_THAT(write_error(folder_ / name).what(), HasSubstr("write-protected"));
    EXPECT_EQ(error_of([&] { check_writable(folder_ / name); }).kind(), ErrorKind::failed_run);
  }
  EXPECT_EQ(read_file(folder_ / "file"), kOld);
  EXPECT_THAT(names(), ElementsAre("file", "link"));
  fs::permissions(folder_ / "file", fs::perms::owner_write, fs::perm_options::add);
  write_file_atomically(folder_ / "link", kNew);
  EXPECT_EQ(read_file(folder_ / "file"), kNew);
}

TEST_F(FileIo, ALockedFileIsRefusedUntilTheLockEnds) {
  const fs::path file = folder_ / "file";
  {
    const FileLock lock(file);
    EXPECT_THAT(names(), ElementsAre("file.lock"));
    EXPECT_THAT(error_of([&] { FileLock again(file); }).what(), HasSubstr("in use by another"));
    const FileLock other(folder_ / "other");
  }
  EXPECT_THAT(names(), IsEmpty());
  // What a killed program leaves locks nothing.
  write_file_atomically(folder_ / "file.lock", {});
  EXPECT_THAT(error_of([&] { const FileLock lock(file); }).what(), HasSubstr("nothing was wrong"));
  EXPECT_THAT(error_of([&] { const FileLock lock(folder_ / "none" / "file"); }).what(),
              HasSubstr("cannot be created"));
}

TEST_F(FileIo, WhoReadsTheOldFileKeepsReadingIt) {
  write_file_atomically(folder_ / "file", kOld);
  std::ifstream reader(folder_ / "file", std::ios::binary);
  write_file_atomically(folder_ / "file", kNew);
  const std::string text{std::istreambuf_iterator<char>(reader), std::istreambuf_iterator<char>()};
  EXPECT_EQ(text, "old");
}

TEST_F(FileIo, ASymbolicLinkStaysAndWhatItLeadsToIsReplaced) {
  fs::create_directory(folder_ / "runs");
  write_file_atomically(folder_ / "runs" / "first", kOld);
  fs::create_symlink("runs/first", folder_ / "latest");
  fs::create_symlink("latest", folder_ / "twice");
  check_writable(folder_ / "twice");
  write_file_atomically(folder_ / "twice", kNew);
  EXPECT_EQ(fs::read_symlink(folder_ / "latest"), "runs/first");
  EXPECT_EQ(fs::read_symlink(folder_ / "twice"), "latest");
  EXPECT_EQ(read_file(folder_ / "runs" / "first"), kNew);
  EXPECT_THAT(names(), ElementsAre("latest", "runs", "twice"));
}

TEST_F(FileIo, ASymbolicLinkToNothingGetsItsFile) {
  fs::create_symlink("later", folder_ / "link");
  write_file_atomically(folder_ / "link", kNew);
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_file(folder_ / "later"), kNew);

  fs::create_symlink("none/file", folder_ / "astray");
  EXPECT_EQ(error_of([&] { check_writable(folder_ / "astray"); }).kind(), ErrorKind::bad_file);
  EXPECT_EQ(write_error(folder_ / "astray").kind(), ErrorKind::bad_file);
}

TEST_F(FileIo, SymbolicLinksInACircleAreRefused) {
  fs::create_symlink("b", folder_ / "a");
  fs::create_symlink("a", folder_ / "b");
  EXPECT_EQ(error_of([&] { check_writable(folder_ / "a"); }).kind(), ErrorKind::bad_file);
  EXPECT_EQ(write_error(folder_ / "a").kind(), ErrorKind::bad_file);
  EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(FileIo, APipeIsWrittenToAndNotReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  check_writable(pipe);
  write_file_atomically(pipe, kNew);
  Bytes read(10);
  const ssize_t count = ::read(reader, read.data(), read.size());
  ::close(reader);
  ASSERT_EQ(count, static_cast<ssize_t>(kNew.size()));
  read.resize(kNew.size());
  EXPECT_EQ(read, kNew);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_THAT(names(), ElementsAre("pipe"));
}

TEST_F(FileIo, AFileThatIsWrittenInPiecesIsThereWhenItIsCommitted) {
  write_file_atomically(folder_ / "file", kOld);
  {
    AtomicFile file(folder_ / "file");
    file.write(kNew);
    file.write(kNew);
    file.rewrite_start(kOld);
    EXPECT_EQ(read_file(folder_ / "file"), kOld);
    file.commit();
  }
  EXPECT_EQ(read_file(folder_ / "file"), (Bytes{'o', 'l', 'd', 0, 255, 'n', 'e', 'w', 0, 255}));
  {
    AtomicFile file(folder_ / "file");
    file.write(kNew);
  }
  EXPECT_EQ(read_file(folder_ / "file").size(), 10u);
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(FileIo, AScratchFileHasNoNameAndKeepsItsBytes) {
  ScratchFile file(folder_ / "file");
  EXPECT_THAT(names(), IsEmpty());
  file.append(kOld);
  file.append(kNew);
  EXPECT_EQ(file.size(), 8u);
  Bytes bytes(4);
  file.read(2, bytes);
  EXPECT_THAT(bytes, ElementsAre('d', 'n', 'e', 'w'));
}

TEST_F(FileIo, PlacesOfAFileAreReadAndItsEndIsKnown) {
  write_file_atomically(folder_ / "file", kNew);
  const PlacedFile file(folder_ / "file");
  EXPECT_EQ(file.size(), 5u);
  Bytes bytes(2);
  file.read(3, bytes);
  EXPECT_THAT(bytes, ElementsAre(0, 255));
  const Error beyond = error_of([&] { file.read(4, bytes); });
  EXPECT_EQ(beyond.kind(), ErrorKind::failed_run);
  EXPECT_THAT(beyond.what(), HasSubstr("the file has become shorter"));
  EXPECT_EQ(error_of([&] { PlacedFile{folder_}; }).kind(), ErrorKind::bad_file);
  EXPECT_EQ(error_of([&] { PlacedFile(folder_ / "none"); }).kind(), ErrorKind::bad_file);
}

}  // namespace
}  // namespace knotwork::files
