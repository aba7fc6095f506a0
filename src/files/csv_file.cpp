// SPDX-License-Identifier: MIT
#include "files/csv_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "base/fail.hpp"
#include "base/huge_pages.hpp"
#include "files/input_file.hpp"
#include "files/packed/unpacking.hpp"
#include "files/watched_calls.hpp"

namespace knotwork {

using namespace files;

namespace {

std::string read_bytes(const std::filesystem::path& path,
                       const std::function<void(double share)>& done) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail(ErrorKind::bad_file, in_file(path.string()), "is a folder; name a CSV file.");
  }
  InputFile file(path);
  if (!file.is_open()) {
    fail(ErrorKind::bad_file, in_file(path.string()),
         "cannot be opened ({}); name a table that can be read.",
         std::generic_category().message(file.error()));
  }
  std::string text;
  // The size is only a hint: pipes have none, and a file may grow while it is read.
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  const bool size_is_known = !ignored && size > 0;
  if (!ignored) {
    text.reserve(static_cast<std::size_t>(size));
    prefer_huge_pages(text.data(), text.capacity());
  }
  // Reading into a buffer that stays in the cache costs less than filling a string with zeros
  // first.
  std::array<char, std::size_t{1} << 16> buffer;
  for (auto got = file.read(buffer); !got.empty(); got = file.read(buffer)) {
    text.append(got.data(), got.size());
    if (done && size_is_known) {
      done(std::min(1.0, static_cast<double>(text.size()) / static_cast<double>(size)));
    }
  }
  if (file.error() != 0) {
    fail(ErrorKind::failed_run, in_file(path.string()),
         "cannot be read to its end ({}); name a table that can be read.",
         std::generic_category().message(file.error()));
  }
  return text;
}

}  // namespace

std::string csv::read_text(const std::filesystem::path& path, const Monitor* monitor,
                           const std::function<void(double share)>& done) {
  const WatchedFiles watched(monitor);
  std::string text = read_bytes(path, done);
  if (is_packed(text)) return unpack(text, path.string(), kMaxUnpackedBytes, monitor);
  return text;
}

}  // namespace knotwork
