// SPDX-License-Identifier: MIT
#include "files/input_file.hpp"

#include <fcntl.h>

#include "files/system_calls.hpp"

namespace knotwork::files {

InputFile::InputFile(const std::filesystem::path& path)
    : descriptor_(without_interruptions(
          [&] { return system_calls().open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY, 0); })) {
  if (descriptor_ < 0) error_ = errno;
}

InputFile::~InputFile() {
  if (is_open()) system_calls().close(descriptor_);
}

std::span<const char> InputFile::read(std::span<char> buffer) {
  const ssize_t got = without_interruptions(
      [&] { return system_calls().read(descriptor_, buffer.data(), buffer.size()); });
  if (got < 0) error_ = errno;
  return buffer.first(got < 0 ? 0 : static_cast<std::size_t>(got));
}

}  // namespace knotwork::files
