// SPDX-License-Identifier: MIT
// What commands take about a table: how it is written, what its columns are for, and which rows are
// kept for testing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/parser.hpp"
#include "cli/tables/data_source.hpp"

#include <knotwork/training.hpp>

namespace knotwork::cli {

// How a CSV file is written.
struct CsvRequest {
  std::vector<std::string> missing;
  bool no_missing_words = false;
  std::string decimal, delimiter;
  bool header = false;
  bool no_header = false;
};
void add_csv_options(App app, CsvRequest& request);
// Throws bad_option when one is given, naming it: `why` is a sentence without its start.
void refuse_csv_options(const CsvRequest& request, const std::string& why);
// Throws bad_option when the options contradict each other, or have no effect on this data. What
// they say of cells comes on top of what a model remembers.
CsvOptions csv_options(const CsvRequest& request, const CellFormat& remembered = {});
CsvOptions csv_options(const CsvRequest& request, const DataSource& data,
                       const CellFormat& remembered);

// For commands whose --data is not given: throws bad_option when an option of these groups, which
// are about it, is.
void refuse_options_without_data(const App& app, const std::vector<std::string>& groups);

// Throws bad_option when two options are given that exclude each other.
void exclude_each_other(bool a, std::string_view first, bool b, std::string_view second);

// Appends those that are not there yet.
void add_once(std::vector<std::string>& names, const std::vector<std::string>& more);

// Names with commas in them are lists, unless a column is called just so.
std::vector<std::string> resolve_lists(const std::vector<std::string>& names,
                                       const std::vector<std::string>& columns);

struct TableOptions {
  CsvRequest csv;
  std::vector<std::string> targets, drop, categorical, numeric;
  std::string weight_column;
  std::optional<double> test_fraction;
  std::string test_rows, test_data;
  bool test_last = false;
  std::string group_column, stratify;
  std::string task = "auto";
  // From a model to start from: how cells are read, and the columns that are needed.
  CellFormat cells;
  std::vector<std::string> needed;
};
// All of the above, or all but what concerns the test part. `options` must outlive parsing.
void add_column_options(App app, TableOptions& options);
void add_table_options(App app, TableOptions& options);

// For training that goes on from a model: throws bad_option when columns are described that come
// with the model, and fills in what they are, and its targets unless some are named.
void start_from(const Model& start, const std::string& data, TableOptions& options);

inline constexpr double kDefaultTestFraction = 0.3;

}  // namespace knotwork::cli
