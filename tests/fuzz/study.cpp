// SPDX-License-Identifier: MIT
// Fuzzes studies of searches, which it inspects and resumes. SQLite is not instrumented for the
// fuzzer, so only the reaction of our own code to the pages guides it.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/fuzz.hpp"

#include <knotwork/search.hpp>

using namespace knotwork;
namespace fs = std::filesystem;

namespace {

// A separate file for each process, removed at its end.
class StudyFile {
 public:
  StudyFile()
      : path_(fs::temp_directory_path() / ("knotwork-fuzz-" + std::to_string(::getpid()) + ".db")) {
  }
  ~StudyFile() { remove(); }

  void write(const std::uint8_t* data, std::size_t size) const {
    remove();
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  const fs::path& path() const { return path_; }

 private:
  void remove() const {
    for (const char* end : {"", "-journal", "-wal", "-shm"}) fs::remove(path_.string() + end);
  }
  fs::path path_;
};

void look_at(const fs::path& path) {
  const Study study = Study::read(path);
  study.identity();
  for (const std::string& scope : study.scopes()) {
    study.trials(scope);
    study.result(scope, "tune");
  }
}

void go_on(const fs::path& path) {
  Study study(path, {{"data", "abc"}, {"seed", "1"}});
  for (const std::int64_t trial : study.begin("", {{{"x", "0"}}, {{"x", "new"}}}, 1, 2)) {
    const FoldScore stored = study.store(trial, {1, 0.25, 1, ""});
    fuzz::require(stored.fold == 1);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const StudyFile file;
  file.write(data, size);
  // A study that cannot be inspected cannot be resumed either; flushing is slow.
  if (fuzz::takes([&] { look_at(file.path()); })) fuzz::takes([&] { go_on(file.path()); });
  return 0;
}
