// SPDX-License-Identifier: MIT
// GzipReader unpacks gzip through zlib.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "files/packed/unpacking.hpp"

namespace knotwork::files {

inline constexpr std::string_view kGzipStart = "\x1F\x8B";

class GzipReader final : public Unpacker {
 public:
  GzipReader(Packed packed, std::string source, std::uint64_t limit);
  ~GzipReader() override;

 private:
  std::size_t unpack(std::span<char> buffer) override;
  // At the end of a member: continues with the next member, or ends.
  void pass_boundary();

  class Inflater;
  enum class At { member, boundary, end } at_ = At::member;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace knotwork::files
