// SPDX-License-Identifier: MIT
// This header is shared by all fuzz targets. A target passes bytes to a reader of the library,
// which may refuse them with an Error of one sentence; everything else (another exception, a
// sanitizer's report, unbounded memory or time) is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <knotwork/error.hpp>

namespace knotwork::fuzz {

// Reports a finding unless `holds`.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// Whether `read` accepted its input.
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
