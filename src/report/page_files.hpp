// SPDX-License-Identifier: MIT
// The files of the folder page/, which are compiled into the library.
#pragma once

#include <string_view>

#include <knotwork/api.hpp>

namespace knotwork::report {

struct PageFile {
  std::string_view text;
  std::string_view sha256;  // 64 hexadecimal digits
};

KNOTWORK_API PageFile page_style();  // of all pages; exported for Knotwork::tools
PageFile report_style();             // additional styles of the page of a model
PageFile report_script();            // of the page of a model

}  // namespace knotwork::report
