// SPDX-License-Identifier: MIT
// These checks tell whether a document is correct. Every check returns one sentence for each
// mistake.
//
//   sh       is run line by line in a fresh folder for each document, with `knotwork` on the PATH
//            and two tables in it: table.csv, whose last column `price` is the target, and new.csv,
//            the same without it. A line that starts with scripts/ is not run, but the script must
//            exist. A block below <!-- not run: reason --> is not run.
//   cpp      must occur line by line in a file that is compiled
//   c        is a whole program, compiled as C99 with warnings as errors, and run
//   python   is run if the modules that it imports are installed
//   javascript   is run if its packages are installed in tests/node
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knotwork::docs {

using Offences = std::vector<std::string>;

struct Project {
  std::filesystem::path root;
  std::filesystem::path program;
};

struct Verdict {
  Offences offences;
  std::vector<std::string> remarks;  // what could not be checked on this machine
};

// `name` is the name of the document in sentences.
Verdict check_code(const std::string& name, const std::string& markdown, const Project& project);
// `folder` is the document's folder.
Offences check_links(const std::string& name, const std::string& markdown,
                     const std::filesystem::path& folder);

std::string read_text(const std::filesystem::path& path);

}  // namespace knotwork::docs
