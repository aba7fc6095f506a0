// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "cli/output/output.hpp"
#include "cli/program/rank_session.hpp"

namespace knotwork::cli {
namespace {

// Whoever starts this program with MPI's launcher gets as many runs, which is hardly what was
// meant. The first of them says so.
void remark_on_launcher() {
  constexpr std::pair<const char*, const char*> kSizesAndRanks[] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}};
  for (const auto& [size_name, rank_name] : kSizesAndRanks) {
    const char* const size = std::getenv(size_name);
    const char* const rank = std::getenv(rank_name);
    if (!size || !rank || std::string_view(rank) != "0" || std::atoi(size) < 2) continue;
    return print_remarks(
        {fmt::format("The {} processes of the launcher each run knotwork for themselves; "
                     "knotwork-mpi shares the work among them.",
                     std::atoi(size))});
  }
}

}  // namespace

std::unique_ptr<Ranks> start_ranks() {
  remark_on_launcher();
  return std::make_unique<OneRank>();
}

}  // namespace knotwork::cli
