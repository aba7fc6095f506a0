// SPDX-License-Identifier: MIT
#include "checks.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "markdown.hpp"
#include "run_program.hpp"

namespace knotwork::docs {
namespace {

namespace fs = std::filesystem;

// Languages of blocks that are only shown. A shell under another name would escape the check.
const std::set<std::string> kShown = {"", "text", "json", "csv", "cmake", "toml"};

std::string at(const std::string& document, std::size_t line) {
  return document + ", line " + std::to_string(line) + ": ";
}

// The working directory of a document's commands.
class WorkFolder {
 public:
  explicit WorkFolder(const Project& project) {
    fs::create_symlink(project.program, bin_.path() / "knotwork");
    fs::create_symlink(project.root / "tests/node/node_modules", work_.path() / "node_modules");
    std::ostringstream table, rows;
    table << "rooms,age,distance,price\n";
    rows << "rooms,age,distance\n";
    for (int r = 0; r < 48; ++r) {
      const int rooms = 1 + r % 6, age = r * 37 % 90, distance = r * 17 % 29;
      const double price = 40 * rooms - 0.5 * age - 3 * distance + 0.1 * rooms * distance;
      table << rooms << ',' << age << ',' << distance << ',' << price << '\n';
      rows << rooms << ',' << age << ',' << distance << '\n';
    }
    std::ostringstream species;
    species << "length,width,species\n";
    for (int r = 0; r < 48; ++r) {
      const char* const names[] = {"setosa", "versicolor", "virginica"};
      species << 1.5 * (r % 3) + 0.1 * (r % 7) << ',' << 0.4 * (r % 3) + 0.1 * (r % 5) << ','
              << names[r % 3] << '\n';
    }
    work_.write("species.csv", species.str());
    work_.write("table.csv", table.str());
    work_.write("new.csv", rows.str());
  }

  testing::Outcome run(const std::string& program, std::vector<std::string> arguments,
                       std::string input = "") const {
    const char* path = std::getenv("PATH");
    return testing::run({program,
                         std::move(arguments),
                         work_.path(),
                         std::move(input),
                         testing::Output::captured,
                         {{"PATH", bin_.path().string() + ":" + (path ? path : "/usr/bin:/bin")}}});
  }

  void write(const std::string& name, const std::string& text) const { work_.write(name, text); }

 private:
  testing::Folder bin_, work_;
};

struct Context {
  const std::string& document;
  const Project& project;
  const WorkFolder& work_folder;
  Verdict& verdict;

  void offend(std::size_t line, const std::string& what) const {
    verdict.offences.push_back(at(document, line) + what);
  }
};

void check_script(const Context& context, std::size_t line, const std::string& command) {
  const std::string script = command.substr(0, command.find(' '));
  const fs::path path = context.project.root / script;
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  if (!fs::is_regular_file(status) ||
      (status.permissions() & fs::perms::owner_exec) == fs::perms::none) {
    context.offend(line, "there is no script " + script + " that can be run");
  }
}

void check_shell(const Context& context, const Block& block) {
  for (std::size_t k = 0; k < block.lines.size(); ++k) {
    const std::size_t line = block.line + k;
    std::string command = block.lines[k];
    while (command.ends_with('\\') && k + 1 < block.lines.size()) {
      command.pop_back();
      command += block.lines[++k];
    }
    const std::size_t begin = command.find_first_not_of(' ');
    if (begin == std::string::npos || command[begin] == '#') continue;
    command.erase(0, begin);
    if (command.starts_with("scripts/")) {
      check_script(context, line, command);
      continue;
    }
    const auto outcome = context.work_folder.run("/bin/bash", {"-o", "pipefail", "-c", command});
    if (outcome.code != 0) {
      context.offend(line, "`" + command + "` ends with " + std::to_string(outcome.code) + " and " +
                               (outcome.err.empty() ? "no message" : outcome.err));
    }
  }
}

Lines without_indentation(Lines lines) {
  std::size_t common = std::string::npos;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) common = std::min(common, line.find_first_not_of(' '));
  }
  for (std::string& line : lines) line.erase(0, std::min(common, line.size()));
  return lines;
}

bool contains_run(const Lines& file, const Lines& wanted) {
  for (std::size_t k = 0; k + wanted.size() <= file.size(); ++k) {
    // The first line rules out most places.
    if (file[k].find(wanted[0]) == std::string::npos) continue;
    const auto first = file.begin() + static_cast<std::ptrdiff_t>(k);
    const Lines run(first, first + static_cast<std::ptrdiff_t>(wanted.size()));
    if (without_indentation(run) == wanted) return true;
  }
  return false;
}

void check_cpp(const Context& context, const Block& block) {
  Lines wanted = block.lines;
  while (!wanted.empty() && wanted.front().find_first_not_of(' ') == std::string::npos) {
    wanted.erase(wanted.begin());
  }
  while (!wanted.empty() && wanted.back().find_first_not_of(' ') == std::string::npos) {
    wanted.pop_back();
  }
  if (wanted.empty()) return context.offend(block.line, "a block of C++ is empty");
  wanted = without_indentation(wanted);
  for (const char* folder : {"examples", "src", "include"}) {
    const fs::path root = context.project.root / folder;
    if (!fs::is_directory(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      if (contains_run(split_lines(read_text(entry.path())), wanted)) return;
    }
  }
  context.offend(block.line, "this C++ stands in no file that is compiled: " + block.lines[0]);
}

std::string code_of(const Block& block) {
  std::string code;
  for (const std::string& line : block.lines) code += line + "\n";
  return code;
}

void check_c(const Context& context, const Block& block) {
  context.work_folder.write("main.c", code_of(block));
  const auto outcome = context.work_folder.run(
      "/bin/bash",
      {"-c", "cc -std=c99 -Wall -Wextra -Werror -pedantic main.c -o main -lm && ./main"});
  if (outcome.code != 0) context.offend(block.line, "this C fails: " + outcome.err);
}

// A block that runs only if its imports are installed; `imports` is tried first.
void check_interpreted(const Context& context, const Block& block, const std::string& language,
                       const std::vector<std::string>& interpreter, const std::string& imports) {
  const auto run = [&](const std::string& text) {
    return context.work_folder.run("/usr/bin/env", interpreter, text);
  };
  if (run(imports).code != 0) {
    context.verdict.remarks.push_back(at(context.document, block.line) +
                                      "not run, since a module it imports is not installed");
    return;
  }
  const auto outcome = run(code_of(block));
  if (outcome.code != 0) {
    context.offend(block.line, "this " + language + " fails: " + outcome.err);
  }
}

// The first group of every match of the pattern at the beginning of a line.
std::vector<std::string> modules_of(const Block& block, const std::regex& import) {
  std::vector<std::string> names;
  for (const std::string& line : block.lines) {
    std::smatch match;
    if (std::regex_search(line, match, import)) names.push_back(match[1].str());
  }
  return names;
}

void check_python(const Context& context, const Block& block) {
  static const std::regex import(R"(^\s*(?:import|from)\s+(\w+))");
  std::string imports;
  for (const std::string& name : modules_of(block, import)) imports += "import " + name + "\n";
  check_interpreted(context, block, "Python", {"python3", "-"}, imports);
}

void check_javascript(const Context& context, const Block& block) {
  static const std::regex import(R"(^\s*import\s.*from\s+'([^']+)')");
  std::string imports;
  for (const std::string& name : modules_of(block, import)) imports += "import '" + name + "';\n";
  check_interpreted(context, block, "JavaScript", {"node", "--input-type=module", "-"}, imports);
}

}  // namespace

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Verdict check_code(const std::string& name, const std::string& markdown, const Project& project) {
  Verdict verdict;
  std::vector<Block> blocks;
  try {
    blocks = code_blocks(markdown);
  } catch (const std::runtime_error& error) {
    verdict.offences.push_back(name + ": " + error.what());
    return verdict;
  }
  const WorkFolder work_folder(project);
  const Context context{name, project, work_folder, verdict};
  for (const Block& block : blocks) {
    if (!block.run) continue;
    if (block.language == "sh") {
      check_shell(context, block);
    } else if (block.language == "cpp") {
      check_cpp(context, block);
    } else if (block.language == "python") {
      check_python(context, block);
    } else if (block.language == "c") {
      check_c(context, block);
    } else if (block.language == "javascript") {
      check_javascript(context, block);
    } else if (!kShown.contains(block.language)) {
      context.offend(block.line,
                     "blocks of '" + block.language +
                         "' are not checked; those of sh, c, cpp, python and javascript are");
    }
  }
  return verdict;
}

Offences check_links(const std::string& name, const std::string& markdown, const fs::path& folder) {
  static const std::regex elsewhere("^[a-z]+:.*");
  Offences offences;
  for (const Link& link : links(markdown)) {
    const std::string path = link.target.substr(0, link.target.find('#'));
    if (path.empty() || std::regex_match(path, elsewhere)) continue;
    std::error_code ignored;
    if (path.starts_with('/') || !fs::exists(folder / path, ignored)) {
      offences.push_back(at(name, link.line) + "the link " + link.target + " leads nowhere");
    }
  }
  return offences;
}

}  // namespace knotwork::docs
