// SPDX-License-Identifier: MIT
// Compact figures for pages: a compact figure looks the same in about half the bytes, and has no
// white background, so that the page's color shows.
#pragma once

#include <string>
#include <string_view>

#include <knotwork/api.hpp>

namespace knotwork::report {

// Compacts a document that figures::Svg wrote, with one element per line. Adjacent elements that
// differ only in their places become one path (lines, rectangles), or a group that states their
// common attributes once (circles, texts). Overlapping elements keep their order; elements with an
// opacity do not change. (Exported for Knotwork::tools.)
KNOTWORK_API std::string compact_svg(std::string_view svg);

}  // namespace knotwork::report
