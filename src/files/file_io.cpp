// SPDX-License-Identifier: MIT
#include "files/file_io.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <system_error>

#include "base/fail.hpp"
#include "files/input_file.hpp"
#include "files/system_calls.hpp"

namespace knotwork::files {
namespace {

namespace fs = std::filesystem;

int open_file(const char* path, int flags) {
  return without_interruptions(
      [&] { return system_calls().open(path, flags | O_CLOEXEC | O_NOCTTY, 0666); });
}

bool flush(int descriptor) {
  return without_interruptions([&] { return system_calls().fsync(descriptor); }) == 0;
}

bool rename_file(const char* from, const char* to) {
  return without_interruptions([&] { return system_calls().rename(from, to); }) == 0;
}

// A new file in a folder; it is deleted unless it is kept. Its name is made of the process number
// and a counter, which is increased until no such file exists. (mkstemp would hide the file from
// everybody but its owner, and the umask cannot be queried without changing it.)
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder) {
    static std::atomic<unsigned> count{0};
    do {
      name_ = (folder / fmt::format(".knotwork-{}-{}.tmp", ::getpid(), count++)).string();
      descriptor_ = open_file(name_.c_str(), O_RDWR | O_CREAT | O_EXCL);
    } while (descriptor_ < 0 && errno == EEXIST);
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    system_calls().close(descriptor_);
    if (!kept_) system_calls().unlink(name_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  const char* name() const { return name_.c_str(); }
  void keep() { kept_ = true; }

 private:
  std::string name_;
  int descriptor_ = -1;
  bool kept_ = false;
};

bool write_all(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = without_interruptions(
        [&] { return system_calls().write(descriptor, bytes.data(), bytes.size()); });
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

// The rename itself must reach the disk too. Not every file system can flush a folder.
void flush_folder(const fs::path& folder) {
  const int descriptor = open_file(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  flush(descriptor);
  system_calls().close(descriptor);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

[[noreturn]] void cannot_write(ErrorKind kind, const fs::path& path, int error) {
  fail(kind, in_file(path.string()), "cannot be written: {}.", std::strerror(error));
}

// Whether a file could not be opened because the path is wrong; otherwise something is full,
// broken, used up or not permitted.
bool is_wrong_place(int error) {
  constexpr int kWrong[] = {ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EINVAL, ENXIO};
  return std::find(std::begin(kWrong), std::end(kWrong), error) != std::end(kWrong);
}

[[noreturn]] void cannot_open(const fs::path& path, int error) {
  cannot_write(is_wrong_place(error) ? ErrorKind::bad_file : ErrorKind::failed_run, path, error);
}

// Devices and pipes: renaming a file onto one would remove it.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// The target of a path through symbolic links, whether it exists or not.
fs::path through_links(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // the limit of Linux
  fs::path place = path;
  for (int k = 0; k <= kMaxLinks; ++k) {
    std::error_code is_no_link;
    const fs::path target = fs::read_symlink(place, is_no_link);
    if (is_no_link) return place;
    place = place.parent_path() / target;
  }
  cannot_write(ErrorKind::bad_file, path, ELOOP);
}

// Throws if a file that exists may not be written: a rename would replace it all the same. A file
// without any permission to write is protected from the superuser too.
void check_replaceable(const fs::path& path, const fs::path& place) {
  struct stat status;
  if (::stat(place.c_str(), &status) != 0) return;
  constexpr mode_t kWritable = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((status.st_mode & kWritable) != 0 && ::access(place.c_str(), W_OK) == 0) return;
  fail(ErrorKind::failed_run, in_file(path.string()),
       "is write-protected; name another file, or allow writing to it.");
}

bool write_all_at(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = without_interruptions([&] {
      return system_calls().pwrite(descriptor, bytes.data(), bytes.size(),
                                   static_cast<off_t>(offset));
    });
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

// Returns whether there were enough bytes. If not, errno has the reason, or 0 at the end of the
// file.
bool read_all_at(int descriptor, std::uint64_t offset, std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    errno = 0;
    const ssize_t got = without_interruptions([&] {
      return system_calls().pread(descriptor, bytes.data(), bytes.size(),
                                  static_cast<off_t>(offset));
    });
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

}  // namespace

std::vector<std::uint8_t> read_file(const fs::path& path, std::size_t most,
                                    const StartCheck& check_start) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    fail(ErrorKind::bad_file, in_file(path.string()), "is a folder, not a file.");
  }
  InputFile file(path);
  if (!file.is_open()) {
    fail(ErrorKind::bad_file, in_file(path.string()), "cannot be opened: {}.",
         std::strerror(file.error()));
  }
  std::vector<std::uint8_t> bytes;
  std::vector<char> buffer(1 << 16);
  for (auto got = file.read(buffer); !got.empty(); got = file.read(buffer)) {
    bytes.insert(bytes.end(), got.begin(), got.end());
    if (check_start) check_start(bytes);
    if (bytes.size() < most) continue;
    bytes.resize(most);
    break;
  }
  if (file.error() != 0) {
    fail(ErrorKind::failed_run, in_file(path.string()), "cannot be read to its end: {}.",
         std::strerror(file.error()));
  }
  return bytes;
}

PlacedFile::PlacedFile(const fs::path& path) : name_(path.string()) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    fail(ErrorKind::bad_file, in_file(name_), "is not a file that can be read at any place.");
  }
  descriptor_ = open_file(path.c_str(), O_RDONLY);
  struct stat status;
  if (descriptor_ < 0) {
    fail(ErrorKind::bad_file, in_file(name_), "cannot be opened: {}.", std::strerror(errno));
  }
  if (::fstat(descriptor_, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
}

PlacedFile::~PlacedFile() {
  if (descriptor_ >= 0) system_calls().close(descriptor_);
}

void PlacedFile::read(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
  if (read_all_at(descriptor_, offset, bytes)) return;
  fail(ErrorKind::failed_run, in_file(name_), "cannot be read to its end: {}.",
       errno == 0 ? "the file has become shorter" : std::strerror(errno));
}

struct AtomicFile::State {
  explicit State(const fs::path& wanted) : path(wanted) {}
  ~State() {
    if (special >= 0) system_calls().close(special);
  }
  int descriptor() const { return special >= 0 ? special : temporary->descriptor(); }

  fs::path path, place;
  int special = -1;  // a device or pipe
  std::unique_ptr<TemporaryFile> temporary;
};

AtomicFile::AtomicFile(const fs::path& path) : state_(std::make_unique<State>(path)) {
  if (is_special(path)) {
    state_->special = open_file(path.c_str(), O_WRONLY);
    if (state_->special < 0) cannot_open(path, errno);
    return;
  }
  const fs::path place = state_->place = through_links(path);
  std::error_code ignored;
  if (fs::is_directory(place, ignored)) {
    fail(ErrorKind::bad_file, in_file(path.string()), "is a folder; give the name of a file.");
  }
  check_replaceable(path, place);
  state_->temporary = std::make_unique<TemporaryFile>(folder_of(place));
  if (state_->temporary->descriptor() < 0) cannot_open(path, errno);
  // A file that is replaced keeps its permissions, where the file system has any.
  struct stat old;
  if (::stat(place.c_str(), &old) == 0) {
    [[maybe_unused]] const int ignored_result =
        system_calls().fchmod(state_->temporary->descriptor(), old.st_mode & 07777);
  }
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::span<const std::uint8_t> bytes) {
  if (!write_all(state_->descriptor(), bytes)) {
    cannot_write(ErrorKind::failed_run, state_->path, errno);
  }
}

void AtomicFile::rewrite_start(std::span<const std::uint8_t> bytes) {
  if (!write_all_at(state_->descriptor(), 0, bytes)) {
    cannot_write(ErrorKind::failed_run, state_->path, errno);
  }
}

void AtomicFile::commit() {
  if (!state_->temporary) return;
  TemporaryFile& file = *state_->temporary;
  if (!flush(file.descriptor()) || !rename_file(file.name(), state_->place.c_str())) {
    cannot_write(ErrorKind::failed_run, state_->path, errno);
  }
  file.keep();
  flush_folder(folder_of(state_->place));
}

ScratchFile::ScratchFile(const fs::path& beside) : beside_(beside) {
  TemporaryFile file(folder_of(is_special(beside) ? fs::temp_directory_path() / "x" : beside));
  if (file.descriptor() < 0) cannot_open(beside, errno);
  // `file` deletes the name; the content exists as long as this descriptor is open.
  descriptor_ = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor_ < 0) cannot_open(beside, errno);
}

ScratchFile::~ScratchFile() {
  ::close(descriptor_);
}

void ScratchFile::append(std::span<const std::uint8_t> bytes) {
  if (!write_all(descriptor_, bytes)) cannot_write(ErrorKind::failed_run, beside_, errno);
  size_ += bytes.size();
}

void ScratchFile::read(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
  if (read_all_at(descriptor_, offset, bytes)) return;
  cannot_write(ErrorKind::failed_run, beside_, errno == 0 ? EIO : errno);
}

FileLock::FileLock(const fs::path& path) : name_(path.string() + ".lock") {
  for (;;) {
    descriptor_ = open_file(name_.c_str(), O_RDWR | O_CREAT);
    if (descriptor_ < 0) {
      fail(ErrorKind::bad_file, in_file(name_), "cannot be created: {}.", std::strerror(errno));
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const bool is_reserved = errno == EWOULDBLOCK;
      if (!is_reserved) return;
      system_calls().close(descriptor_);
      fail(ErrorKind::bad_file, in_file(path.string()),
           "is in use by another program; wait until it ends, or name another file.");
    }
    // The program that had the lock may have deleted the file after it was opened here.
    struct stat own = {}, named = {};
    if (::fstat(descriptor_, &own) == 0 && ::stat(name_.c_str(), &named) == 0 &&
        own.st_ino == named.st_ino && own.st_dev == named.st_dev) {
      return;
    }
    system_calls().close(descriptor_);
  }
}

FileLock::~FileLock() {
  system_calls().unlink(name_.c_str());
  system_calls().close(descriptor_);
}

void write_file_atomically(const fs::path& path, std::span<const std::uint8_t> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void check_writable(const fs::path& path) {
  if (is_special(path)) {
    if (::access(path.c_str(), W_OK) != 0) cannot_open(path, errno);
    return;
  }
  const fs::path place = through_links(path);
  const fs::path folder = folder_of(place);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail(ErrorKind::bad_file, in_file(path.string()), "cannot be written: there is no folder {}.",
         folder.string());
  }
  if (!place.has_filename() || fs::is_directory(place, ignored)) {
    fail(ErrorKind::bad_file, in_file(path.string()), "is a folder; give the name of a file.");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) cannot_open(path, errno);
  check_replaceable(path, place);
}

}  // namespace knotwork::files
