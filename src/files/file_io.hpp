// SPDX-License-Identifier: MIT
// These functions and classes read files as a whole or at offsets, and write files atomically: at
// any time there is either the whole old file or the whole new file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace knotwork::files {

// At most the first `most` bytes. Throws bad_file when the file cannot be opened, failed_run when
// reading fails half-way. If `check_start` is given, it is called repeatedly with what has been
// read so far, and may throw.
using StartCheck = std::function<void(std::span<const std::uint8_t>)>;
std::vector<std::uint8_t> read_file(const std::filesystem::path& path,
                                    std::size_t most = std::numeric_limits<std::size_t>::max(),
                                    const StartCheck& check_start = {});

// A file that several threads can read at any offset. It is never mapped, because a mapped file
// that another process truncates would crash the program.
class PlacedFile {
 public:
  // Throws bad_file when it cannot be opened or has no offsets (a pipe, a folder).
  explicit PlacedFile(const std::filesystem::path& path);
  ~PlacedFile();
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;

  std::uint64_t size() const { return size_; }  // when it was opened
  // Throws failed_run when reading fails or the file has become shorter.
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// A file that appears under its name as a whole when it is committed. It is written piece by piece
// to a temporary file in the same folder, which is then flushed to the disk and renamed.
// Permissions are those of the replaced file, or else follow the umask. A symbolic link stays: its
// target is replaced or created. A device or a pipe, such as /dev/null, is written to directly.
// Throws bad_file when the path cannot be written to, failed_run when writing fails half-way (a
// full disk).
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  // Without commit() nothing changes on the disk.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::uint8_t> bytes);
  // Overwrites the first bytes. Not allowed for a device or a pipe.
  void rewrite_start(std::span<const std::uint8_t> bytes);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Temporary storage on the disk: a file without a name in the folder of another file; it is deleted
// with its object.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& beside);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::uint64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }
  void append(std::span<const std::uint8_t> bytes);
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;

 private:
  std::filesystem::path beside_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// Reserves a file for one program at a time, by a locked file beside it, "c.st.lock", which exists
// for as long as this object. The lock ends with the process, however that ends. Where the file
// system has no locks nothing is reserved.
class FileLock {
 public:
  // Throws bad_file if another program has reserved the file, or if its folder cannot be written.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string name_;
  int descriptor_ = -1;
};

// Writes all bytes as an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
// Throws bad_file if the file cannot be written. Call it before long work, so that the work is not
// lost.
void check_writable(const std::filesystem::path& path);

}  // namespace knotwork::files
