// SPDX-License-Identifier: MIT
// Fuzzes TOML configurations for a command with the options of training.
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/options/config.hpp"
#include "cli/options/toml.hpp"
#include "cli/options/training_options.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace knotwork;

namespace {

// The value that is written for an item is read as that value.
void check_values(const std::vector<cli::TomlItem>& items) {
  for (const cli::TomlItem& item : items) {
    for (const std::string& value : item.values) {
      const std::string line = fmt::format("value = {}\n", cli::to_toml(value));
      const std::vector<cli::TomlItem> again = cli::parse_toml(line, "a line");
      fuzz::require(again.size() == 1 && again[0].values == std::vector{value});
    }
  }
}

void apply(std::string_view text) {
  const int file = ::memfd_create("configuration", MFD_CLOEXEC);
  fuzz::require(file >= 0 &&
                ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  const cli::Parser parser("program", "A program.");
  cli::App program = parser.app();
  cli::App command = program.add_subcommand("train", "A command.");
  program.add_subcommand("tune", "Another command.");
  cli::TrainingRequest request;
  cli::add_training_options(command, request, false);
  std::vector<std::string> drop;
  command.add_option("--drop", drop, "May be repeated.");
  fuzz::takes([&] {
    cli::apply_config(command, fmt::format("/proc/self/fd/{}", file));
    cli::read_training_options(request);
  });
  ::close(file);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::takes([&] { check_values(cli::parse_toml(text, "run.toml")); });
  apply(text);
  return 0;
}
