// SPDX-License-Identifier: MIT
// PreparedData::State holds the plan that was made from a table, and its rows for training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "parallel/threads.hpp"
#include "table/table_reader.hpp"
#include "training/data/training_plan.hpp"
#include "training/data/training_rows.hpp"
#include "training/library_access.hpp"

#include <knotwork/training.hpp>

namespace knotwork {

class PreparedData::State {
 public:
  // `check` checks cells before planning uses them, after the processes have agreed on them.
  State(std::shared_ptr<const RowSource> rows, const TableTask& task, std::uint64_t seed,
        const Model* start, const TableStorage& storage, const std::function<void()>& check = {});
  State(TrainingData data, Partition partition);

  const training::TablePlan& plan() const { return plan_; }
  const training::TrainingRows& rows() const { return *rows_; }
  // For a model that was trained on the table: scores the second table if there is one, and stores
  // the remarks and the training rows' hash. After a request to stop, the scores have a moment.
  void complete(Model& model, std::size_t threads, const std::shared_ptr<Monitor>& monitor) const;

  Table some_rows(bool of_test_part, std::size_t most) const;
  const TrainingData& data() const;
  const Partition& partition() const;

 private:
  void check_in_memory() const;

  std::string source_;  // name of the table, without the folders of a file
  std::string weight_column_;
  std::shared_ptr<const Table> test_data_;
  bool is_of_table_ = true;
  training::TablePlan plan_;
  std::shared_ptr<const training::TrainingRows> rows_;
  mutable parallel::Mutex mutex_;
  // Filled on the first request.
  mutable std::optional<training::RowsInMemory> matrices_;
  mutable std::optional<Partition> partition_;
};

}  // namespace knotwork
