// SPDX-License-Identifier: MIT
// Completion for bash, zsh and fish, generated from the parser so that it contains every option.
// The scripts ask the program for the columns of a table: `knotwork completion columns WORD...`.
#include <fmt/format.h>

#include <memory>

#include "base/fail.hpp"
#include "cli/options/known_values.hpp"
#include "cli/output/output.hpp"
#include "cli/program/commands.hpp"
#include "cli/program/completion/shell_words.hpp"
#include "cli/tables/output_place.hpp"
#include "files/file_io.hpp"

namespace knotwork::cli {
namespace {

constexpr const char* kColumns = "columns";

struct CompletionRequest {
  std::string shell, out;
  std::vector<std::string> words;
};

// One name on each line. A table that cannot be read has no names: a message in the middle of a
// command line that is being typed would help nobody.
int print_columns(const std::vector<std::string>& words) {
  std::string text;
  try {
    for (const std::string& name : columns_of_first_table(words)) {
      if (name.find('\n') == std::string::npos) text += name + "\n";
    }
  } catch (const Error&) {
    return kDone;
  }
  print_data(text);
  return kDone;
}

std::string script_for(const std::string& shell, const std::vector<OfferedCommand>& commands) {
  if (shell == "zsh") return zsh_script(commands);
  return shell == "fish" ? fish_script(commands) : bash_script(commands);
}

int run(const App& program, const CompletionRequest& request) {
  if (request.shell == kColumns) return print_columns(request.words);
  check_value("shell", request.shell, kShells);
  if (!request.words.empty()) {
    fail(ErrorKind::bad_option,
         "'{}' is one argument too many for completion; knotwork completion --help shows the use.",
         request.words.front());
  }
  const std::string script = script_for(request.shell, offered_commands(program));
  if (is_standard_output(request.out)) {
    print_data(script);
  } else {
    files::check_writable(request.out);
    check_place_of_text("--out", request.out);
    write_text(request.out, script);
  }
  return kDone;
}

}  // namespace

Command add_completion(App program) {
  App app = program.add_subcommand("completion", "Print a script for command-line completion");
  auto request = std::make_shared<CompletionRequest>();
  app.add_option("shell", request->shell, "shell: bash, zsh, fish").required().type_name("SHELL");
  app.add_option("words", request->words, "").group("");  // not shown in help
  app.add_option("--out", request->out, "file for the script (default: print it)")
      .type_name("FILE");
  app.footer(
      "Examples:\n"
      "  knotwork completion bash --out ~/.local/share/bash-completion/completions/knotwork\n"
      "  source <(knotwork completion bash)\n"
      "  source <(knotwork completion zsh)\n"
      "  knotwork completion fish --out ~/.config/fish/completions/knotwork.fish");
  return {app, [program, request] { return run(program, *request); }};
}

}  // namespace knotwork::cli
