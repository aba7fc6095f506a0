// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "experiments/paper.hpp"
#include "experiments/report.hpp"

namespace knotwork::experiments {
namespace {

using Cells = std::vector<std::string>;

// Counts characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

class MarkdownTable {
 public:
  explicit MarkdownTable(Cells header) : lines_{std::move(header)} {}
  void add(Cells cells) { lines_.push_back(std::move(cells)); }

  std::string text() const {
    std::vector<std::size_t> widths(lines_.front().size());
    for (const Cells& cells : lines_) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        widths[c] = std::max(widths[c], width(cells[c]));
      }
    }
    std::string text;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      for (std::size_t c = 0; c < widths.size(); ++c) {
        const std::string& cell = lines_[k][c];
        text += fmt::format("| {}{:{}}", cell, "", widths[c] - width(cell) + 1);
      }
      text += "|\n";
      if (k > 0) continue;
      for (std::size_t size : widths) text += fmt::format("|{:-<{}}", "", size + 2);
      text += "|\n";
    }
    return text;
  }

 private:
  std::vector<Cells> lines_;
};

std::string ours(const MeanDeviation& value) {
  return fmt::format("{:.3f} ± {:.3f}", value.mean, value.deviation);
}
std::string theirs(const MeanDeviation& value) {
  return fmt::format("{:.2f} ± {:.2f}", value.mean, value.deviation);
}
std::string yes_no(bool yes) {
  return yes ? "yes" : "no";
}

std::string error_table(const Report& report) {
  const bool searched = report.scenario == "scenario2";
  MarkdownTable table({"data", "network", searched ? "grid" : "optimizer", "train", "paper", "test",
                       "paper", "within one deviation", "splits", "seconds"});
  for (const Row& row : report.rows) {
    Cells cells = {row.dataset, row.network, searched ? row.grid : row.optimizer};
    cells.push_back(ours(row.errors.train));
    cells.push_back(row.paper ? theirs(row.paper->train) : "");
    cells.push_back(ours(row.errors.test));
    cells.push_back(row.paper ? theirs(row.paper->test) : "");
    cells.push_back(row.paper ? yes_no(agrees(row.errors.train, row.paper->train)) + ", " +
                                    yes_no(agrees(row.errors.test, row.paper->test))
                              : "");
    cells.push_back(fmt::format("{}", row.splits));
    cells.push_back(fmt::format("{:.0f}", row.seconds));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string lambda_table(const Report& report) {
  MarkdownTable table(
      {"data", "network", "grid", "λ_w: mean", "median", "paper", "λ_q: mean", "median", "paper"});
  const auto add = [](Cells& cells, const std::optional<LambdaSummary>& lambda,
                      std::optional<double> paper) {
    cells.push_back(lambda ? fmt::format("{:.2g}", lambda->geometric_mean) : "");
    cells.push_back(lambda ? fmt::format("2^{:g}", lambda->median_exponent) : "");
    cells.push_back(paper ? fmt::format("{:g}", *paper) : "");
  };
  for (const Row& row : report.rows) {
    if (row.grid == "none") continue;
    const PaperOptimum paper = paper_optimum(row.dataset, row.network);
    Cells cells = {row.dataset, row.network, row.grid};
    add(cells, row.lambda_w, paper.lambda_w);
    add(cells, row.lambda_q, paper.lambda_q);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string ablation_table(const Report& report) {
  MarkdownTable table({"changed", "to", "data", "train", "test", "splits"});
  for (const Row& row : report.rows) {
    table.add({row.factor, row.value, row.dataset, ours(row.errors.train), ours(row.errors.test),
               fmt::format("{}", row.splits)});
  }
  return table.text();
}

std::string cost_table(const Report& report) {
  MarkdownTable table({"network", "in", "rows", "tanh: best", "median", "spline: best", "median",
                       "ratio of best", "of median", "paper"});
  const auto microseconds = [](double seconds) { return fmt::format("{:.1f} µs", seconds * 1e6); };
  for (const CostRow& row : report.costs) {
    table.add({row.network, row.precision, fmt::format("{}", row.rows), microseconds(row.tanh.best),
               microseconds(row.tanh.median), microseconds(row.spline.best),
               microseconds(row.spline.median),
               fmt::format("{:.2f}", row.spline.best / row.tanh.best),
               fmt::format("{:.2f}", row.spline.median / row.tanh.median),
               fmt::format("at most {}", kPaperCost)});
  }
  return table.text();
}

}  // namespace

std::string tables(const Report& report) {
  if (report.scenario == "cost") return cost_table(report);
  if (report.scenario == "ablation") return ablation_table(report);
  if (report.scenario == "scenario2") return error_table(report) + "\n" + lambda_table(report);
  return error_table(report);
}

}  // namespace knotwork::experiments
