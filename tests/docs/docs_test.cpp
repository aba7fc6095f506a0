// SPDX-License-Identifier: MIT
// Runs the code of the documents. The checks run over the project, and over planted mistakes, which
// shows that they can fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "checks.hpp"
#include "run_program.hpp"

#include <knotwork/activation.hpp>
#include <knotwork/loss.hpp>

namespace knotwork::docs {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Project& project() {
  static const Project here{KNOTWORK_SOURCE_DIR, KNOTWORK_PROGRAM};
  return here;
}

std::string fenced(const std::string& language, const std::string& code) {
  return "Some text.\n\n```" + language + "\n" + code + "```\n\nMore text.\n";
}

Offences offences(const std::string& markdown, const Project& where = project()) {
  return check_code("sample.md", markdown, where).offences;
}

// --- Over the project

TEST(Docs, CodeInDocumentsIsTrue) {
  std::vector<fs::path> documents = {project().root / "README.md"};
  for (const auto& entry : fs::directory_iterator(project().root / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  std::sort(documents.begin(), documents.end());
  for (const fs::path& path : documents) {
    ASSERT_TRUE(fs::exists(path)) << path;
    const std::string name = path.lexically_relative(project().root).string();
    const Verdict verdict = check_code(name, read_text(path), project());
    EXPECT_THAT(verdict.offences, IsEmpty());
    for (const std::string& remark : verdict.remarks) std::printf("%s\n", remark.c_str());
  }
}

TEST(Docs, LinksInDocumentsLeadSomewhere) {
  int documents = 0;
  for (auto it = fs::recursive_directory_iterator(project().root);
       it != fs::recursive_directory_iterator(); ++it) {
    const std::string file = it->path().filename().string();
    const bool ours =
        file != "node_modules" && (it.depth() > 0 || (file != "build" && file != ".git"));
    if (!ours) it.disable_recursion_pending();
    if (it->path().extension() != ".md") continue;
    ++documents;
    const std::string name = it->path().lexically_relative(project().root).string();
    EXPECT_THAT(check_links(name, read_text(it->path()), it->path().parent_path()), IsEmpty());
  }
  EXPECT_GT(documents, 3);
}

TEST(Docs, EveryActivationAndEveryBasisIsDescribed) {
  const std::string activations = read_text(project().root / "docs/activations.md");
  for (const std::string& name : builtin_activations().names()) {
    EXPECT_THAT(activations, HasSubstr("`" + name + "`"));
  }
  const std::string splines = read_text(project().root / "docs/splines.md");
  for (const std::string& name : spline_bases().names()) {
    EXPECT_THAT(splines, HasSubstr("`" + name + "`"));
  }
}

TEST(Docs, EveryLossIsDescribed) {
  const std::string page = read_text(project().root / "docs/objective.md"),
                    header = read_text(project().root / "include/knotwork/loss.hpp");
  for (const std::string& name : builtin_losses().names()) {
    EXPECT_THAT(page, HasSubstr("`" + name + "`"));
    EXPECT_THAT(header, HasSubstr("\n//   " + name + " "));
  }
}

// --- Over planted mistakes

TEST(DocsChecks, AGoodDocumentPasses) {
  EXPECT_THAT(offences(fenced("sh",
                              "# a comment\n"
                              "knotwork train table.csv --target price --iterations 2 \\\n"
                              "  --out price.safetensors\n"
                              "\n"
                              "knotwork predict price.safetensors new.csv | head -n 1 > first.txt\n"
                              "grep -x prediction first.txt\n"
                              "scripts/test --help\n") +
                       fenced("text", "anything at all") + fenced("", "anything")),
              IsEmpty());
}

TEST(DocsChecks, AFailingCommandIsFoundWithItsLineAndMessage) {
  const Offences found = offences(fenced("sh", "true\nknotwork trian table.csv\nfalse | cat\n"));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0], HasSubstr("sample.md, line 5: `knotwork trian table.csv` ends with 2"));
  EXPECT_THAT(found[0], HasSubstr("did you mean 'train'?"));
  EXPECT_THAT(found[1], HasSubstr("sample.md, line 6:"));
}

TEST(DocsChecks, BlocksShareAFolderAndDocumentsDoNot) {
  EXPECT_THAT(offences(fenced("sh", "touch a\n") + fenced("sh", "cat a\n")), IsEmpty());
  EXPECT_THAT(offences(fenced("sh", "cat a\n")), SizeIs(1));
}

TEST(DocsChecks, OnlyAReasonKeepsABlockFromBeingRun) {
  const std::string block = "```sh\nfalse\n```\n";
  EXPECT_THAT(offences("<!-- not run: needs a cluster -->\n" + block), IsEmpty());
  EXPECT_THAT(offences("<!-- not run: needs a cluster -->\n\n" + block), IsEmpty());
  EXPECT_THAT(offences("<!-- not run: -->\n" + block), SizeIs(1));
  EXPECT_THAT(offences("<!-- not run: needs a cluster -->\n" + block + block), SizeIs(1));
  EXPECT_THAT(offences("<!-- not run: needs a cluster -->\nText.\n" + block), SizeIs(1));
}

TEST(DocsChecks, AScriptThatIsNotThereOrCannotBeRunIsFound) {
  EXPECT_THAT(offences(fenced("sh", "scripts/tset\n")), ElementsAre(HasSubstr("scripts/tset")));
  const testing::Folder folder;
  fs::create_directory(folder.path() / "scripts");
  folder.write("scripts/plain", "#!/bin/sh\n");
  fs::permissions(folder.path() / "scripts/plain", fs::perms::owner_read);
  EXPECT_THAT(offences(fenced("sh", "scripts/plain\n"), {folder.path(), project().program}),
              SizeIs(1));
}

TEST(DocsChecks, CppMustStandInOneFileLineByLine) {
  const testing::Folder folder;
  fs::create_directory(folder.path() / "examples");
  folder.write("examples/a.cpp", "int main() {\n  int a = 1;\n\n  return a;\n}\n");
  folder.write("examples/b.txt", "only text\n");
  const Project small{folder.path(), project().program};
  EXPECT_THAT(offences(fenced("cpp", "int a = 1;\n\nreturn a;\n"), small), IsEmpty());
  EXPECT_THAT(offences(fenced("cpp", "int main() {\n  int a = 1;\n"), small), IsEmpty());
  EXPECT_THAT(offences(fenced("cpp", "int a = 1;\nreturn a;\n"), small), SizeIs(1));
  EXPECT_THAT(offences(fenced("cpp", "int main() {\nint a = 1;\n"), small), SizeIs(1));
  EXPECT_THAT(offences(fenced("cpp", "int a = 2;\n"), small), SizeIs(1));
  EXPECT_THAT(offences(fenced("cpp", "int a = 1\n"), small), SizeIs(1));
  EXPECT_THAT(offences(fenced("cpp", "only text\n"), small), SizeIs(1));
  EXPECT_THAT(offences(fenced("cpp", "\n"), small), SizeIs(1));
}

TEST(DocsChecks, PythonIsRunWhereItCanBe) {
  const Verdict verdict =
      check_code("sample.md",
                 fenced("python", "import os\nassert os.path.exists('table.csv')\n") +
                     fenced("python", "import no_such_module\n") +
                     fenced("python", "import os\nassert False, 'on purpose'\n"),
                 project());
  if (verdict.remarks.size() == 3) GTEST_SKIP() << "there is no Python here";
  EXPECT_THAT(verdict.remarks, ElementsAre(HasSubstr("line 12:")));
  EXPECT_THAT(verdict.offences, ElementsAre(HasSubstr("on purpose")));
}

TEST(DocsChecks, JavaScriptIsRunWhereItCanBe) {
  const Verdict verdict =
      check_code("sample.md",
                 fenced("javascript", "import fs from 'node:fs';\nfs.statSync('table.csv');\n") +
                     fenced("javascript", "import none from 'no-such-package';\n") +
                     fenced("javascript", "throw new Error('on purpose');\n"),
                 project());
  if (verdict.remarks.size() == 3) GTEST_SKIP() << "there is no Node here";
  EXPECT_THAT(verdict.remarks, ElementsAre(HasSubstr("line 12:")));
  EXPECT_THAT(verdict.offences, ElementsAre(HasSubstr("on purpose")));
}

TEST(DocsChecks, CIsCompiledAndRun) {
  EXPECT_THAT(offences(fenced("c", "int main(void) { return 0; }\n")), IsEmpty());
  EXPECT_THAT(offences(fenced("c", "int main(void) { return 1; }\n")), SizeIs(1));
  EXPECT_THAT(offences(fenced("c", "int main(void) { int unused; return 0; }\n")),
              ElementsAre(HasSubstr("unused")));
}

TEST(DocsChecks, ABlockOfAnUnknownLanguageOrWithoutAnEndIsFound) {
  EXPECT_THAT(offences(fenced("bash", "true\n")), ElementsAre(HasSubstr("'bash'")));
  EXPECT_THAT(offences("```sh\ntrue\n"), ElementsAre(HasSubstr("never closed")));
  EXPECT_THAT(offences("1. In a list:\n   ```sh\n   false\n   ```\n"), SizeIs(1));
}

TEST(DocsChecks, ADeadLinkIsFoundAndCodeIsNoLink) {
  const testing::Folder folder;
  folder.write("there.md", "");
  const auto dead = [&](const std::string& markdown) {
    return check_links("sample.md", markdown, folder.path());
  };
  EXPECT_THAT(dead("[a](there.md) [b](there.md#part) [c](#part) ![d](there.md \"title\")\n"),
              IsEmpty());
  EXPECT_THAT(dead("[a](https://example.org/x.md) [b](mailto:a@example.org)\n"), IsEmpty());
  EXPECT_THAT(dead("`[a](gone.md)`\n```text\n[a](gone.md)\n```\n"), IsEmpty());
  EXPECT_THAT(dead("Text.\n[a](there.md) and [b](gone.md#part)\n"),
              ElementsAre(HasSubstr("line 2: the link gone.md#part leads nowhere")));
  EXPECT_THAT(dead("[a]: gone.md\n"), SizeIs(1));
  EXPECT_THAT(dead("![a](gone.png)\n"), SizeIs(1));
  EXPECT_THAT(dead("[a](/there.md)\n"), SizeIs(1));
}

}  // namespace
}  // namespace knotwork::docs
