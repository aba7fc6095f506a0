// SPDX-License-Identifier: MIT
// TargetRows finds the rows of a training by their targets: rows in which a target is missing are
// left out, and the targets of the others must be such that there is something to learn.
#pragma once

#include <string>
#include <vector>

#include "features/class_labels.hpp"
#include "features/column_roles.hpp"
#include "features/split/row_set.hpp"
#include "parallel/rank_merge.hpp"
#include "table/table_reader.hpp"
#include "training/data/training_plan.hpp"

#include <knotwork/model.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/task.hpp>

namespace knotwork::training {

class TargetRows {
 public:
  // `start` is the model to start from, or null; `ranks` is null for a single process. All
  // references must outlive the object.
  TargetRows(const table::TableReader& table, const TableTask& task, const Model* start,
             Ranks* ranks)
      : table_(table), task_(task), start_(start), ranks_(ranks) {}

  // Stores the classes of the target, and counts missing cells and rows without a target. Throws
  // bad_data if no row has its targets, if rows without a target are refused, and if the weight or
  // the group of another row cannot be used. `remarks` are about the classes.
  void look(const features::Roles& roles, TablePlan& plan, std::vector<Remark>& remarks) const;
  // After look(): the rows that have all targets. A remark counts the others.
  features::RowSet known(const features::Roles& roles, TablePlan& plan) const;
  // Throws bad_data unless each target differs between the training rows.
  void check_variety(const TablePlan& plan) const;

 private:
  std::vector<std::string> classes_of(const features::Roles& roles,
                                      const features::DistinctNumbers& cells,
                                      std::vector<Remark>& remarks) const;
  // The rank that has the cell throws; the other ranks learn of it in their next round.
  void refuse_gap(const TablePlan& plan) const;
  template <class See>
  void each_own_window(const table::TableReader& table, const See& see) const {
    table.for_each_own(ranks_, parallel::own_rows(table.rows(), ranks_), see);
  }

  const table::TableReader& table_;
  const TableTask& task_;
  const Model* start_;
  Ranks* ranks_;
};

// The columns of the targets.
table::TableReader targets_of(const table::TableReader& table, const TablePlan& plan);

}  // namespace knotwork::training
