// SPDX-License-Identifier: MIT
#include "files/csv_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "base/fail.hpp"
#include "base/huge_pages.hpp"
#include "files/gzip.hpp"
#include "files/input_file.hpp"

namespace knotwork {

using namespace files;

namespace {

std::string read_bytes(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail(ErrorKind::bad_file, "{} is a folder; name a CSV file.", path.string());
  }
  InputFile file(path);
  if (!file.is_open()) {
    fail(ErrorKind::bad_file, "{} cannot be opened ({}); name a table that can be read.",
         path.string(), std::generic_category().message(file.error()));
  }
  std::string text;
  // The size is only a hint: pipes have none, and a file may grow while it is read.
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored) {
    text.reserve(static_cast<std::size_t>(size));
    prefer_huge_pages(text.data(), text.capacity());
  }
  // A buffer that stays in the cache costs less than the zeros that a string has to be filled with
  // before it can be read into.
  std::array<char, std::size_t{1} << 16> buffer;
  for (auto got = file.read(buffer); !got.empty(); got = file.read(buffer)) {
    text.append(got.data(), got.size());
  }
  if (file.error() != 0) {
    fail(ErrorKind::failed_run, "{} cannot be read to its end ({}); name a table that can be read.",
         path.string(), std::generic_category().message(file.error()));
  }
  return text;
}

}  // namespace

std::string csv::read_text(const std::filesystem::path& path) {
  std::string text = read_bytes(path);
  if (is_gzip(text)) return gunzip(text, path.string());
  return text;
}

}  // namespace knotwork
