// SPDX-License-Identifier: MIT
#include "training/data/matrix_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/any_matrix.hpp"
#include "base/fail.hpp"

namespace knotwork::training {
namespace {

ColumnView column_of(const AnyMatrixView& matrix, std::size_t column) {
  return std::visit(
      [&]<class T>(const MatrixView<const T>& view) -> ColumnView {
        return StridedView<T>{view.column(column), view.rows, view.row_stride};
      },
      matrix);
}

class MatrixRows final : public RowSource {
 public:
  explicit MatrixRows(const TrainingData& data) : rows_(rows_of(data.inputs)) {
    schema_.source = "the matrix";
    for (std::size_t c = 0; c < columns_of(data.inputs); ++c) add(column_of(data.inputs, c));
    for (std::size_t c = 0; c < columns_of(data.targets); ++c) add(column_of(data.targets, c));
    for (const std::span<const double> more : {data.weights, data.groups}) {
      if (!more.empty()) add(StridedView<double>{more.data(), more.size(), 1});
    }
  }

  const Schema& schema() const override { return schema_; }
  std::size_t rows() const override { return rows_; }
  void read(std::span<const std::size_t> columns, std::size_t first_row,
            std::span<const std::span<double>> cells) const override {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      std::visit(
          [&](const auto& view) {
            for (std::size_t r = 0; r < cells[k].size(); ++r) {
              cells[k][r] = static_cast<double>(view[first_row + r]);
            }
          },
          columns_[columns[k]]);
    }
  }
  std::optional<ColumnView> in_memory(std::size_t column) const override {
    return columns_[column];
  }

 private:
  void add(const ColumnView& column) {
    columns_.push_back(column);
    schema_.names.push_back(fmt::format("column {}", columns_.size()));
  }

  std::size_t rows_;
  std::vector<ColumnView> columns_;
  Schema schema_;
};

// Calls see(row) for the rows of the parts, part by part.
void for_each_row(const RowSets& parts, const auto& see) {
  for (const features::RowSet* part : parts) {
    if (!part->empty()) part->for_each(0, part->table_rows(), see);
  }
}

// For a sentence that names the row and the column itself.
Where at_cell(std::size_t row, std::size_t column, const std::string& name) {
  return {.row = row, .column = column + 1, .column_name = name, .is_in_sentence = true};
}

void check_finite(const AnyMatrixView& view, std::size_t column, const std::string& name,
                  const RowSets& parts) {
  for_each_row(parts, [&](std::size_t row) {
    const double value = element(view, row, column);
    if (std::isfinite(value)) return;
    fail(ErrorKind::bad_data, at_cell(row, column, name),
         "The value of column '{}' in row {} is {}; it must be finite.", name, row, value);
  });
}

void check_classes(const TrainingData& data, const std::string& target, const RowSets& parts) {
  if (columns_of(data.targets) != 1 || data.classes.size() < 2) {
    fail(ErrorKind::bad_data,
         "There are {} targets and {} classes; classes need one target, and at least two of them.",
         columns_of(data.targets), data.classes.size());
  }
  std::vector<std::string> classes = data.classes;
  std::sort(classes.begin(), classes.end());
  if (const auto twice = std::adjacent_find(classes.begin(), classes.end());
      twice != classes.end()) {
    fail(ErrorKind::bad_data, "Two columns are called '{}'; every column needs a name of its own.",
         *twice);
  }
  for_each_row(parts, [&](std::size_t row) {
    const double number = element(data.targets, row, 0);
    if (number >= 0 && number < static_cast<double>(data.classes.size()) &&
        number == std::floor(number)) {
      return;
    }
    fail(ErrorKind::bad_data, at_cell(row, 0, target),
         "The target '{}' of row {} is {}; it must be the number of a class, from 0 to {}.", target,
         row, number, data.classes.size() - 1);
  });
}

features::RowSet set_of(std::size_t rows, const std::vector<std::size_t>& list) {
  return features::RowSet::of(rows, list);
}

void check_partition(std::size_t rows, const Partition& partition) {
  std::vector<bool> taken(rows);
  for (const auto* part : {&partition.train, &partition.test}) {
    for (std::size_t k = 0; k < part->size(); ++k) {
      const std::size_t row = (*part)[k];
      if (row >= rows) {
        fail(ErrorKind::bad_data, "Row {} was requested, but there are only {} rows.", row, rows);
      }
      if (taken[row] || (k > 0 && row < (*part)[k - 1])) {
        fail(ErrorKind::bad_data,
             "Row {} is listed twice or out of order; the rows of each part must be ascending, and "
             "no row can be in both parts.",
             row);
      }
      taken[row] = true;
    }
  }
}

}  // namespace

std::shared_ptr<const RowSource> rows_of_matrices(const TrainingData& data) {
  const std::size_t rows = rows_of(data.inputs);
  if (rows_of(data.targets) != rows) {
    fail(ErrorKind::bad_data, "There are {} rows of inputs but {} rows of targets.", rows,
         rows_of(data.targets));
  }
  if (columns_of(data.inputs) == 0 || columns_of(data.targets) == 0) {
    fail(ErrorKind::bad_data, "Training needs at least one input column and one target column.");
  }
  if (!data.weights.empty() && data.weights.size() != rows) {
    fail(ErrorKind::bad_data, "There are {} rows but {} sample weights.", rows,
         data.weights.size());
  }
  if (!data.groups.empty() && data.groups.size() != rows) {
    fail(ErrorKind::bad_data, "There are {} rows but groups for {}.", rows, data.groups.size());
  }
  if (!data.groups.empty() && data.in_time_order) {
    fail(ErrorKind::bad_data,
         "Rows are held out by time or by groups, not by both; leave out one of the two.");
  }
  return std::make_shared<MatrixRows>(data);
}

features::RowSet training_set(const TrainingData& data, const Partition& partition) {
  const std::size_t rows = rows_of(data.inputs);
  check_partition(rows, partition);
  if (partition.train.empty() && partition.test.empty()) return features::RowSet::all(rows);
  return set_of(rows, partition.train);
}

features::RowSet test_set(const TrainingData& data, const Partition& partition) {
  return set_of(rows_of(data.inputs), partition.test);
}

void check_weights(const TrainingData& data, const RowSets& parts) {
  if (data.weights.empty()) return;
  for_each_row(parts, [&](std::size_t row) {
    const double weight = data.weights[row];
    if (weight >= 0 && std::isfinite(weight)) return;
    fail(ErrorKind::bad_data, "The weight of row {} is {}; weights must be finite and at least 0.",
         row, weight);
  });
}

void check_inputs(const TrainingData& data, std::size_t column, const std::string& name,
                  const RowSets& parts) {
  check_finite(data.inputs, column, name, parts);
}

void check_targets(const TrainingData& data, std::size_t column, const std::string& name,
                   const RowSets& parts) {
  check_finite(data.targets, column, name, parts);
  if (!data.classes.empty()) check_classes(data, name, parts);
}

}  // namespace knotwork::training
