// SPDX-License-Identifier: MIT
#include "cli/program/rank_session.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "base/fail.hpp"
#include "base/quoting.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/program_monitor.hpp"
#include "cli/program/exit_code.hpp"
#include "cli/program/interrupt.hpp"
#include "parallel/message.hpp"

#include <knotwork/error.hpp>

namespace knotwork::cli {
namespace {

Ranks* current = nullptr;

void be_silent() {
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::close(nothing);
}

int first_not_zero(Ranks& ranks, int own) {
  using Bytes = Ranks::Bytes;
  const Bytes first =
      ranks.combine(parallel::Packer().put(own).take(), [](Bytes& left, Bytes&& right) {
        if (parallel::Unpacker(left).get<int>() == 0) left = std::move(right);
      });
  return parallel::Unpacker(first).get<int>();
}

}  // namespace

Ranks& ranks() {
  return *current;
}

int first_of_ranks(int own) {
  return first_not_zero(ranks(), own);
}

void agree_on(std::string_view what, std::string_view own) {
  if (ranks().size() == 1) return;
  const Ranks::Bytes first = ranks().from_first(Ranks::Bytes(own.begin(), own.end()));
  if (!std::equal(first.begin(), first.end(), own.begin(), own.end())) {
    fail(ErrorKind::bad_option, "{} differs from that of rank 0; all ranks must have the same.",
         what);
  }
  ranks().meet();
}

void agree_on_options(const std::vector<std::pair<std::string, std::string>>& own) {
  if (ranks().size() == 1) return;
  parallel::Packer packed;
  for (const auto& [name, value] : own) packed.put(std::string_view(value));
  const Ranks::Bytes first = ranks().from_first(packed.take());
  parallel::Unpacker theirs(first);
  for (const auto& [name, value] : own) {
    const std::string other = theirs.get_text();
    if (other == value) continue;
    fail(ErrorKind::bad_option,
         "{} is '{}' on this rank and '{}' on rank 0; all ranks must have the same value.", name,
         shown(value), shown(other));
  }
  ranks().meet();
}

RankSession::RankSession(std::unique_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {
  current = ranks_.get();
  if (!ranks_->is_first()) be_silent();
}

RankSession::~RankSession() {
  current = nullptr;
}

int run_together(Ranks& ranks, const std::function<int()>& work,
                 const std::function<void(const std::string&)>& say) {
  std::string own;
  int code = kFailed;
  bool is_stopped = false;
  try {
    try {
      // The first exit code that is not 0 becomes the exit code of all ranks.
      return first_not_zero(ranks, work());
    } catch (const SharedError&) {
      throw;
    } catch (const std::exception& error) {
      own = error_text(as_error(error));
      ranks.report_failure(error);
    }
  } catch (const Error& error) {
    // An error of the first rank itself is printed without a rank number.
    if (ranks.is_first()) say(own.empty() ? error_text(error) : own);
    code = exit_code(error.kind());
    is_stopped = error.kind() == ErrorKind::stopped;
  }
  try {
    // Launchers end all processes as soon as one of them has ended with a failure, so all ranks
    // meet here first. The signal may have arrived at another rank. A program that does not catch
    // SIGPIPE ends by it when nobody reads its output any more.
    const bool is_unread = program_monitor()->has_lost_its_reader();
    const int signal = first_not_zero(ranks, is_unread ? SIGPIPE : InterruptGuard::signal());
    if ((is_stopped || signal == SIGPIPE) && signal != 0) code = 128 + signal;
  } catch (const Error&) {
    // The original error has already been reported.
  }
  return code;
}

}  // namespace knotwork::cli
