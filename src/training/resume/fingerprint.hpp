// SPDX-License-Identifier: MIT
// What the result of a training depends on, so that a checkpoint can be told from another's.
#pragma once

#include <string>

#include <knotwork/checkpoint.hpp>
#include <knotwork/options.hpp>
#include <knotwork/training.hpp>

#include "features/split/row_set.hpp"
#include "table/table_reader.hpp"
#include "training/data/training_rows.hpp"

namespace knotwork::training {

// SHA-256 of rows in memory, their columns and their division into parts.
std::string hash_of(const TrainingData& data, const Partition& partition);
// The same of rows that stay in a file, by what the file says of its columns.
// `roles` name columns that are neither inputs nor targets.
std::string hash_of(const table::TableReader& table, const TrainingData& description,
                    const std::vector<std::string>& roles, const features::RowSet& train,
                    const features::RowSet& test);

// The first fields of a state, and nothing else. `start` is the model to start from, or null.
TrainingState training_identity(const TrainingRows& rows, const TrainOptions& options,
                                const Model* start);

// A sentence about what in `now` differs from what was kept and what to do about it; empty if
// nothing does.
std::string difference(const TrainingState& kept, const TrainingState& now);

}  // namespace knotwork::training
