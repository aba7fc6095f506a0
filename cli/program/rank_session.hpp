// SPDX-License-Identifier: MIT
// The processes that run the program together: one for knotwork, the processes of MPI for
// knotwork-mpi. The two programs differ only in the start_ranks() that they link. Rank 0 prints for
// all ranks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/ranks.hpp>

namespace knotwork::cli {

// Defined in one_rank.cpp and in mpi_ranks.cpp.
std::unique_ptr<Ranks> start_ranks();

// The ranks of this run, for commands that share their work.
Ranks& ranks();

// While a RankSession exists, ranks() returns its ranks, and all ranks but the first print nothing.
class RankSession {
 public:
  explicit RankSession(std::unique_ptr<Ranks> ranks);
  ~RankSession();
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;

 private:
  std::unique_ptr<Ranks> ranks_;
};

// The first number of all ranks that is not 0, such as a signal that arrived at one of them. One
// round of messages.
int first_of_ranks(int own);

// Checks data that every rank reads itself: throws bad_option on the ranks whose data differ from
// those of rank 0. `what` is the subject of the message, "The model". The call returns after all
// ranks agree.
void agree_on(std::string_view what, std::string_view own);
// Like agree_on(), for options as names and values: the message names the first option that
// differs. All ranks must pass the same names.
void agree_on_options(const std::vector<std::pair<std::string, std::string>>& own);

// Runs `work` and ends together with the other ranks: if one rank fails, all fail with the same
// exit code. Rank 0 passes one sentence to `say` before any rank returns.
int run_together(Ranks& ranks, const std::function<int()>& work,
                 const std::function<void(const std::string&)>& say);

}  // namespace knotwork::cli
