// SPDX-License-Identifier: MIT
// Running a program in a folder of its own: what it was given, what it said, how it ended.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knotwork::testing {

// A new temporary folder that is removed with all that is in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  // Names of everything in the folder, hidden files too, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = 0;  // of exit; minus the signal if one ended the program
  std::string out, err;
};

enum class Output { captured, closed, broken_pipe, full_disk, terminal };

struct Launch {
  std::string program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;  // where it runs
  std::string input;             // its standard input
  Output output = Output::captured;
  std::vector<std::pair<std::string, std::string>> environment = {};  // besides the inherited one
  // Faults of the machine: files that cannot grow beyond so many bytes, as on a full disk; memory
  // that is used up after so many; and a user who may not write everywhere, as root may.
  std::optional<std::size_t> file_size = {};
  std::optional<std::size_t> memory = {};
  bool unprivileged = false;
};

class RunningProgram {
 public:
  explicit RunningProgram(const Launch& launch);
  ~RunningProgram();  // ends it if it still runs
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // Waits until standard error has brought the text; false when it ended without.
  bool wait_for_error_text(std::string_view text);
  void send(int signal) const;
  Outcome finish();

 private:
  // Reads what has come, waiting for it; false at the end of both streams.
  bool read_more();

  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
  Outcome outcome_;
};

Outcome run(const Launch& launch);

}  // namespace knotwork::testing
