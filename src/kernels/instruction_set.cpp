// SPDX-License-Identifier: MIT
#include <knotwork/instruction_set.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <knotwork/named_table.hpp>

namespace knotwork {
namespace {

struct Version {
  std::string name;
  std::int64_t target = 0;  // of Highway
};

// Where Highway has no vectors to offer, our kernels are plain C++.
std::string name_of(std::int64_t target) {
  if (target == HWY_SCALAR || target == HWY_EMU128) return "scalar";
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

// Asked for once, because Highway's own list shrinks to what is pinned.
const NamedTable<Version>& versions() {
  static const NamedTable<Version> table("instruction set on this processor", [] {
    std::vector<Version> all;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      all.push_back({name_of(target), target});
    }
    return all;
  }());
  return table;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  return versions().names();
}

std::string instruction_set() {
  versions();
  return name_of(hwy::SupportedAndGeneratedTargets().front());
}

void pin_instruction_set(std::string_view name) {
  hwy::SetSupportedTargetsForTest(versions().at(name).target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace knotwork
