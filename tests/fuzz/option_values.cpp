// SPDX-License-Identifier: MIT
// Fuzzes values of options as written on the command line: lines of name=value.
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

#include <knotwork/options.hpp>
#include <knotwork/search.hpp>

using namespace knotwork;

namespace {

void check_line(TrainOptions& options, std::string_view line) {
  // A command line argument has no NUL byte; a configuration may have one.
  if (line.find('\0') == std::string_view::npos) fuzz::takes([&] { parse_dimension(line); });
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  TrainOptions set = options;
  const bool taken =
      fuzz::takes([&] { set_option(set, line.substr(0, equals), line.substr(equals + 1)); });
  if (!taken) return;
  options = set;
  // The value written into a model's record is read as the same value.
  const TrainOptionField& field = option_field(line.substr(0, equals));
  const std::string text = field.get(options);
  field.set(set, text);
  fuzz::require(field.get(set) == text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  TrainOptions options;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    check_line(options, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  fuzz::takes([&] { check(options); });
  return 0;
}
