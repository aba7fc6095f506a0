// SPDX-License-Identifier: MIT
// Usage: mpi_exercise TASK [RANK]
//
// MPI ranks do one task together, and the first rank prints "fine" or what went wrong.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.hpp"
#include "cli/program/mpi_ranks.hpp"
#include "cli/program/rank_session.hpp"
#include "parallel/message.hpp"

namespace knotwork {
namespace {

using Bytes = Ranks::Bytes;

constexpr std::size_t kSmallPiece = 65536;

void expect(bool holds, const char* what) {
  if (!holds) fail(ErrorKind::failed_run, "It does not hold that {}.", what);
}

std::uint8_t pattern(std::size_t rank, std::size_t at) {
  return static_cast<std::uint8_t>(31 * rank + at + at / 251);
}

void exchange(Ranks& ranks) {
  const auto own = static_cast<double>(ranks.rank() + 1);
  const Bytes sum =
      ranks.combine(parallel::Packer().put(own).take(), [](Bytes& left, Bytes&& right) {
        left = parallel::Packer()
                   .put(parallel::Unpacker(left).get<double>() +
                        parallel::Unpacker(right).get<double>())
                   .take();
      });
  const auto count = static_cast<double>(ranks.size());
  expect(parallel::Unpacker(sum).get<double>() == count * (count + 1) / 2, "sums are right");
  // Eight bytes of length and one of state are added, so the third is exactly one piece.
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, kSmallPiece - 9, kSmallPiece - 8,
                                 std::size_t{10'000'000}}) {
    Bytes bytes(size);
    for (std::size_t at = 0; at < size; ++at) bytes[at] = pattern(ranks.rank(), at);
    const std::vector<Bytes> all = ranks.gather(std::move(bytes));
    expect(all.size() == ranks.size(), "all have brought something");
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      expect(all[rank].size() == size, "sizes are kept");
      for (std::size_t at = 0; at < size; ++at) {
        expect(all[rank][at] == pattern(rank, at), "bytes are kept");
      }
    }
  }
  for (int round = 0; round < 100; ++round) ranks.meet();
}

// Limits memory to what is used now, and a little more.
void limit_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::size_t most = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (20U << 20);
  const rlimit limit{most, RLIM_INFINITY};
  ::setrlimit(RLIMIT_AS, &limit);
}

// One rank has no memory for the messages it receives, up the tree or down.
void run_short_of_memory(Ranks& ranks, std::size_t short_one) {
  ranks.meet();
  Bytes large(ranks.rank() == short_one ? 0 : 60'000'000);
  if (ranks.rank() == short_one) limit_memory();
  ranks.combine(std::move(large), [](Bytes& left, Bytes&& right) {
    if (left.size() < right.size()) left = std::move(right);
  });
  ranks.meet();
}

int run(Ranks& ranks, const std::string& task, std::size_t chosen) {
  const bool is_chosen = ranks.rank() == chosen;
  std::printf("This is said.\n");
  std::fflush(stdout);
  if (task == "exchange") {
    exchange(ranks);
  } else if (task == "fail") {
    for (int round = 0; round < 100; ++round) {
      if (round == 50 && is_chosen) fail(ErrorKind::bad_data, "Row 3 is empty.");
      ranks.meet();
    }
  } else if (task == "fail-at-end") {
    if (!is_chosen) return 0;
    ::usleep(200'000);
    fail(ErrorKind::bad_data, "Row 3 is empty.");
  } else if (task == "fail-all") {
    fail(ErrorKind::bad_option, "There are no rows.");
  } else if (task == "fail-each") {
    fail(ErrorKind::failed_run, "I am {}.", ranks.rank());
  } else if (task == "throw") {
    if (is_chosen) throw std::bad_alloc();
    exchange(ranks);
  } else if (task == "code") {
    return is_chosen ? 143 : 0;
  } else if (task == "memory") {
    run_short_of_memory(ranks, chosen);
  }
  return 0;
}

}  // namespace
}  // namespace knotwork

int main(int argc, char** argv) {
  using namespace knotwork;
  const std::string task = argc > 1 ? argv[1] : "";
  const std::size_t chosen = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  // Small pieces, so that a message consists of several; but in the task "memory" a message must be
  // too large as a whole.
  const std::size_t piece = task == "memory" ? cli::MpiRanks::kPiece : kSmallPiece;
  const cli::RankSession session(std::make_unique<cli::MpiRanks>(piece));
  return cli::run_together(
      cli::ranks(), [&] { return run(cli::ranks(), task, chosen); },
      [](const std::string& sentence) { fmt::print(stderr, "knotwork: {}\n", sentence); });
}
