// SPDX-License-Identifier: MIT
#include "run_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace knotwork::testing {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe {
  int read = -1, write = -1;
};

Pipe open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) give_up("pipe2");
  return {ends[0], ends[1]};
}

// A file without a name, so that input of any size needs no second process to supply it.
int input_file(const std::string& text) {
  const std::string folder = fs::temp_directory_path().string();
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) give_up("open of a temporary file");
  if (::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    give_up("write");
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

bool set_limit(int resource, const std::optional<std::size_t>& most) {
  if (!most) return true;
  const rlimit limit{*most, *most};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
}

bool bring_faults(const Launch& launch) {
  // If the signal is ignored, writing too much fails instead of ending the program.
  ::signal(SIGXFSZ, launch.file_size ? SIG_IGN : SIG_DFL);
  constexpr uid_t kNobody = 65534;
  if (launch.unprivileged && ::geteuid() == 0 &&
      (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
    return false;
  }
  return set_limit(RLIMIT_FSIZE, launch.file_size) && set_limit(RLIMIT_AS, launch.memory);
}

// Runs in the new process, where no memory may be allocated and only exec or _exit may follow.
[[noreturn]] void become(const Launch& launch, char* const* arguments, char* const* environment,
                         int in, int out, int err) {
  // A test that itself runs in the background inherits ignored signals.
  for (int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
  if (::chdir(launch.folder.c_str()) == 0 && bring_faults(launch) &&
      ::dup2(in, STDIN_FILENO) >= 0 && ::dup2(err, STDERR_FILENO) >= 0 &&
      (out < 0 ? ::close(STDOUT_FILENO) : ::dup2(out, STDOUT_FILENO)) >= 0) {
    ::execve(arguments[0], arguments, environment);
  }
  ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

// Both sides of a new terminal that passes on all bytes unchanged.
Pipe open_terminal() {
  Pipe terminal;
  terminal.read = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal.read < 0 || ::grantpt(terminal.read) != 0 || ::unlockpt(terminal.read) != 0) {
    give_up("posix_openpt");
  }
  terminal.write = ::open(::ptsname(terminal.read), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  if (terminal.write < 0 || ::tcgetattr(terminal.write, &settings) != 0) {
    give_up("open of a terminal");
  }
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  ::tcsetattr(terminal.write, TCSANOW, &settings);
  return terminal;
}

}  // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "knotwork-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) give_up("mkdtemp");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, std::string_view bytes) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw std::runtime_error("cannot write " + name);
}

std::string Folder::read(const std::string& name) const {
  std::ifstream file(path_ / name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(path_)) {
    all.push_back(entry.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

RunningProgram::RunningProgram(const Launch& launch) {
  std::vector<std::string> words = {launch.program};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : launch.environment) variables.push_back(name + "=" + value);
  // The limit would truncate coverage files, which scripts/coverage reads.
  if (launch.file_size) variables.emplace_back("GCOV_PREFIX=/dev/null");
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('='));
    const bool replaced = std::any_of(launch.environment.begin(), launch.environment.end(),
                                      [&](const auto& own) { return own.first == name; });
    if (!replaced) variables.push_back(text);
  }
  const std::vector<char*> arguments = pointers(words);
  const std::vector<char*> environment = pointers(variables);

  const int in = input_file(launch.input);
  const Pipe out = launch.output == Output::terminal ? open_terminal() : open_pipe();
  const Pipe err = open_pipe();
  int own_out = out.write;
  if (launch.output == Output::closed) own_out = -1;
  if (launch.output == Output::broken_pipe) ::close(out.read);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (launch.output == Output::full_disk) own_out = full;

  process_ = ::fork();
  if (process_ < 0) give_up("fork");
  if (process_ == 0) {
    become(launch, arguments.data(), environment.data(), in, own_out, err.write);
  }
  for (int descriptor : {in, out.write, err.write, full}) ::close(descriptor);
  out_ = launch.output == Output::broken_pipe ? -1 : out.read;
  err_ = err.read;
}

RunningProgram::~RunningProgram() {
  if (process_ < 0) return;
  send(SIGKILL);
  finish();
}

bool RunningProgram::read_more() {
  pollfd streams[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // -1 is skipped
  if (out_ < 0 && err_ < 0) return false;
  if (::poll(streams, 2, -1) < 0) {
    if (errno == EINTR) return true;
    give_up("poll");
  }
  const auto take = [](const pollfd& stream, int& descriptor, std::string& text) {
    if (descriptor < 0 || stream.revents == 0) return;
    char buffer[4096];
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count > 0) {
      text.append(buffer, static_cast<std::size_t>(count));
    } else {
      ::close(descriptor);
      descriptor = -1;
    }
  };
  take(streams[0], out_, outcome_.out);
  take(streams[1], err_, outcome_.err);
  return true;
}

bool RunningProgram::wait_for_error_text(std::string_view text) {
  while (outcome_.err.find(text) == std::string::npos) {
    if (!read_more()) return false;
  }
  return true;
}

bool RunningProgram::wait_until_open(const std::filesystem::path& file) const {
  const auto folder = std::filesystem::path("/proc") / std::to_string(process_) / "fd";
  for (int attempt = 0; attempt < 6000; ++attempt) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      if (std::filesystem::read_symlink(entry.path(), ignored) == file) return true;
    }
    ::usleep(5000);
  }
  return false;
}

bool RunningProgram::wait_until_it_waits() const {
  const auto folder = std::filesystem::path("/proc") / std::to_string(process_);
  const auto handles_ctrl_c = [&] {
    std::ifstream status(folder / "status");
    for (std::string name; status >> name;) {
      unsigned long long mask = 0;
      if (name == "SigCgt:") return status >> std::hex >> mask && (mask >> (SIGINT - 1)) % 2 == 1;
    }
    return false;
  };
  // The name of the state and the times, the third, fourteenth and fifteenth field.
  const auto state = [&] {
    std::ifstream stat(folder / "stat");
    std::string word, known;
    for (int field = 1; stat >> word; ++field) {
      if (field == 3 || field == 14 || field == 15) known += word + " ";
    }
    return known;
  };
  // On a busy machine a thread that works may have to wait for a processor.
  const auto all_threads_sleep = [&] {
    std::error_code ended;
    for (const auto& thread : std::filesystem::directory_iterator(folder / "task", ended)) {
      std::ifstream stat(thread.path() / "stat");
      std::string word;
      for (int field = 1; field <= 3; ++field) stat >> word;
      if (word != "S") return false;
    }
    return !ended;
  };
  std::string before;
  for (int attempt = 0; attempt < 300; ++attempt) {
    const std::string now = state();
    if (now == before && all_threads_sleep() && handles_ctrl_c()) return true;
    before = now;
    ::usleep(100'000);
  }
  return false;
}

void RunningProgram::send(int signal) const {
  ::kill(process_, signal);
}

Outcome RunningProgram::finish() {
  while (read_more()) {
  }
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  outcome_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome_;
}

Outcome run(const Launch& launch) {
  return RunningProgram(launch).finish();
}

}  // namespace knotwork::testing
