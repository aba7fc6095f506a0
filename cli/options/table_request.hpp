// SPDX-License-Identifier: MIT
// The table options of commands: how the table is written, what its columns are for, and which rows
// are kept for testing.
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

// The format of a CSV file.
struct CsvRequest {
  std::vector<std::string> missing;
  bool no_missing_words = false;
  std::string decimal, delimiter;
  std::optional<std::string> comment;
  bool header = false;
  bool no_header = false;
  std::vector<std::string> dates, no_dates;
};
void add_csv_options(App app, CsvRequest& request);
// Throws bad_option naming the first given option; `why` is the rest of the sentence.
void refuse_csv_options(const CsvRequest& request, const std::string& why);
// Throws bad_option if the options contradict each other, or have no effect on this data. Options
// for cells are added to the format that a model remembers. Without data, dates are not declared.
CsvOptions csv_options(const CsvRequest& request, const CellFormat& remembered = {});
CsvOptions csv_options(const CsvRequest& request, const DataSource& data,
                       const CellFormat& remembered);

// For commands without --data: throws bad_option if an option of these groups, which concern
// --data, is given.
void refuse_options_without_data(const App& app, const std::vector<std::string>& groups);

// The columns of dates, and of no dates, in a table with these columns. Throws bad_option for an
// unknown order of dates.
void declare_dates(const CsvRequest& request, const std::vector<std::string>& columns,
                   CsvOptions& csv);

// Throws bad_option if both of two exclusive options are given.
void exclude_each_other(bool a, std::string_view first, bool b, std::string_view second);

// Appends the names that are not in the list yet.
void add_once(std::vector<std::string>& names, const std::vector<std::string>& more);

// A name with commas is read as a list, unless a column has exactly this name.
std::vector<std::string> resolve_lists(const std::vector<std::string>& names,
                                       const std::vector<std::string>& columns);

struct TableOptions {
  CsvRequest csv;
  std::vector<std::string> targets, drop, categorical, numeric;
  std::size_t one_hot_max_size = kOneHotMaxSize;
  std::string weight_column;
  bool require_target = false;
  std::optional<double> test_fraction;
  std::string test_rows, test_data;
  bool test_last = false;
  std::string group_column, stratify;
  std::string task = "auto";
  // How cells are read and which columns are needed, both from the model that training starts from.
  CellFormat cells;
  std::vector<std::string> needed;
};
// Adds all of these options (add_table_options) or all except the options for the test part.
// `options` must outlive parsing.
void add_column_options(App app, TableOptions& options);
void add_table_options(App app, TableOptions& options);

// For training that starts from a model: takes the description of columns from the model, and its
// targets unless targets are named. Throws bad_option if an option describes columns again.
void start_from(const Model& start, const std::string& data, TableOptions& options);

inline constexpr double kDefaultTestFraction = 0.3;

}  // namespace knotwork::cli
