// SPDX-License-Identifier: MIT
#include "files/text_source.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <system_error>
#include <utility>

#include "base/fail.hpp"

namespace knotwork::files {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 17;

double share_of(std::uint64_t done, std::uint64_t all) {
  return all == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
}

}  // namespace

std::span<const char> ViewedText::read(std::span<char> buffer) {
  const std::string_view piece = text_.substr(at_, buffer.size());
  std::copy(piece.begin(), piece.end(), buffer.begin());
  at_ += piece.size();
  return buffer.first(piece.size());
}

double ViewedText::share() const {
  return share_of(at_, text_.size());
}

void UnpackedText::rewind() {
  unpacker_.reset();
  rewind_bytes();
  start_.clear();
  std::array<char, 1> byte;
  for (auto got = read_bytes(byte); !got.empty(); got = read_bytes(byte)) {
    start_ += got.front();
    if (start_.size() == kPackedStartBytes) break;
  }
  if (!is_packed(start_)) return;
  const auto next_packed = [this]() -> std::string_view {
    if (!start_.empty()) return packed_ = std::exchange(start_, {});
    packed_.resize(kPieceBytes);
    const auto got = read_bytes(packed_);
    return {got.data(), got.size()};
  };
  unpacker_ = make_unpacker(std::string(start_), next_packed, source_,
                            std::numeric_limits<std::uint64_t>::max());
}

std::span<const char> UnpackedText::read(std::span<char> buffer) {
  if (unpacker_) return unpacker_->read(buffer);
  if (start_.empty()) return read_bytes(buffer);
  const std::size_t first = std::min(start_.size(), buffer.size());
  std::copy_n(start_.begin(), first, buffer.begin());
  start_.erase(0, first);
  return buffer.first(first);
}

FileText::FileText(const std::filesystem::path& path) : UnpackedText(path.string()), path_(path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    fail(ErrorKind::bad_file, in_file(source()), "is a folder; name a CSV file.");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown) size_ = size;
  rewind();
}

void FileText::rewind_bytes() {
  taken_ = 0;
  file_ = std::make_unique<InputFile>(path_);
  if (file_->is_open()) return;
  fail(ErrorKind::bad_file, in_file(source()),
       "cannot be opened ({}); name a table that can be read.",
       std::generic_category().message(file_->error()));
}

std::span<const char> FileText::read_bytes(std::span<char> buffer) {
  const auto got = file_->read(buffer);
  if (file_->error() != 0) {
    fail(ErrorKind::failed_run, in_file(source()),
         "cannot be read to its end ({}); name a table that can be read.",
         std::generic_category().message(file_->error()));
  }
  taken_ += got.size();
  return got;
}

double FileText::share() const {
  return share_of(taken_, size_);
}

SpooledText::SpooledText(std::string source, const std::filesystem::path& beside,
                         const std::function<std::span<const char>(std::span<char>)>& read_once)
    : UnpackedText(std::move(source)), scratch_(beside) {
  std::vector<char> buffer(kPieceBytes);
  for (auto got = read_once(buffer); !got.empty(); got = read_once(buffer)) {
    scratch_.append({reinterpret_cast<const std::uint8_t*>(got.data()), got.size()});
  }
  rewind();
}

std::span<const char> SpooledText::read_bytes(std::span<char> buffer) {
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), scratch_.size() - at_));
  scratch_.read(at_, {reinterpret_cast<std::uint8_t*>(buffer.data()), size});
  at_ += size;
  return buffer.first(size);
}

double SpooledText::share() const {
  return share_of(at_, scratch_.size());
}

}  // namespace knotwork::files
