// SPDX-License-Identifier: MIT
// A figure on its way into a page: looks the same in about half of the bytes, and has no white
// ground, so that it stands on the color of the page.
#pragma once

#include <string>
#include <string_view>

#include <knotwork/api.hpp>

namespace knotwork::report {

// Of a document that figures::Svg wrote, one element a line. Neighbors that differ in nothing but
// their places become one path (lines, rectangles) or stand in a group that says once what they
// share (circles, texts). What overlaps keeps its order; elements with an opacity stay as they are.
// (Exported for Knotwork::tools.)
KNOTWORK_API std::string compact_svg(std::string_view svg);

}  // namespace knotwork::report
