// SPDX-License-Identifier: MIT
// Merges EncodingReports of parts of a table into one report of the whole table.
#pragma once

#include <knotwork/encoding.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork::model {

// Adds the report of another part of the same table.
void merge(EncodingReport& all, const EncodingReport& part);
// Merges the reports of all ranks, so that each has the report of the whole; `ranks` is null for a
// single process.
void merge_over(Ranks* ranks, EncodingReport& report);

}  // namespace knotwork::model
