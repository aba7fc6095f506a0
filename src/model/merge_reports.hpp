// SPDX-License-Identifier: MIT
// EncodingReports of parts of a table, merged into one of the whole.
#pragma once

#include <knotwork/encoding.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork::model {

// Adds what another part of the same table held.
void merge(EncodingReport& all, const EncodingReport& part);
// Makes what processes found in their parts what all of them found. `ranks` are null for one alone.
void merge_over(Ranks* ranks, EncodingReport& report);

}  // namespace knotwork::model
