// SPDX-License-Identifier: MIT
// A program that sees nothing but the installed headers and libraries.
#include <cstdio>
#include <string>
#include <vector>

#include <knotwork/error.hpp>
#include <knotwork/named_table.hpp>
#include <knotwork/random.hpp>
#include <knotwork/version.hpp>

namespace {

struct Entry {
  std::string name;
};

bool philox_gives_its_known_value() {
  return knotwork::philox({0, 0, 0, 0}, {0, 0})[0] == 0x6627e8d5;
}

// The exception crosses the library's border and keeps its type.
bool errors_are_caught_by_type() {
  const knotwork::NamedTable<Entry> table("activation", {{"tanh"}, {"spline"}});
  try {
    table.at("tanhh");
  } catch (const knotwork::Error& error) {
    return error.kind() == knotwork::ErrorKind::bad_option &&
           std::string(error.what()).find("did you mean 'tanh'?") != std::string::npos;
  }
  return false;
}

bool check(bool passed, const char* what) {
  if (!passed) std::printf("failed: %s\n", what);
  return passed;
}

}  // namespace

int main() {
  std::printf("Knotwork %s from outside\n", KNOTWORK_VERSION_STRING);
  const bool passed = check(philox_gives_its_known_value(), "philox gives its known value") &
                      check(errors_are_caught_by_type(), "errors are caught by type");
  return passed ? 0 : 1;
}
