// SPDX-License-Identifier: MIT
// Files: read at once or by place, written so that there is the old one or the new one, never half.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace knotwork::files {

// At most the first `most` bytes. Throws bad_file when the file cannot be opened, failed_run when
// reading ends half-way. `check_start`, if given, sees what has been read so far, again and
// again, and may throw.
using StartCheck = std::function<void(std::span<const std::uint8_t>)>;
std::vector<std::uint8_t> read_file(const std::filesystem::path& path,
                                    std::size_t most = std::numeric_limits<std::size_t>::max(),
                                    const StartCheck& check_start = {});

// A file that is read at places of its own choosing, by several threads at once. It is never
// mapped: a file that is cut off under a mapping ends the program.
class PlacedFile {
 public:
  // Throws bad_file when it cannot be opened or is no file with places (a pipe, a folder).
  explicit PlacedFile(const std::filesystem::path& path);
  ~PlacedFile();
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;

  std::uint64_t size() const { return size_; }  // as it was opened
  // Throws failed_run when reading fails or the file has become shorter.
  void read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// A file that appears whole under its name when it is committed, written piece by piece through a
// temporary file in the same folder that is flushed to the disk and renamed. The new file's
// permissions follow the umask, or the file that it replaces. A symbolic link stays: the file that
// it leads to is replaced or made. What is no file, such as /dev/null or a pipe, is written to as
// it is. Throws bad_file when the place is wrong, failed_run when writing fails half-way (a full
// disk).
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path);
  // Unless it was committed, nothing has happened.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::uint8_t> bytes);
  // Over what was written first. Not for what is no file.
  void rewrite_start(std::span<const std::uint8_t> bytes);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Memory on the disk: a file without a name in the folder of another one, gone with its object.
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

// All at once, as an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
// Throws bad_file when that could not begin: to be asked before long work, not after it.
void check_writable(const std::filesystem::path& path);

}  // namespace knotwork::files
