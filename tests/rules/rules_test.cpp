// SPDX-License-Identifier: MIT
// Tests the architecture's rules on the source text. Every rule is a function from one file to the
// sentences that say what is wrong with it. It runs over the project, and once over a planted
// offense, which shows that it can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "source_text.hpp"

namespace knotwork::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Offences = std::vector<std::string>;

constexpr std::size_t kMaxLines = 400;

// In the order of their dependencies.
enum class Library { core, insight, tools };

struct Stage {
  std::string folder;             // of src/
  std::set<std::string> headers;  // in include/knotwork/, without .hpp
  Library library = Library::core;
};

// Path prefixes of files that belong to Knotwork::tools though most of their stage belongs to
// Knotwork::insight.
const std::vector<std::string> kMoreOfTools = {"src/export/onnx/", "src/report/comparison_"};

// THE order: a stage may include itself and the stages above it. Add a new folder or public header
// here.
const std::vector<Stage>& stages() {
  static const std::vector<Stage> order = {
      {"base", {"api", "error", "matrix_view", "names", "random", "version"}},
      {"parallel", {"monitor", "ranks"}},
      {"kernels", {"instruction_set"}},
      {"files", {}},
      {"table", {"table", "row_source", "stored_table", "builtin_data"}},
      {"features", {"scaling", "columns", "encoding", "split", "task"}},
      {"spline", {"spline"}},
      {"activation", {"activation"}},
      {"network", {"network", "knots"}},
      {"scoring", {"metrics"}},
      {"optimizer", {"optimizer"}},
      {"objective", {"loss", "regularizer", "objective"}},
      {"model", {"model", "predict", "guarantees"}},
      {"options", {"options"}},
      {"training", {"training", "checkpoint", "trainer"}},
      {"model_file", {"model_file", "file_kind"}},
      {"analysis", {"inspection", "neurons", "points", "prediction_check"}, Library::insight},
      {"search", {"search", "comparison"}, Library::tools},
      {"figures", {"figures"}, Library::insight},
      {"export", {"export_model"}, Library::insight},
      {"report", {"model_report"}, Library::insight},
  };
  return order;
}

using StageIndex = std::optional<std::size_t>;

StageIndex stage_where(const auto& holds) {
  const auto it = std::find_if(stages().begin(), stages().end(), holds);
  if (it == stages().end()) return std::nullopt;
  return static_cast<std::size_t>(it - stages().begin());
}

StageIndex stage_of_folder(const std::string& folder) {
  return stage_where([&](const Stage& stage) { return stage.folder == folder; });
}

StageIndex stage_of_header(const std::string& file_name) {
  if (!file_name.ends_with(".hpp")) return std::nullopt;
  const std::string name = file_name.substr(0, file_name.size() - 4);
  return stage_where([&](const Stage& stage) { return stage.headers.contains(name); });
}

const std::string kUmbrella = "knotwork.hpp";
const std::string kPublic = "include/knotwork";

std::string first_folder(const std::string& path) {
  return path.substr(0, path.find('/'));
}

StageIndex stage_of_file(const SourceFile& file) {
  if (file.is_in(kPublic)) return stage_of_header(file.path.substr(kPublic.size() + 1));
  if (file.is_in("src")) return stage_of_folder(first_folder(file.path.substr(4)));
  return std::nullopt;
}

std::optional<Library> library_of(const SourceFile& file) {
  const StageIndex stage = stage_of_file(file);
  if (!stage) return std::nullopt;
  const bool is_more_of_tools =
      std::any_of(kMoreOfTools.begin(), kMoreOfTools.end(),
                  [&](const std::string& begin) { return file.path.starts_with(begin); });
  return is_more_of_tools ? Library::tools : stages()[*stage].library;
}

// --- The rules -----------------------------------------------------------------------------------

Offences include_order(const SourceFile& file) {
  if (!file.is_cpp() || !(file.is_in("src") || file.is_in("include"))) return {};
  if (file.path == kPublic + "/" + kUmbrella) return {};
  const StageIndex own = stage_of_file(file);
  if (!own) return {file.path + " belongs to no stage; give it a place in stages()"};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include.find("..") != std::string::npos) {
      offences.push_back(file.path + " includes " + include + "; name it from src/ instead");
      continue;
    }
    const bool is_public = include.starts_with("knotwork/");
    const StageIndex other =
        is_public ? stage_of_header(include.substr(9)) : stage_of_folder(first_folder(include));
    if (is_public && !other) {
      offences.push_back(file.path + " includes " + include + ", which belongs to no stage");
    } else if (other && include.find('/') != std::string::npos && *other > *own &&
               !file.is_test()) {  // a test may train to get something to check
      offences.push_back(file.path + " includes " + include + ", but " + stages()[*other].folder +
                         " comes after " + stages()[*own].folder);
    } else if (file.is_in("include") && other && !is_public) {
      offences.push_back(file.path + " is public but includes " + include + ", which is not");
    }
  }
  return offences;
}

// A library that includes from a later one could not be linked without it. Tests link all
// libraries.
Offences library_order(const SourceFile& file) {
  const std::optional<Library> own = library_of(file);
  if (!file.is_cpp() || file.is_test() || !own) return {};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include.find('/') == std::string::npos) continue;
    const std::string folder = include.starts_with("knotwork/") ? "include/" : "src/";
    const std::optional<Library> other = library_of({folder + include, ""});
    if (!other || *other <= *own) continue;
    offences.push_back(file.path + " includes " + include +
                       " of a library that comes after its own");
  }
  return offences;
}

// Already implied by the order; stated separately because optimizers must stay usable for functions
// other than networks, even if the order changes.
Offences optimizer_knows_no_network(const SourceFile& file) {
  if (!file.is_in("src/optimizer") && file.path != kPublic + "/optimizer.hpp") return {};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include.starts_with("network/") || include == "knotwork/network.hpp") {
      offences.push_back(file.path + " includes " + include);
    }
  }
  return offences;
}

// The processor's SHA-256 instructions are not a kernel: the base needs them, which comes before
// kernels.
Offences vector_instructions_in_kernels(const SourceFile& file) {
  if (!file.is_cpp() || file.is_in("src/kernels")) return {};
  if (file.path == "src/base/sha256_blocks.cpp") return {};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include.ends_with("intrin.h") || include == "arm_neon.h" || include == "arm_sve.h" ||
        include.starts_with("hwy/")) {
      offences.push_back(file.path + " includes " + include + "; only src/kernels may");
    }
  }
  return offences;
}

// Code that must also run without threads uses parallel/threads.hpp and the pool.
Offences threads_in_two_files(const SourceFile& file) {
  static const std::set<std::string> headers = {
      "barrier",   "condition_variable", "future",     "latch", "mutex",
      "semaphore", "shared_mutex",       "stop_token", "thread"};
  const std::optional<Library> own = library_of(file);
  if (!file.is_cpp() || !own || *own == Library::tools || file.is_test() ||
      file.name().starts_with("test_") || file.path == "src/parallel/threads.hpp" ||
      file.path == "src/parallel/thread_pool.cpp") {
    return {};
  }
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (!headers.contains(include)) continue;
    offences.push_back(file.path + " includes " + include +
                       "; parallel/threads.hpp has what it needs");
  }
  return offences;
}

// The transport of messages is chosen when the program is linked; nothing else needs MPI.
Offences mpi_in_one_file(const SourceFile& file) {
  if (!file.is_cpp() || file.path == "cli/program/mpi_ranks.cpp") return {};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include == "mpi.h") {
      offences.push_back(file.path + " includes " + include +
                         "; only cli/program/mpi_ranks.cpp may");
    }
  }
  return offences;
}

Offences license_line(const SourceFile& file) {
  const std::vector<std::string> lines = lines_of(file.text);
  const bool is_script = !lines.empty() && lines[0].starts_with("#!");
  const bool is_build_file = file.name() == "CMakeLists.txt" || file.path.ends_with(".cmake");
  if (!file.is_cpp() && !is_script && !is_build_file && !file.path.ends_with(".py")) return {};
  const std::string wanted =
      std::string(file.is_cpp() ? "//" : "#") + " SPDX-License-Identifier: MIT";
  const std::size_t where = is_script ? 1 : 0;
  if (lines.size() > where && lines[where] == wanted) return {};
  return {file.path + " does not begin with the line '" + wanted + "'"};
}

Offences length(const SourceFile& file) {
  const bool counts =
      file.is_in("src") || file.is_in("include") || file.is_in("cli") || file.is_in("examples");
  const std::size_t count = lines_of(file.text).size();
  if (!file.is_cpp() || !counts || count <= kMaxLines) return {};
  return {file.path + " has " + std::to_string(count) + " lines; more than " +
          std::to_string(kMaxLines) + " ask for a second file"};
}

// `what` for every line of `text` for which `offends` is true.
Offences by_line(const SourceFile& file, const std::string& text, const std::string& what,
                 const auto& offends) {
  Offences offences;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!offends(lines[i])) continue;
    offences.push_back(file.path + ":" + std::to_string(i + 1) + " " + what + ": " + lines[i]);
  }
  return offences;
}

// Written in two parts, or this file would break its own rule.
const std::vector<std::string> kNotes = {std::string("TO") + "DO", std::string("FIX") + "ME"};

Offences nothing_left_to_do(const SourceFile& file) {
  if (!file.is_cpp()) return {};
  return by_line(file, file.text, "leaves something to do", [](const std::string& line) {
    return std::any_of(kNotes.begin(), kNotes.end(), [&](const std::string& note) {
      return find_word(line, note) != std::string::npos;
    });
  });
}

Offences silent_library(const SourceFile& file) {
  static const std::vector<std::string> names = {"cout",     "cerr",      "clog",   "wcout",
                                                 "wcerr",    "wclog",     "stdout", "stderr",
                                                 "iostream", "fmt::print"};
  static const std::vector<std::string> calls = {
      "printf", "fprintf", "vprintf", "vfprintf", "puts",       "fputs", "putchar",
      "perror", "exit",    "_exit",   "_Exit",    "quick_exit", "abort", "terminate"};
  if (!file.is_cpp() || file.is_test() || !(file.is_in("src") || file.is_in("include"))) return {};
  return by_line(
      file, code_only(file.text), "prints or ends the program", [](const std::string& line) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) {
                             return find_word(line, name) != std::string::npos;
                           }) ||
               std::any_of(calls.begin(), calls.end(),
                           [&](const std::string& name) { return has_call(line, name); });
      });
}

// The rows of the option table, wherever it is: each begins with its group and its name.
const std::string kOptionTable = "// THE list of training options by name.";

std::set<std::string> option_names(const std::vector<SourceFile>& files) {
  std::set<std::string> names;
  for (const SourceFile& file : files) {
    if (!file.is_in("src") || file.text.find(kOptionTable) == std::string::npos) continue;
    for (const Literal& literal : string_literals(file.text)) {
      for (const std::string group : {"network", "objective", "optimizer", "stopping", "run"}) {
        const std::string& before = literal.before;
        const std::size_t at = before.size() - std::min(before.size(), group.size() + 1);
        const bool is_row = before.substr(at) == group + "(" &&
                            (at == 0 || !std::isalnum(static_cast<unsigned char>(before[at - 1])));
        if (is_row) names.insert(literal.text);
      }
    }
  }
  return names;
}

// Names of options that also have another meaning.
struct OtherMeaning {
  std::string path, name, why;
};
const std::vector<OtherMeaning> kOtherMeanings = {
    {"src/activation/apl.cpp", "init-noise", "a setting of the activation, as model files have it"},
    {"src/activation/spline_activation.cpp", "init-noise", "the same setting"},
};

// Whether a literal is part of a list in braces whose literals are all names of options.
std::vector<bool> in_lists_of_names(const std::vector<Literal>& literals,
                                    const std::set<std::string>& names) {
  std::vector<bool> in_list(literals.size(), false);
  for (std::size_t first = 0; first < literals.size();) {
    std::size_t last = first + 1;
    std::string before = "\"\",";
    while (last < literals.size() && literals[first].before.empty() &&
           literals[last].before == before) {
      before += "\"\",";
      ++last;
    }
    const auto begin = literals.begin() + std::ptrdiff_t(first);
    const bool all = std::all_of(begin, literals.begin() + std::ptrdiff_t(last),
                                 [&](const Literal& one) { return names.contains(one.text); });
    if (all && last - first > 1) {
      std::fill(in_list.begin() + std::ptrdiff_t(first), in_list.begin() + std::ptrdiff_t(last),
                true);
    }
    first = last;
  }
  return in_list;
}

// Code that needs some of the options uses an attribute of these options, and code that needs a
// certain option names its member, which the compiler checks. A name of one word may be an ordinary
// word; it counts if it is passed to a search for options, compared with an option's name, or in a
// list of names.
Offences option_names_in_their_table(const SourceFile& file, const std::set<std::string>& names) {
  static const std::vector<std::string> searches = {"option_field(",  "set_option(",
                                                    "record_option(", "index_of_option(",
                                                    "known_values(",  "add_training_option("};
  static const std::vector<std::string> compared = {
      "field.name==", "field.name!=", "option==", "option!=", "option.first==", "option.first!="};
  const bool counts = file.is_cpp() && (file.is_in("src") || file.is_in("cli"));
  if (!counts || file.is_test() || file.name().starts_with("test_") ||
      file.text.find(kOptionTable) != std::string::npos) {
    return {};
  }
  Offences offences;
  const std::vector<Literal> literals = string_literals(file.text);
  const std::vector<bool> listed = in_lists_of_names(literals, names);
  for (std::size_t k = 0; k < literals.size(); ++k) {
    const Literal& literal = literals[k];
    if (!names.contains(literal.text)) continue;
    const std::string& before = literal.before;
    const bool searched =
        std::any_of(searches.begin(), searches.end(), [&](const std::string& search) {
          const std::size_t at = before.rfind(search);
          return at != std::string::npos &&
                 before.find_first_of("()", at + search.size()) == std::string::npos;
        });
    const bool matched =
        std::any_of(compared.begin(), compared.end(),
                    [&](const std::string& text) { return before.ends_with(text); });
    const bool is_ordinary =
        literal.text.find('-') == std::string::npos && !searched && !matched && !listed[k];
    const bool means_other =
        std::any_of(kOtherMeanings.begin(), kOtherMeanings.end(), [&](const OtherMeaning& other) {
          return other.path == file.path && other.name == literal.text;
        });
    if (is_ordinary || means_other) continue;
    offences.push_back(file.path + ":" + std::to_string(literal.line) + " names the option '" +
                       literal.text + "'; use option_field(&TrainOptions::...) or an attribute");
  }
  return offences;
}

Offences no_path_of_one_machine(const SourceFile& file) {
  Offences offences;
  for (const std::string folder : {"home", "root", "work", "Users"}) {
    const std::string path = "/" + folder + "/";
    for (auto at = file.text.find(path); at != std::string::npos;
         at = file.text.find(path, at + 1)) {
      const char previous = at == 0 ? ' ' : file.text[at - 1];
      // Otherwise the match is in the middle of a longer path or address.
      const bool is_start = !std::isalnum(static_cast<unsigned char>(previous)) &&
                            std::string("_./~$}-").find(previous) == std::string::npos;
      if (is_start) offences.push_back(file.path + " names a folder of one machine below " + path);
    }
  }
  return offences;
}

// Tests find their data through KNOTWORK_DATA_DIR; only continuous integration sets it
// automatically.
const std::string kBeside = std::string("../") + "shared";

Offences nothing_beside_the_project(const SourceFile& file) {
  if (file.path == ".ci/run" || file.text.find(kBeside) == std::string::npos) return {};
  return {file.path + " reaches outside the project: " + kBeside};
}

// Programs that link more than Knotwork::knotwork include the other headers themselves; macros need
// no entry.
Offences umbrella_is_complete(const std::vector<SourceFile>& files) {
  std::set<std::string> wanted = {"knotwork/version.hpp"};  // generated
  std::set<std::string> included;
  Offences offences;
  for (const SourceFile& file : files) {
    if (file.path == kPublic + "/" + kUmbrella) {
      for (const std::string& include : includes_of(file.text)) included.insert(include);
      const Offences more =
          by_line(file, code_only(file.text), "is more than includes", [](const std::string& line) {
            return !line.empty() && line != "#pragma once" &&
                   !line.starts_with("#include <knotwork/");
          });
      offences.insert(offences.end(), more.begin(), more.end());
    } else if (file.is_in(kPublic) && file.name() != "api.hpp" &&
               library_of(file) == Library::core) {
      wanted.insert("knotwork/" + file.name());
    }
  }
  for (const std::string& header : wanted) {
    if (!included.contains(header)) offences.push_back(kUmbrella + " does not include " + header);
  }
  for (const std::string& header : included) {
    if (!wanted.contains(header)) offences.push_back(kUmbrella + " includes " + header);
  }
  return offences;
}

// A unit is a header with its source; tests are not counted.
bool is_unit(const SourceFile& file) {
  return file.is_cpp() && (file.is_in("src") || file.is_in("cli")) && !file.is_test() &&
         !file.name().starts_with("test_");
}
std::string folder_of(const SourceFile& file) {
  return std::filesystem::path(file.path).parent_path().string();
}
std::string base_name(const SourceFile& file) {
  return std::filesystem::path(file.path).stem().string();
}

constexpr std::size_t kMostUnits = 12;
// Folders that may have more units, with the reason.
const std::map<std::string, std::size_t>& crowded_folders() {
  static const std::map<std::string, std::size_t> folders = {
      {"src/activation", 13},  // a file for each learned activation
      {"src/kernels", 19},     // each kernel is a header, a scalar and a vector file
      {"src/table/csv", 14},   // one format, read in one pass
  };
  return folders;
}

Offences rooms_are_small(const std::vector<SourceFile>& files) {
  std::map<std::string, std::set<std::string>> units;
  for (const SourceFile& file : files) {
    if (is_unit(file)) units[folder_of(file)].insert(base_name(file));
  }
  Offences offences;
  for (const auto& [folder, names] : units) {
    const auto crowded = crowded_folders().find(folder);
    const std::size_t most = crowded == crowded_folders().end() ? kMostUnits : crowded->second;
    if (names.size() <= most) continue;
    offences.push_back(folder + " has " + std::to_string(names.size()) + " units, more than " +
                       std::to_string(most) + "; give it rooms");
  }
  return offences;
}

Offences base_names_are_unique(const std::vector<SourceFile>& files) {
  // The kernel of a spline is named like the spline.
  static const std::set<std::string> shared = {"spline"};
  std::map<std::string, std::set<std::string>> folders;
  for (const SourceFile& file : files) {
    if (file.is_cpp() && (file.is_in("src") || file.is_in("cli"))) {
      folders[base_name(file)].insert(folder_of(file));
    }
  }
  Offences offences;
  for (const auto& [name, places] : folders) {
    if (places.size() < 2 || shared.contains(name)) continue;
    std::string sentence = name + " names files in";
    for (const std::string& place : places) sentence += " " + place;
    offences.push_back(sentence + "; a base name stands for one unit");
  }
  return offences;
}

// --- Over the project ----------------------------------------------------------------------------

const std::vector<SourceFile>& project() {
  static const std::vector<SourceFile> files = read_project(KNOTWORK_SOURCE_DIR);
  return files;
}

Offences over_project(Offences (*rule)(const SourceFile&)) {
  Offences all;
  for (const SourceFile& file : project()) {
    const Offences some = rule(file);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(Rules, ProjectIsFound) {
  const auto in = [](const std::string& folder) {
    return std::count_if(project().begin(), project().end(),
                         [&](const SourceFile& file) { return file.is_in(folder); });
  };
  EXPECT_GT(in("src"), 10);
  EXPECT_GT(in("src/table"), 0);
  EXPECT_GT(in(kPublic), 5);
  EXPECT_GT(in("scripts"), 2);
}

TEST(Rules, IncludesFollowTheOrderOfStages) {
  EXPECT_THAT(over_project(include_order), IsEmpty());
  EXPECT_THAT(include_order({"src/spline/a.cpp", "#include \"network/layer.hpp\"\n"}), SizeIs(1));
  EXPECT_THAT(include_order({"src/spline/a.cpp", "#include <knotwork/network.hpp>\n"}), SizeIs(1));
  EXPECT_THAT(include_order({"src/spline/a.cpp", "#include \"../network/layer.hpp\"\n"}),
              SizeIs(1));
  EXPECT_THAT(include_order({"src/spline/a.cpp", "#include <knotwork/knotwork.hpp>\n"}), SizeIs(1));
  EXPECT_THAT(include_order({"src/unheard_of/a.cpp", ""}), SizeIs(1));
  EXPECT_THAT(include_order({"include/knotwork/unheard_of.hpp", ""}), SizeIs(1));
  EXPECT_THAT(include_order({"include/knotwork/spline.hpp", "#include \"base/a.hpp\"\n"}),
              SizeIs(1));
  EXPECT_THAT(include_order({"src/spline/a_test.cpp", "#include <knotwork/network.hpp>\n"}),
              IsEmpty());
  EXPECT_THAT(include_order({"src/network/a.cpp",
                             "#include <vector>\n#include \"base/a.hpp\"\n"
                             "#include <knotwork/spline.hpp>\n"}),
              IsEmpty());
}

TEST(Rules, LibrariesIncludeFromThoseBeforeThem) {
  EXPECT_THAT(over_project(library_order), IsEmpty());
  EXPECT_THAT(library_order({"src/analysis/a.cpp", "#include <knotwork/search.hpp>\n"}), SizeIs(1));
  EXPECT_THAT(library_order({"src/figures/a.cpp", "#include \"search/numbers.hpp\"\n"}), SizeIs(1));
  EXPECT_THAT(library_order({"src/export/c/a.cpp", "#include \"export/onnx/graph.hpp\"\n"}),
              SizeIs(1));
  EXPECT_THAT(library_order({"src/report/html.cpp", "#include <knotwork/comparison.hpp>\n"}),
              SizeIs(1));
  EXPECT_THAT(library_order({"src/report/comparison_page.cpp",
                             "#include <knotwork/comparison.hpp>\n#include \"report/html.hpp\"\n"}),
              IsEmpty());
}

TEST(Rules, UmbrellaHeaderIncludesThePublicHeadersAndNothingElse) {
  EXPECT_THAT(umbrella_is_complete(project()), IsEmpty());
  const std::string version = "#include <knotwork/version.hpp>\n";
  const SourceFile model{"include/knotwork/model.hpp", ""};
  const SourceFile search{"include/knotwork/search.hpp", ""};  // part of Knotwork::tools
  const auto umbrella = [&](const std::string& text) {
    return SourceFile{"include/knotwork/knotwork.hpp", "#pragma once\n" + version + text};
  };
  const std::string include = "#include <knotwork/model.hpp>\n";
  EXPECT_THAT(umbrella_is_complete({model, search, umbrella(include)}), IsEmpty());
  EXPECT_THAT(umbrella_is_complete({model, umbrella("")}), SizeIs(1));
  EXPECT_THAT(umbrella_is_complete({model, umbrella(include + "int x;\n")}), SizeIs(1));
  EXPECT_THAT(
      umbrella_is_complete({model, search, umbrella(include + "#include <knotwork/search.hpp>\n")}),
      SizeIs(1));
}

TEST(Rules, FoldersHaveFewUnits) {
  EXPECT_THAT(rooms_are_small(project()), IsEmpty());
  std::vector<SourceFile> crowd;
  for (std::size_t k = 0; k <= kMostUnits; ++k) {
    const std::string name = "src/base/unit" + std::to_string(k);
    crowd.push_back({name + ".hpp", ""});
    crowd.push_back({name + ".cpp", ""});
    crowd.push_back({name + "_test.cpp", ""});
  }
  EXPECT_THAT(rooms_are_small(crowd), SizeIs(1));
  crowd.erase(crowd.begin(), crowd.begin() + 3);
  EXPECT_THAT(rooms_are_small(crowd), IsEmpty());
}

TEST(Rules, BaseNamesAreUnique) {
  EXPECT_THAT(base_names_are_unique(project()), IsEmpty());
  EXPECT_THAT(base_names_are_unique({{"src/base/a.hpp", ""}, {"cli/tables/a.cpp", ""}}), SizeIs(1));
  EXPECT_THAT(base_names_are_unique({{"src/base/a.hpp", ""}, {"src/base/a.cpp", ""}}), IsEmpty());
}

TEST(Rules, OptimizersKnowNoNetworks) {
  EXPECT_THAT(over_project(optimizer_knows_no_network), IsEmpty());
  EXPECT_THAT(
      optimizer_knows_no_network({"src/optimizer/a.cpp", "#include <knotwork/network.hpp>"}),
      SizeIs(1));
}

TEST(Rules, VectorInstructionsStayInKernels) {
  EXPECT_THAT(over_project(vector_instructions_in_kernels), IsEmpty());
  EXPECT_THAT(vector_instructions_in_kernels({"src/spline/a.cpp",
                                              "#include <immintrin.h>\n"
                                              "#include <hwy/highway.h>\n"}),
              SizeIs(2));
  EXPECT_THAT(vector_instructions_in_kernels({"src/kernels/a.cpp", "#include <arm_neon.h>\n"}),
              IsEmpty());
}

TEST(Rules, TwoFilesKnowThreads) {
  EXPECT_THAT(over_project(threads_in_two_files), IsEmpty());
  EXPECT_THAT(threads_in_two_files({"src/training/a.cpp", "#include <mutex>\n#include <thread>\n"}),
              SizeIs(2));
  EXPECT_THAT(threads_in_two_files({"include/knotwork/model.hpp", "#include <stop_token>\n"}),
              SizeIs(1));
  EXPECT_THAT(threads_in_two_files({"src/search/a.cpp", "#include <thread>\n"}), IsEmpty());
}

TEST(Rules, OneFileKnowsMpi) {
  EXPECT_THAT(over_project(mpi_in_one_file), IsEmpty());
  EXPECT_THAT(mpi_in_one_file({"src/parallel/ranks.cpp", "#include <mpi.h>\n"}), SizeIs(1));
  EXPECT_THAT(mpi_in_one_file({"cli/program/mpi_ranks.cpp", "#include <mpi.h>\n"}), IsEmpty());
}

TEST(Rules, SourceFilesBeginWithTheirLicense) {
  EXPECT_THAT(over_project(license_line), IsEmpty());
  EXPECT_THAT(license_line({"src/base/a.cpp", "#include <vector>\n"}), SizeIs(1));
  EXPECT_THAT(license_line({"scripts/a", "#!/bin/sh\ntrue\n"}), SizeIs(1));
}

TEST(Rules, FilesAreShort) {
  EXPECT_THAT(over_project(length), IsEmpty());
  EXPECT_THAT(length({"src/base/a.cpp", std::string(kMaxLines + 1, '\n')}), SizeIs(1));
}

TEST(Rules, NothingIsLeftToDo) {
  EXPECT_THAT(over_project(nothing_left_to_do), IsEmpty());
  EXPECT_THAT(nothing_left_to_do({"src/base/a.cpp", "\n// " + kNotes[0] + ": more\n"}), SizeIs(1));
}

TEST(Rules, LibraryNeitherPrintsNorEndsTheProgram) {
  EXPECT_THAT(over_project(silent_library), IsEmpty());
  for (const char* call : {"std::cout << 1;", "printf(\"x\");", "std::exit (1);", "abort();",
                           "std::terminate();", "fmt::print(x);", "fwrite(x, 1, 1, stdout);"}) {
    EXPECT_THAT(silent_library({"src/report/a.cpp", call}), SizeIs(1)) << call;
  }
  EXPECT_THAT(silent_library({"src/export/a.cpp",
                              "snprintf(b, n, f); // exit(1)\n"
                              "auto c = \"printf(\\\"%g\\\")\" + 1'000;\n"
                              "auto d = R\"x(abort();)x\"; on_exit(d);\n"}),
              IsEmpty());
}

TEST(Rules, OptionsAreNamedInTheirTableOnly) {
  const std::set<std::string> names = option_names(project());
  EXPECT_GT(names.size(), 50u);
  EXPECT_THAT(names, ::testing::IsSupersetOf(
                         {"hidden", "lambda-w", "optimizer", "patience", "threads", "init-noise"}));
  for (const SourceFile& file : project()) {
    EXPECT_THAT(option_names_in_their_table(file, names), IsEmpty());
  }
  for (const char* code : {"f({\"a\", \"lambda-w\"});", "option_field(\"threads\").name;",
                           "set_option(o,\n  \"seed\", x);", "if (field.name == \"threads\") f();",
                           "if (a || option != \"seed\") f();", "open(\"time-limit\");"}) {
    EXPECT_THAT(option_names_in_their_table({"cli/a.cpp", code}, names), SizeIs(1)) << code;
    EXPECT_THAT(option_names_in_their_table({"cli/a_test.cpp", code}, names), IsEmpty());
  }
  EXPECT_THAT(option_names_in_their_table({"cli/a.cpp", "names = {\"threads\", \"seed\"};"}, names),
              SizeIs(2));
  for (const char* code :
       {"json[\"seed\"] = 1;", "f({\"seed\", 1}); g({\"seed\", \"of rows\"});", "// \"lambda-w\"",
        "fail(\"lambda-w is {}\", 1);", "set_option(name(o), f(\"seed\"));"}) {
    EXPECT_THAT(option_names_in_their_table({"cli/a.cpp", code}, names), IsEmpty()) << code;
  }
  // Every exception is still needed.
  for (const OtherMeaning& other : kOtherMeanings) {
    const auto file = std::find_if(project().begin(), project().end(),
                                   [&](const SourceFile& one) { return one.path == other.path; });
    ASSERT_NE(file, project().end()) << other.path;
    SourceFile elsewhere = *file;
    elsewhere.path = "src/elsewhere.cpp";
    EXPECT_FALSE(option_names_in_their_table(elsewhere, names).empty()) << other.path;
  }
}

TEST(Rules, NoFileNamesAFolderOfOneMachine) {
  EXPECT_THAT(over_project(no_path_of_one_machine), IsEmpty());
  const std::string path = std::string("/") + "home/me/notes";
  EXPECT_THAT(no_path_of_one_machine({"docs/a.md", "See " + path}), SizeIs(1));
  EXPECT_THAT(no_path_of_one_machine({"docs/a.md", "See example.org" + path}), IsEmpty());
}

TEST(Rules, NoFileReachesOutsideTheProject) {
  EXPECT_THAT(over_project(nothing_beside_the_project), IsEmpty());
  EXPECT_THAT(nothing_beside_the_project({"tests/a.cpp", kBeside + "/data"}), SizeIs(1));
}

TEST(SourceText, CodeOnlyKeepsLinesAndDropsWhatIsNotCode) {
  EXPECT_EQ(code_only("a; // b\n/* c\n */ d(\"e\\\"f\", 'g', 1'0);\n"),
            "a; \n\n d(\"\", '', 1'0);\n");
}

TEST(SourceText, StringLiteralsAreFoundWithWhatIsBeforeThem) {
  const std::vector<Literal> found =
      string_literals("a;\nf( /* \"no\" */ \"b\",\n  \"c\"); // \"no\"\n");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_EQ(found[0].text, "b");
  EXPECT_EQ(found[0].before, "f(");
  EXPECT_EQ(found[1].line, 3u);
  EXPECT_EQ(found[1].before, "f(\"\",");
}

TEST(SourceText, IncludesAreFound) {
  EXPECT_THAT(includes_of("#include <a/b.hpp>\n  # include \"c.hpp\"\n// #include <d>\n"),
              ElementsAre("a/b.hpp", "c.hpp"));
}

}  // namespace
}  // namespace knotwork::rules
