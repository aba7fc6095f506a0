// SPDX-License-Identifier: MIT
// This header runs a program in its own folder and records its input, its output and its end.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knotwork::testing {

// A new temporary folder that is removed with its contents.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view bytes) const;
  std::string read(const std::string& name) const;
  // Names of all entries of the folder, including hidden files, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = 0;  // exit code; minus the signal if a signal ended the program
  std::string out, err;
};

enum class Output { captured, closed, broken_pipe, full_disk, terminal };

struct Launch {
  std::string program;
  std::vector<std::string> arguments;
  std::filesystem::path folder;  // working directory
  std::string input;             // its standard input
  Output output = Output::captured;
  std::vector<std::pair<std::string, std::string>> environment = {};  // besides the inherited one
  // Faults of the machine: files that cannot grow beyond this many bytes, as on a full disk; a
  // memory limit in bytes; and a user without root's permission to write everywhere.
  std::optional<std::size_t> file_size = {};
  std::optional<std::size_t> memory = {};
  bool unprivileged = false;
};

class RunningProgram {
 public:
  explicit RunningProgram(const Launch& launch);
  ~RunningProgram();  // ends the program if it still runs
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // Waits until the text appears on standard error; false if the program ended without it.
  bool wait_for_error_text(std::string_view text);
  void send(int signal) const;
  // Waits until it has the file open; false when that takes half a minute.
  bool wait_until_open(const std::filesystem::path& file) const;
  // Waits until it handles Ctrl-C and has used no processor time for a tenth of a second, because
  // it waits for another process; false when that takes half a minute.
  bool wait_until_it_waits() const;
  Outcome finish();

 private:
  // Waits for output and reads it; false at the end of both streams.
  bool read_more();

  pid_t process_ = -1;
  int out_ = -1, err_ = -1;
  Outcome outcome_;
};

Outcome run(const Launch& launch);

}  // namespace knotwork::testing
