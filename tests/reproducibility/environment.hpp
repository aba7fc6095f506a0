// SPDX-License-Identifier: MIT
// Environment is what determines the last bits besides the code, the options and the instruction
// set.
//
// The plain C++ of a training calls exp, log, tanh and others of the C library. They are not
// rounded correctly, differ between versions of the library, and glibc selects other versions on
// processors with fused multiply-add. Therefore their values themselves are compared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace knotwork {

struct Environment {
  std::string processor;    // "x86_64"
  std::string compiler;     // "GCC 12.2.0"
  std::string c_library;    // "glibc 2.36", the version at run time
  std::string libraries;    // header libraries for arithmetic
  std::string libm_sha256;  // of some thousand values of the functions that trainings call

  bool operator==(const Environment&) const = default;
};

Environment this_environment();

nlohmann::ordered_json to_json(const Environment& environment);
Environment environment_from_json(const nlohmann::ordered_json& json);

// "compiler: GCC 12.2.0, recorded with GCC 13.1.0", one for each part that differs.
std::vector<std::string> differences(const Environment& here, const Environment& recorded);

}  // namespace knotwork
