// SPDX-License-Identifier: MIT
// Training from a table: which of its columns and rows are for what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/table.hpp>
#include <knotwork/table_file.hpp>
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

// Where the rows of a table that stays in its file are while they are trained on.
struct TableStorage {
  // Bytes for one set of scaled rows; more of them go into a nameless file.
  std::size_t memory = std::size_t{1} << 30;
  std::filesystem::path scratch = {};  // the folder for it; empty: that of the system
  // Processes that train on the table together, each on its share of the rows; null: this one alone.
  Ranks* ranks = nullptr;
  // The table is gone over several times, before training and after it: gets the share of a time
  // that is done, again and again, in the calling thread. Empty: nobody wants to know.
  std::function<void(double share)> watch = {};
};

class TableWindows;
class TrainingRows;
struct TablePlan;

// A table made ready for training: columns chosen and encoded (by what the training rows hold, or
// as the model to start from has them), rows divided. Refers to the task's second table and to
// ranks.
class KNOTWORK_API PreparedTable {
 public:
  // Every process of `ranks` (null: this one alone) has the table; they share the work on it.
  PreparedTable(const Table& table, const TableTask& task, std::uint64_t seed,
                const Model* start = nullptr, Ranks* ranks = nullptr);
  // A table that stays in its file and is read in windows, larger than memory if need be. Of
  // `columns`, those that are asked for and declared count. Training gives the same bits as from
  // memory.
  PreparedTable(const StoredTable& table, const CsvOptions& columns, const TableTask& task,
                std::uint64_t seed, const Model* start = nullptr, const TableStorage& storage = {});

  std::size_t training_rows() const;
  std::size_t test_rows() const;
  const std::vector<std::string>& remarks() const;
  std::size_t missing_cells() const;  // of the table
  // Of a table that stays in its file at most so many rows at equal distances, of the test part or
  // of those to train on, with all its columns.
  Table some_rows(bool of_test_part, std::size_t most) const;

  // Views into this object. Throws bad_option for a table that stays in its file, like partition().
  const TrainingData& data() const;
  const Partition& partition() const;
  // For train() and its like.
  const TrainingRows& rows() const { return *rows_; }

  // Of a model that was trained on it: scores the second table if there is one, and keeps the
  // remarks and which rows it was trained on.
  void complete(Model& model, std::size_t threads) const;

 private:
  struct InMemory;
  PreparedTable(std::shared_ptr<const TableWindows> table, const TableTask& task,
                std::uint64_t seed, const Model* start, Ranks* ranks);
  const InMemory& memory() const;

  std::string source_;  // name of the table, without the folders of a file
  std::string weight_column_;
  const Table* test_data_;
  Ranks* ranks_;
  std::shared_ptr<const TableWindows> windows_;  // null: a table in memory
  std::shared_ptr<const TablePlan> plan_;
  std::shared_ptr<const InMemory> memory_;  // null: in its file
  std::shared_ptr<const TrainingRows> rows_;
};

KNOTWORK_API Model train(const PreparedTable& prepared, const TrainOptions& options = {},
                         const TrainObserver& observer = {}, const Model* start = nullptr,
                         Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train(const Table& table, const TableTask& task,
                         const TrainOptions& options = {}, const TrainObserver& observer = {},
                         const Model* start = nullptr);

}  // namespace knotwork
