// SPDX-License-Identifier: MIT
// A selection of rows of a table, as a model reads and predicts them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/monitor.hpp>
#include <knotwork/table.hpp>

namespace knotwork::analysis {

// The given rows; none given: all rows. Throws bad_data for a row that the table does not have.
std::vector<std::size_t> chosen_rows(const Table& table, std::span<const std::size_t> rows);

// At most `most` of the rows, drawn at random from the seed, in their order. (Rows at equal
// distances would mislead in a table with a period: if sensors take turns, all rows could be of one
// sensor.)
std::vector<std::size_t> sampled(std::span<const std::size_t> rows, std::size_t most,
                                 std::uint64_t seed);

// The sample weights of the rows; none if the name is empty. Throws bad_data for a weight that is
// not valid.
std::vector<double> chosen_weights(const Table& table, const std::string& weight_column,
                                   std::span<const std::size_t> rows);

// A column of a table, and the inputs of the model that read it.
struct ColumnInputs {
  std::string column;
  std::vector<std::size_t> inputs;
};
// In the order of the inputs.
std::vector<ColumnInputs> inputs_by_column(const Model& model);

// The inputs of the rows, before scaling, column by column.
std::vector<double> raw_inputs(const EncodedTable& table, std::span<const std::size_t> rows);

// A number of rows, at most `most`, that networks with this many parameters predict in about a
// hundredth of a second; between two such chunks a monitor can request a stop.
std::size_t rows_at_once(std::size_t parameters, std::size_t threads, std::size_t most);

// Columns of predictions, one after the other: for `rows` rows of raw inputs, or for the rows of a
// table, which are copied part by part. `monitor` may be null; it is only asked whether to stop.
std::vector<double> predict_columns(const Model& model, std::span<const double> inputs,
                                    std::size_t rows, std::size_t threads, const Monitor* monitor);
std::vector<double> predict_columns(const Model& model, const EncodedTable& table,
                                    std::span<const std::size_t> rows, std::size_t threads,
                                    const Monitor* monitor);

}  // namespace knotwork::analysis
