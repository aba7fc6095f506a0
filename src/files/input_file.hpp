// SPDX-License-Identifier: MIT
// An InputFile is read from its start to its end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace knotwork::files {

class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  // The next bytes, as many as are available without waiting; empty at the end of the file or when
  // reading fails.
  std::span<const char> read(std::span<char> buffer);
  // The errno of a failed opening or reading, or 0.
  int error() const { return error_; }

 private:
  int descriptor_;
  int error_ = 0;
};

}  // namespace knotwork::files
