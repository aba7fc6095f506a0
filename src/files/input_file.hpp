// SPDX-License-Identifier: MIT
// A file that is read from its start to its end.
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
  // The next bytes, as many as there are at once; none at the end of the file, or when reading
  // fails.
  std::span<const char> read(std::span<char> buffer);
  // Why it could not be opened or read, as errno has it, or 0.
  int error() const { return error_; }

 private:
  int descriptor_;
  int error_ = 0;
};

}  // namespace knotwork::files
