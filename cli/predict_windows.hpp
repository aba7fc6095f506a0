// SPDX-License-Identifier: MIT
// Predictions for tables that stay in their file, by one process or several: memory does not grow
// with the rows.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <knotwork/encoding.hpp>
#include <knotwork/model.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/table_file.hpp>

namespace knotwork::cli {

struct WindowRequest {
  std::vector<std::string> keep = {};  // columns that stand before the predictions
  bool spread = false;
  std::size_t threads = 1;
};

// Hands the lines of a CSV text to `write` as they come, on the first rank: its header, then a line
// for each row, whatever the number of ranks. They take the windows of the table in turn, and the
// first has to hold the text of one of each at a time. Every rank asks its `progress` again and
// again, with the share that is done; when one says false, all end with nothing. Otherwise all get
// what the table held that training did not.
std::optional<EncodingReport> predict_windows(Ranks& ranks, const Model& model,
                                              const StoredTable& stored, CsvOptions csv,
                                              const WindowRequest& request,
                                              const std::function<void(std::string_view)>& write,
                                              const std::function<bool(double share)>& progress);

}  // namespace knotwork::cli
