// SPDX-License-Identifier: MIT
// Tests progress on a terminal: one line that never wraps.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

class OnATerminal : public CliTest {
 protected:
  // The output of the program on a terminal with the given number of columns.
  std::string shown(unsigned short columns, const std::string& command) const {
    winsize size{24, columns, 0, 0};
    int terminal = -1;
    const pid_t process = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (process == 0) {
      if (::chdir(folder_.path().c_str()) == 0) {
        const std::string line = std::string("exec '") + KNOTWORK_PROGRAM + "' " + command;
        ::execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
      }
      ::_exit(127);
    }
    EXPECT_GT(process, 0);
    std::string text;
    char buffer[4096];
    // Reading a terminal whose other end is closed gives an error.
    for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(terminal);
    int status = 0;
    ::waitpid(process, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0) << text;
    return text;
  }
  // The texts between the moves to the start of the line.
  static Words drawings(const std::string& text) {
    const std::string move = "\r\033[K";
    Words all;
    for (std::size_t at = text.find(move); at != std::string::npos;) {
      const std::size_t begin = at + move.size(), end = text.find(move, begin);
      if (end == std::string::npos) break;
      all.push_back(text.substr(begin, end - begin));
      at = end;
    }
    return all;
  }
  static constexpr const char* kRequest =
      "train builtin:planted --optimizer adam --iterations 100000000 --time-limit 2 --hidden 4 "
      "--ensemble 1 --lambda-w 1e-3 --lambda-curvature 1e-3 --scale-inputs standard "
      "--validation-fraction 0.1 --baselines none";
};

TEST_F(OnATerminal, ALineIsRedrawnAndFitsTheWidth) {
  constexpr unsigned short kWidths[] = {20, 60, 140};
  for (unsigned short columns : kWidths) {
    const auto begin = std::chrono::steady_clock::now();
    const std::string text = shown(columns, kRequest);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const Words lines = drawings(text);
    ASSERT_FALSE(lines.empty()) << text;
    // At most ten a second, plus the first one of each phase.
    EXPECT_LE(static_cast<double>(lines.size()), 10 * seconds.count() + 3);
    for (const std::string& line : lines) {
      EXPECT_LT(line.size(), columns);
      EXPECT_THAT(line, Not(HasSubstr("\n")));
      if (line.find(" left") != std::string::npos) {
        EXPECT_THAT(line, MatchesRegex(".*  about [0-2]\\.[0-9]+ s left")) << "within the limit";
      }
    }
    const Words always = {"training", " %"};
    const Words wide = {"[", "iteration ", "objective ", "validation ", "/s", " left"};
    for (const std::string& word : columns == 140 ? wide : always) {
      EXPECT_THAT(lines, Contains(HasSubstr(word)));
    }
  }
}

TEST_F(OnATerminal, QuietShowsNone) {
  std::string request = kRequest;
  request.append(" --quiet");
  EXPECT_THAT(drawings(shown(80, request)), IsEmpty());
}

TEST_F(OnATerminal, WritingABuiltinSetIsShownUnlessQuiet) {
  const std::string request = "datasets planted --rows 100000 --out p.safetensors";
  EXPECT_THAT(drawings(shown(80, request)), Contains(HasSubstr("writing")));
  EXPECT_THAT(drawings(shown(80, request + " --quiet")), IsEmpty());
}

class OnAPipe : public CliTest {};

TEST_F(OnAPipe, EveryPhaseHasLinesOfItsOwn) {
  as_people_do_ = true;
  folder_.write("t.csv", small_table(40));
  const Outcome outcome = knotwork({"train", "t.csv", "--hidden", "2", "--ensemble", "1",
                                    "--iterations", "4", "--refit", "--progress"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* phase : {"choosing  ", "training  ", "refitting  ", "baselines  "}) {
    EXPECT_THAT(outcome.err, HasSubstr(phase));
  }
  EXPECT_THAT(outcome.err, HasSubstr(" fold "));
  for (const std::string& line : lines_of(outcome.err)) {
    if (line.find(" left") == std::string::npos) continue;
    // More folds may be planned when the current ones are done.
    const bool choosing = line.starts_with("choosing ");
    EXPECT_THAT(line, HasSubstr(choosing ? "  at least " : "  about "));
  }
}

}  // namespace
}  // namespace knotwork::testing
