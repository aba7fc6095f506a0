// SPDX-License-Identifier: MIT
// What a PreparedTable holds: the plan made of its table, and its rows for training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "table/table_reader.hpp"
#include "training/data/training_plan.hpp"
#include "training/data/training_rows.hpp"
#include "training/library_access.hpp"

#include <knotwork/training.hpp>

namespace knotwork {

class PreparedTable::State {
 public:
  State(const Table& table, const TableTask& task, std::uint64_t seed, const Model* start,
        Ranks* ranks);
  State(const StoredTable& table, const CsvOptions& columns, const TableTask& task,
        std::uint64_t seed, const Model* start, const TableStorage& storage);

  const training::TablePlan& plan() const { return *plan_; }
  const training::TrainingRows& rows() const { return *rows_; }
  // Of a model that was trained on the table: scores the second table if there is one, and keeps
  // the remarks and which rows it was trained on.
  void complete(Model& model, std::size_t threads) const;

  Table some_rows(bool of_test_part, std::size_t most) const;
  const TrainingData& data() const;
  const Partition& partition() const;

 private:
  struct InMemory;
  State(std::shared_ptr<const table::TableReader> table, const TableTask& task, std::uint64_t seed,
        const Model* start, Ranks* ranks);
  const InMemory& memory() const;

  std::string source_;  // name of the table, without the folders of a file
  std::string weight_column_;
  std::shared_ptr<const Table> test_data_;
  Ranks* ranks_;
  std::shared_ptr<const table::TableReader> windows_;  // null: a table in memory
  std::shared_ptr<const training::TablePlan> plan_;
  std::shared_ptr<const InMemory> memory_;  // null: in its file
  std::shared_ptr<const training::TrainingRows> rows_;
};

}  // namespace knotwork
