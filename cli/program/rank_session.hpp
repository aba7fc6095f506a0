// SPDX-License-Identifier: MIT
// The processes that run the program together. One for knotwork, those of MPI for knotwork-mpi: the
// two programs differ in what start_ranks() they link. Rank 0 speaks for all.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/ranks.hpp>

namespace knotwork::cli {

// In one_rank.cpp and in mpi_ranks.cpp.
std::unique_ptr<Ranks> start_ranks();

// The ranks of this run, for commands that share their work.
Ranks& ranks();

// From here to the end of the object ranks() are there, and all but the first are silent.
class RankSession {
 public:
  explicit RankSession(std::unique_ptr<Ranks> ranks);
  ~RankSession();
  RankSession(const RankSession&) = delete;
  RankSession& operator=(const RankSession&) = delete;

 private:
  std::unique_ptr<Ranks> ranks_;
};

// Of the numbers that all ranks bring, the first that is not 0; a round. Such as a signal that came
// to one of them.
int first_of_ranks(int own);

// For what every rank reads for itself: throws bad_option on those that have something else than
// rank 0, of which `what` is the subject, "The model". Nobody goes on before all agree.
void agree_on(std::string_view what, std::string_view own);
// The same of options, names and values: the first that differs is named. All must bring the same
// names.
void agree_on_options(const std::vector<std::pair<std::string, std::string>>& own);

// Runs `work` and ends it together with the other ranks: if one fails all do, with the same exit
// code. Rank 0 tells `say` one sentence before any of them returns.
int run_together(Ranks& ranks, const std::function<int()>& work,
                 const std::function<void(const std::string&)>& say);

}  // namespace knotwork::cli
