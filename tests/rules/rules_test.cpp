// SPDX-License-Identifier: MIT
// The architecture's rules, checked on the source text. Every rule is a function from one file to
// the sentences that say what is wrong with it; it is run over the project, and once over a planted
// offence so that it is known to be able to fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
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

struct Stage {
  std::string folder;             // of src/
  std::set<std::string> headers;  // of include/knotwork/, without .hpp
};

// This stage and those after it are the library Knotwork::tools.
const std::string kFirstOfTools = "search";

// THE order: a stage may include itself and the stages above it. A new folder or public header
// takes its place here.
const std::vector<Stage>& stages() {
  static const std::vector<Stage> order = {
      {"base",
       {"error", "export", "matrix_view", "named_table", "random", "ranks", "function",
        "version"}},
      {"kernels", {"instruction_set"}},
      {"files", {}},
      {"data", {"table", "table_file", "scaling", "encoding", "split", "builtin_data"}},
      {"spline", {"spline"}},
      {"activation", {"activation"}},
      {"network", {"network", "knots", "lipschitz"}},
      {"objective", {"loss", "regulariser", "metrics", "objective", "gradient_check"}},
      {"optimizer", {"optimizer"}},
      {"training",
       {"model", "options", "training", "table_training", "cross_validation", "automatic",
        "monotone", "predictor", "checkpoint"}},
      {"model_file", {"model_file", "checkpoint_file"}},
      {kFirstOfTools, {"search", "significance", "comparison"}},
      {"figures", {"character_plot", "figures"}},
      {"analysis",
       {"closest_function", "importance", "knot_use",
        "moved_activations", "neuron_inputs", "partial_dependence", "planted_truth",
        "prediction_check"}},
      {"export", {"c_export", "onnx_export"}},
      {"report", {"comparison_page", "model_report"}},
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

// --- The rules
// ------------------------------------------------------------------------------------

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
    } else if (other && include.find('/') != std::string::npos && *other > *own) {
      offences.push_back(file.path + " includes " + include + ", but " + stages()[*other].folder +
                         " comes after " + stages()[*own].folder);
    } else if (file.is_in("include") && other && !is_public) {
      offences.push_back(file.path + " is public but includes " + include + ", which is not");
    }
  }
  return offences;
}

// Already a matter of the order; stated for itself because optimizers must stay usable for
// functions that are no networks, whatever becomes of the order.
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

Offences vector_instructions_in_kernels(const SourceFile& file) {
  if (!file.is_cpp() || file.is_in("src/kernels")) return {};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include.ends_with("intrin.h") || include == "arm_neon.h" || include == "arm_sve.h" ||
        include.starts_with("hwy/")) {
      offences.push_back(file.path + " includes " + include + "; only src/kernels may");
    }
  }
  return offences;
}

// The program chooses what carries messages when it is linked; nothing else needs MPI.
Offences mpi_in_one_file(const SourceFile& file) {
  if (!file.is_cpp() || file.path == "cli/mpi_ranks.cpp") return {};
  Offences offences;
  for (const std::string& include : includes_of(file.text)) {
    if (include == "mpi.h") {
      offences.push_back(file.path + " includes " + include + "; only cli/mpi_ranks.cpp may");
    }
  }
  return offences;
}

Offences licence_line(const SourceFile& file) {
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

// `what` for every line of `text` that `offends`.
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

// In two pieces, or this file would break its own rule.
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

Offences no_path_of_one_machine(const SourceFile& file) {
  Offences offences;
  for (const std::string folder : {"home", "root", "work", "Users"}) {
    const std::string path = "/" + folder + "/";
    for (auto at = file.text.find(path); at != std::string::npos;
         at = file.text.find(path, at + 1)) {
      const char previous = at == 0 ? ' ' : file.text[at - 1];
      // Otherwise it is the middle of some longer path or address.
      const bool is_start = !std::isalnum(static_cast<unsigned char>(previous)) &&
                            std::string("_./~$}-").find(previous) == std::string::npos;
      if (is_start) offences.push_back(file.path + " names a folder of one machine below " + path);
    }
  }
  return offences;
}

// Tests find their data through KNOTWORK_DATA_DIR, which only continuous integration sets by
// itself.
const std::string kBeside = std::string("../") + "shared";

Offences nothing_beside_the_project(const SourceFile& file) {
  if (file.path == ".ci/run" || file.text.find(kBeside) == std::string::npos) return {};
  return {file.path + " reaches outside the project: " + kBeside};
}

// --- Over the project
// -----------------------------------------------------------------------------

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
  EXPECT_GT(in("src/data"), 0);
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
  EXPECT_THAT(include_order({"src/network/a.cpp",
                             "#include <vector>\n#include \"base/a.hpp\"\n"
                             "#include <knotwork/spline.hpp>\n"}),
              IsEmpty());
}

TEST(Rules, UmbrellaHeaderIncludesThePublicHeadersAndNothingElse) {
  std::vector<std::string> wanted = {"knotwork/version.hpp"};  // generated
  std::vector<std::string> included;
  for (const SourceFile& file : project()) {
    if (file.path == kPublic + "/" + kUmbrella) {
      included = includes_of(file.text);
      for (const std::string& line : lines_of(code_only(file.text))) {
        EXPECT_TRUE(line.empty() || line == "#pragma once" ||
                    line.starts_with("#include <knotwork/"))
            << line;
      }
    } else if (file.is_in(kPublic) && file.name() != "export.hpp" &&
               stage_of_file(file) < stage_of_folder(kFirstOfTools)) {
      // Programs that link Knotwork::tools name its headers; a macro needs no place of its own.
      wanted.push_back("knotwork/" + file.name());
    }
  }
  EXPECT_THAT(included, ::testing::IsSupersetOf(wanted));
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

TEST(Rules, OneFileKnowsMpi) {
  EXPECT_THAT(over_project(mpi_in_one_file), IsEmpty());
  EXPECT_THAT(mpi_in_one_file({"src/base/ranks.cpp", "#include <mpi.h>\n"}), SizeIs(1));
  EXPECT_THAT(mpi_in_one_file({"cli/mpi_ranks.cpp", "#include <mpi.h>\n"}), IsEmpty());
}

TEST(Rules, SourceFilesBeginWithTheirLicence) {
  EXPECT_THAT(over_project(licence_line), IsEmpty());
  EXPECT_THAT(licence_line({"src/base/a.cpp", "#include <vector>\n"}), SizeIs(1));
  EXPECT_THAT(licence_line({"scripts/a", "#!/bin/sh\ntrue\n"}), SizeIs(1));
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

TEST(SourceText, IncludesAreFound) {
  EXPECT_THAT(includes_of("#include <a/b.hpp>\n  # include \"c.hpp\"\n// #include <d>\n"),
              ElementsAre("a/b.hpp", "c.hpp"));
}

}  // namespace
}  // namespace knotwork::rules
