// SPDX-License-Identifier: MIT
// Wrong on purpose: reads one element beyond the end.
#include <memory>

int main(int argc, char**) {
  const auto numbers = std::make_unique<int[]>(8);
  return numbers[static_cast<std::size_t>(argc) + 7];
}
