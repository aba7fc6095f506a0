// SPDX-License-Identifier: MIT
// Some rows of a table, as a model reads and predicts them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork::analysis {

// The rows asked for; none given: all of them. Throws bad_data for one that the table does not
// have.
std::vector<std::size_t> chosen_rows(const Table& table, std::span<const std::size_t> rows);

// At most so many of them, drawn at random by the seed, in their order. (At equal distances a table
// with a period, of sensors that take turns for instance, would show one of them only.)
std::vector<std::size_t> sampled(std::span<const std::size_t> rows, std::size_t most,
                                 std::uint64_t seed);

// Their sample weights; none if the column has no name. Throws bad_data for what is no weight.
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

// Columns of predictions, one after the other: for so many rows of raw inputs, or for the rows of a
// table, of which only a part is copied at a time.
std::vector<double> predict_columns(const Model& model, std::span<const double> inputs,
                                    std::size_t rows, std::size_t threads);
std::vector<double> predict_columns(const Model& model, const EncodedTable& table,
                                    std::span<const std::size_t> rows, std::size_t threads);

}  // namespace knotwork::analysis
