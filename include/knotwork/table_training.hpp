// SPDX-License-Identifier: MIT
// Training from a table: which of its columns and rows are for what.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/table.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

enum class TaskKind { regression, classification };
KNOTWORK_API std::string_view to_string(TaskKind kind);

struct TableTask {
  std::vector<std::string> targets;  // empty: the last column
  // Empty: guessed. A single target of texts, or of at most 10 different whole numbers, are
  // classes; a guess from numbers is said in a remark.
  std::optional<TaskKind> kind;
  std::vector<std::string> drop;  // columns that are not inputs, read or not
  std::vector<std::string> keep;  // text columns that stay inputs though nearly all texts differ
  std::string weight_column;      // of sample weights; empty: none

  // The test part: the rows of a list, those of a second table, or a share of the rows, drawn at
  // random unless something else is asked for.
  std::vector<std::size_t> test_rows;
  const Table* test_data = nullptr;
  double test_fraction = 0;
  // The last rows, for tables in the order of time; validation parts and folds follow it too.
  bool test_last = false;
  std::string group_column;     // rows of one group are never divided; not an input
  std::string stratify_column;  // its values have the same shares in both parts

  // Throws bad_option when two of these exclude each other.
  void check() const;
};

inline constexpr std::size_t kFewestRows = 10;  // of a table, to train on

// A table made ready for training: columns chosen and encoded (by what the training rows hold, or
// as the model to start from has them), rows divided. Refers to the task's second table.
class KNOTWORK_API PreparedTable {
 public:
  PreparedTable(const Table& table, const TableTask& task, std::uint64_t seed,
                const Model* start = nullptr);

  // Views into this object.
  TrainingData data() const;
  const Partition& partition() const { return partition_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

  // Of a model that was trained on it: scores the second table if there is one, and keeps the
  // remarks and which rows it was trained on.
  void complete(Model& model, std::size_t threads) const;

 private:
  void take_targets(const Table& table, const TableTask& task, std::span<const std::size_t> columns,
                    const Model* start, std::vector<std::string>& remarks);
  void identify_rows(const Model* start);

  std::string source_;  // name of the table, without the folders of a file
  std::size_t rows_ = 0;
  CellFormat cells_;
  bool in_time_order_ = false;
  std::string weight_column_;
  const Table* test_data_ = nullptr;
  std::string rows_sha256_;
  std::vector<double> inputs_, targets_, weights_, groups_;  // column by column
  std::vector<InputColumn> encoding_;
  std::vector<std::string> target_names_, classes_;
  Partition partition_;
  std::vector<std::string> remarks_;
};

KNOTWORK_API Model train(const PreparedTable& prepared, const TrainOptions& options = {},
                         const TrainObserver& observer = {}, const Model* start = nullptr,
                         Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train(const Table& table, const TableTask& task,
                         const TrainOptions& options = {}, const TrainObserver& observer = {},
                         const Model* start = nullptr);

}  // namespace knotwork
