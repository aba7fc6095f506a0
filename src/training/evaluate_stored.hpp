// SPDX-License-Identifier: MIT
// Scores of a model on a table that stays in its file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table_file.hpp>

namespace knotwork {

// Adds what another part of the same table held.
void merge(EncodingReport& all, const EncodingReport& part);

struct StoredEvaluation {
  Scores scores;
  std::vector<Scores> each;  // of the targets by themselves
  EncodingReport report;
};

// What Model::evaluate() gives for the whole table, to the last bit. The inputs are read in
// windows; only targets, predictions and weights are kept for all rows. Of the options, the columns
// that they ask for and declare count.
StoredEvaluation evaluate_stored(const Model& model, const StoredTable& table,
                                 const CsvOptions& options, std::size_t threads,
                                 const std::string& weight_column = {});

}  // namespace knotwork
