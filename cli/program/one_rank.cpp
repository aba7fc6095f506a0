// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "cli/output/output.hpp"
#include "cli/program/rank_session.hpp"

namespace knotwork::cli {
namespace {

// If MPI's launcher starts this program, each process runs separately, which is rarely intended.
// The first process prints a remark.
void remark_on_launcher() {
  constexpr std::pair<const char*, const char*> kSizesAndRanks[] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}};
  for (const auto& [size_name, rank_name] : kSizesAndRanks) {
    const char* const size = std::getenv(size_name);
    const char* const rank = std::getenv(rank_name);
    if (!size || !rank || std::string_view(rank) != "0" || std::atoi(size) < 2) continue;
    return print_remarks(
        {fmt::format("Each of the launcher's {} processes runs knotwork separately; use "
                     "knotwork-mpi to share the work among them.",
                     std::atoi(size))});
  }
}

}  // namespace

std::unique_ptr<Ranks> start_ranks() {
  remark_on_launcher();
  return std::make_unique<OneRank>();
}

}  // namespace knotwork::cli
