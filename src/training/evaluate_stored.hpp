// SPDX-License-Identifier: MIT
// Scores of a model on a table that stays in its file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/table_file.hpp>

namespace knotwork {

// Adds what another part of the same table held.
void merge(EncodingReport& all, const EncodingReport& part);
// Makes what processes found in their parts what all of them found. `ranks` are null for one alone.
void merge_over(Ranks* ranks, EncodingReport& report);

struct StoredEvaluation {
  Scores scores;
  std::vector<Scores> each;  // of the targets by themselves
  EncodingReport report;
};

// What Model::evaluate() gives for the whole table, to the last bit, in memory that does not grow
// with its rows (but for probabilities of up to kExactAucRows of them): windows of targets and
// weights are read first, then windows of all that the options ask for. Of the options, the columns
// that they ask for and declare count. Processes that are `ranks` read some windows each, and all
// get the result. `progress`, if given, is told the share of this process that is done.
StoredEvaluation evaluate_stored(const Model& model, const StoredTable& table,
                                 const CsvOptions& options, std::size_t threads,
                                 const std::string& weight_column = {}, Ranks* ranks = nullptr,
                                 const std::function<void(double share)>& progress = {});

}  // namespace knotwork
