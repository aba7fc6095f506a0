// SPDX-License-Identifier: MIT
#include "cli/rank_session.hpp"

namespace knotwork::cli {

std::unique_ptr<Ranks> start_ranks() {
  return std::make_unique<OneRank>();
}

}  // namespace knotwork::cli
