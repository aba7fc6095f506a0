// SPDX-License-Identifier: MIT
#include "cli/output/printing.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/fail.hpp"
#include "base/quoting.hpp"
#include "cli/output/program_monitor.hpp"
#include "files/watched_calls.hpp"

namespace knotwork::cli {
namespace {

std::string visible(std::string_view line) {
  return shown(line, kShownWhole) + "\n";
}

// Writes to standard output. If a stop was requested before the result is printed, the result (such
// as the state of a training) is still printed completely, as long as somebody reads it.
class ResultWriter {
 public:
  ResultWriter() { program_monitor()->enter(Phase::writing); }

  void write_visibly(const Lines& lines) const {
    constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
    std::string piece;
    for (const std::string& line : lines) {
      piece += visible(line);
      if (piece.size() < kPieceBytes) continue;
      write(piece);
      piece.clear();
    }
    write(piece);
  }
  // To a terminal visibly, too.
  void write_data(std::string_view bytes) const {
    ::isatty(STDOUT_FILENO) == 1 ? write_visibly(lines_of_own_text(bytes)) : write(bytes);
  }

 private:
  void write(std::string_view text) const {
    while (!text.empty()) {
      if (!was_stopped_) program_monitor()->check();
      const ssize_t written = files::without_interruptions(
          [&] { return files::system_calls().write(STDOUT_FILENO, text.data(), text.size()); });
      if (written < 0 && errno == EPIPE) {
        program_monitor()->lost_its_reader();
        fail(ErrorKind::failed_run, "The reader of standard output has closed it.");
      }
      if (written < 0) {
        fail(ErrorKind::failed_run, "The result could not be written to standard output: {}.",
             std::strerror(errno));
      }
      program_monitor()->wrote_a_part();
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  const bool was_stopped_ = program_monitor()->stop_requested();
};

void write_aside(std::string_view text) {
  try {
    for (std::string_view rest = text; !rest.empty();) {
      const ssize_t written = files::without_interruptions(
          [&] { return files::system_calls().write(STDERR_FILENO, rest.data(), rest.size()); });
      if (written < 0) return;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  } catch (const Error&) {
    // Nobody reads standard error, and a stop was requested.
  }
}

}  // namespace

void print_lines(const Lines& lines) {
  ResultWriter().write_visibly(lines);
}

void print_document(const Json& document) {
  const ResultWriter result;  // a stop while a large document becomes text counts
  result.write_data(document_text(document));
}

void print_data(std::string_view bytes) {
  ResultWriter().write_data(bytes);
}

void print_lines_aside(const Lines& lines) {
  for (const std::string& line : lines) write_aside(visible(line));
}

void print_remarks(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) print_lines_aside({"knotwork: " + remark});
}

void redraw_line_aside(std::string_view line) {
  write_aside("\r\033[K" + shown(line, kShownWhole));
}

void add_lines(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

Lines lines_of_own_text(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace knotwork::cli
