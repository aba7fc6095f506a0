// SPDX-License-Identifier: MIT
#include <knotwork/instruction_set.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdint>

#include "kernels/pinned.hpp"

#include <knotwork/names.hpp>

namespace knotwork {
namespace {

constexpr std::string_view kScalar = "scalar";

struct Version {
  std::string name;
  std::int64_t target = 0;  // a Highway target; 0 for our plain C++
};

std::atomic<bool> scalar_pinned = false;

// If Highway has no vectors for the target, our kernels are the plain ones too.
bool has_vectors(std::int64_t target) {
  return target != HWY_SCALAR && target != HWY_EMU128;
}

std::string name_of(std::int64_t target) {
  if (!has_vectors(target)) return std::string(kScalar);
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

// Computed only once, because Highway's own list shrinks to the pinned set.
const NamedTable<Version>& versions() {
  static const NamedTable<Version> table("instruction set on this processor", [] {
    std::vector<Version> all;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      if (has_vectors(target)) all.push_back({name_of(target), target});
    }
    all.push_back({std::string(kScalar), 0});
    return all;
  }());
  return table;
}

}  // namespace

bool scalar_is_pinned() {
  return scalar_pinned.load(std::memory_order_relaxed);
}

std::vector<std::string> instruction_sets() {
  return versions().names();
}

std::string instruction_set() {
  versions();
  if (scalar_is_pinned()) return std::string(kScalar);
  return name_of(hwy::SupportedAndGeneratedTargets().front());
}

void pin_instruction_set(std::string_view name) {
  const Version& version = versions().at(name);
  scalar_pinned = version.target == 0;
  if (version.target == 0) return;
  hwy::SetSupportedTargetsForTest(version.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace knotwork
