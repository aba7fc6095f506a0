// SPDX-License-Identifier: MIT
#include "model_file/file_io.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/fail.hpp"

namespace knotwork {
namespace {

namespace fs = std::filesystem;

// A new file in a folder that removes itself unless it was kept. Its name is its own: the process
// and a count, tried until no such file exists. (mkstemp would hide the file from everybody but its
// owner, and the umask cannot be asked for without changing it.)
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder) {
    static std::atomic<unsigned> count{0};
    do {
      name_ = (folder / fmt::format(".knotwork-{}-{}.tmp", ::getpid(), count++)).string();
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    if (!kept_) ::unlink(name_.c_str());
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
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

// The rename itself must reach the disk too. Not every file system can flush a folder.
void flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

[[noreturn]] void cannot_write(ErrorKind kind, const fs::path& path, int error) {
  fail(kind, "{} cannot be written: {}.", path.string(), std::strerror(error));
}

// Devices and pipes: renaming a file onto one would put it out of the world.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// The place that a path leads to through symbolic links, whether something is there or not.
fs::path through_links(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // what Linux follows
  fs::path place = path;
  for (int k = 0; k <= kMaxLinks; ++k) {
    std::error_code is_no_link;
    const fs::path target = fs::read_symlink(place, is_no_link);
    if (is_no_link) return place;
    place = place.parent_path() / target;
  }
  cannot_write(ErrorKind::bad_file, path, ELOOP);
}

void write_into(const fs::path& path, std::span<const std::uint8_t> bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) cannot_write(ErrorKind::bad_file, path, errno);
  const bool written = write_all(descriptor, bytes);
  const int error = errno;
  ::close(descriptor);
  if (!written) cannot_write(ErrorKind::failed_run, path, error);
}

}  // namespace

std::vector<std::uint8_t> read_file(const fs::path& path, std::size_t most) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    fail(ErrorKind::bad_file, "{} is a folder, not a file.", path.string());
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fail(ErrorKind::bad_file, "{} cannot be opened: {}.", path.string(), std::strerror(errno));
  }
  std::vector<std::uint8_t> bytes;
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) ||
         file.gcount() > 0) {
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + file.gcount());
    if (bytes.size() < most) continue;
    bytes.resize(most);
    break;
  }
  if (file.bad()) fail(ErrorKind::bad_file, "{} cannot be read to its end.", path.string());
  return bytes;
}

void write_file_atomically(const fs::path& path, std::span<const std::uint8_t> bytes) {
  if (is_special(path)) return write_into(path, bytes);
  const fs::path place = through_links(path);
  std::error_code ignored;
  if (fs::is_directory(place, ignored)) {
    fail(ErrorKind::bad_file, "{} is a folder; a file name is needed to write to.", path.string());
  }
  TemporaryFile file(folder_of(place));
  if (file.descriptor() < 0) cannot_write(ErrorKind::bad_file, path, errno);
  // A file that is replaced keeps its permissions, where the file system has any.
  struct stat old;
  if (::stat(place.c_str(), &old) == 0) {
    [[maybe_unused]] const int ignored_result = ::fchmod(file.descriptor(), old.st_mode & 07777);
  }
  if (!write_all(file.descriptor(), bytes) || ::fsync(file.descriptor()) != 0 ||
      ::rename(file.name(), place.c_str()) != 0) {
    cannot_write(ErrorKind::failed_run, path, errno);
  }
  file.keep();
  flush_folder(folder_of(place));
}

void check_writable(const fs::path& path) {
  if (is_special(path)) {
    if (::access(path.c_str(), W_OK) != 0) cannot_write(ErrorKind::bad_file, path, errno);
    return;
  }
  const fs::path place = through_links(path);
  const fs::path folder = folder_of(place);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail(ErrorKind::bad_file, "{} cannot be written: there is no folder {}.", path.string(),
         folder.string());
  }
  if (!place.has_filename() || fs::is_directory(place, ignored)) {
    fail(ErrorKind::bad_file, "{} is a folder; a file name is needed to write to.", path.string());
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) cannot_write(ErrorKind::bad_file, path, errno);
}

}  // namespace knotwork
