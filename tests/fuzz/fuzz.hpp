// SPDX-License-Identifier: MIT
// What all fuzz targets share. A target gives bytes to a reader of the library: it may refuse them
// with an Error of one sentence; everything else (another exception, a sanitizer's report, memory
// or time without bounds) is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <knotwork/error.hpp>

namespace knotwork::fuzz {

// A finding.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// Whether `read` took what it was given.
bool takes(const auto& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    require(what.ends_with('.') || what.ends_with('?'));
    require(what.find('\n') == std::string_view::npos);
    return false;
  }
  return true;
}

}  // namespace knotwork::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
