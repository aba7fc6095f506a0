// SPDX-License-Identifier: MIT
// Gathers the contents of a model's report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "analysis/chosen_rows.hpp"
#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "parallel/watched_work.hpp"
#include "report/model/neuron_reports.hpp"

#include <knotwork/model_report.hpp>

namespace knotwork {
namespace {

constexpr const char* kPlanted = "builtin:planted";

std::string title_of(const Model& model) {
  std::vector<std::string> targets;
  for (const TargetColumn& target : model.targets) targets.push_back(target.column);
  return fmt::format("A model of {}", fmt::join(targets, ", "));
}

bool has_targets(const Table& table, const Model& model) {
  return std::all_of(model.targets.begin(), model.targets.end(), [&](const TargetColumn& target) {
    return contains(table.names, target.column);
  });
}

// The rows in which all targets are known.
std::vector<std::size_t> with_targets(const Table& table, const Model& model,
                                      std::span<const std::size_t> rows) {
  std::vector<std::size_t> labeled(rows.begin(), rows.end());
  for (const TargetColumn& target : model.targets) {
    const std::vector<double>& cells = table.columns[table.index_of(target.column)];
    std::erase_if(labeled, [&](std::size_t row) { return std::isnan(cells[row]); });
  }
  return labeled;
}

// "300 rows"; "1 row".
std::string rows_text(std::size_t rows) {
  return fmt::format("{} row{}", rows, rows == 1 ? "" : "s");
}

// The parts of gathering a report, one after the other.
class Looking {
 public:
  Looking(const Model& model, const ReportOptions& options) : options_(options) {
    report_.model = model;
    report_.title = options.title.empty() ? title_of(model) : options.title;
    report_.model_name = options.model_name;
    report_.command = options.command;
  }

  ModelReport run() {
    look_at_neurons();
    if (options_.table) look_at_rows(*options_.table);
    const auto end = part(1, 1);
    parallel::WatchedWork(end.get(), Phase::explaining, 1).advance();
    return std::move(report_);
  }

 private:
  // The ends of the parts, as approximate shares of the time.
  static constexpr double kUse = 0.2, kNeurons = 0.3, kCheck = 0.4, kImportance = 0.8;

  std::shared_ptr<Monitor> part(double from, double to) const {
    return std::make_shared<parallel::PartMonitor>(options_.monitor.get(), Phase::explaining, from,
                                                   to);
  }

  void look_at_neurons() {
    const Model& model = report_.model;
    report::NeuronSelection selection =
        report::select_neurons(model, options_.limits.neurons, options_.monitor.get());
    report_.neurons = std::move(selection.neurons);
    report_.neurons_in_all = selection.in_all;
    if (report_.neurons.size() < selection.in_all) {
      report_.notes.push_back(
          fmt::format("Of {} learned activations, the page shows the {} that moved farthest from "
                      "their initial curves.",
                      selection.in_all, report_.neurons.size()));
    }
    if (options_.table) {
      const Table& table = *options_.table;
      const std::vector<std::size_t> rows = analysis::chosen_rows(table, options_.rows);
      const std::vector<std::size_t> some =
          analysis::sampled(rows, options_.limits.rows, options_.seed);
      note_sample("Histograms of the neurons' inputs", some.size(), rows.size());
      report::add_use(report_.neurons, model, table, some, options_.threads, part(0, kUse).get());
    }
    report::add_curves(report_.neurons, model, part(kUse, kNeurons).get());
    report_.snapshots = report::add_courses(report_.neurons, model, options_.monitor.get());
    const bool planted =
        model.training.data == kPlanted || (options_.table && options_.table->source == kPlanted);
    if (planted) report::add_truth(report_.neurons, model);
  }

  void look_at_rows(const Table& table) {
    const Model& model = report_.model;
    const std::vector<std::size_t> rows = analysis::chosen_rows(table, options_.rows);
    const std::string name =
        options_.rows_name.empty()
            ? (rows.size() == 1 ? "the only row" : "all " + rows_text(rows.size()))
            : options_.rows_name;
    report_.data =
        fmt::format("{} of {}", name, std::filesystem::path(table.source).filename().string());
    if (has_targets(table, model)) {
      look_at_predictions(table, rows);
    } else {
      report_.notes.push_back(
          fmt::format("{} has no column for the target, so predictions cannot be scored and "
                      "columns cannot be ranked.",
                      table.source));
    }
    if (options_.rows.empty() && !model.training.data.empty() &&
        std::filesystem::path(table.source).filename() == model.training.data) {
      report_.notes.push_back(
          "The table has the name of the training table. If it is the training table, the model "
          "has seen most of these rows, and the scores on them are too good.");
    }
    look_at_dependence(table, rows);
  }

  void look_at_predictions(const Table& table, const std::vector<std::size_t>& rows) {
    const std::vector<std::size_t> labeled = with_targets(table, report_.model, rows);
    if (labeled.size() < rows.size()) {
      report_.notes.push_back(fmt::format("{} without a target {} not scored.",
                                          rows_text(rows.size() - labeled.size()),
                                          rows.size() - labeled.size() == 1 ? "is" : "are"));
    }
    if (labeled.empty()) return;
    const std::vector<std::size_t> checked =
        analysis::sampled(labeled, options_.limits.predictions, options_.seed);
    note_sample("Predictions", checked.size(), labeled.size());
    report_.check = check_predictions(report_.model, table, checked,
                                      {.weight_column = options_.weight_column,
                                       .seed = options_.seed,
                                       .threads = options_.threads,
                                       .monitor = part(kNeurons, kCheck)});
    if (labeled.size() > 1) look_at_importance(table, labeled);
  }

  // Fewer shuffles and rows are used if a wide table and a large network would take minutes.
  ImportanceOptions importance_options() const {
    constexpr double kBudget = 2e11;  // multiplications
    constexpr std::size_t kFewestRepeats = 3, kFewestRows = 500;
    ImportanceOptions options;
    options.weight_column = options_.weight_column;
    options.seed = options_.seed;
    options.threads = options_.threads;
    options.monitor = part(kCheck, kImportance);
    const Model& model = report_.model;
    const double each = static_cast<double>(analysis::inputs_by_column(model).size()) *
                        static_cast<double>(model.members.size()) *
                        static_cast<double>(model.members.front().parameters().size());
    const auto cost = [&] {
      return each * static_cast<double>(options.repeats) * static_cast<double>(options.most_rows);
    };
    while (cost() > kBudget && options.repeats > kFewestRepeats) --options.repeats;
    while (cost() > kBudget && options.most_rows > kFewestRows) options.most_rows /= 2;
    return options;
  }

  void look_at_importance(const Table& table, std::span<const std::size_t> rows) {
    report_.importance = permutation_importance(report_.model, table, rows, importance_options());
    note_sample("Importances", report_.importance->rows, rows.size());
  }

  // For the most important columns, or for the first columns if the importances are unknown.
  void look_at_dependence(const Table& table, std::span<const std::size_t> rows) {
    std::vector<std::string> columns;
    if (report_.importance) {
      for (const ColumnImportance& one : report_.importance->columns) {
        if (one.mean > 0) columns.push_back(one.column);
      }
      const std::size_t idle = report_.importance->columns.size() - columns.size();
      if (idle > 0 && !columns.empty()) {
        report_.notes.push_back(fmt::format(
            "Partial dependence leaves out {} column{} whose shuffling does not worsen the score.",
            idle, idle == 1 ? "" : "s"));
      }
    } else {
      for (const analysis::ColumnInputs& one : analysis::inputs_by_column(report_.model))
        columns.push_back(one.column);
    }
    if (columns.size() > options_.limits.dependences) {
      report_.notes.push_back(fmt::format(
          "Partial dependence is shown for {} of {} columns{}.", options_.limits.dependences,
          columns.size(), report_.importance ? " with an effect, the most important ones" : ""));
      columns.resize(options_.limits.dependences);
    }
    const double each = (1 - kImportance) / static_cast<double>(columns.size());
    for (const std::string& column : columns) {
      const double from = kImportance + each * static_cast<double>(report_.dependence.size());
      report_.dependence.push_back(partial_dependence(report_.model, table, column, rows,
                                                      {.seed = options_.seed,
                                                       .threads = options_.threads,
                                                       .monitor = part(from, from + each)}));
    }
    if (!report_.dependence.empty()) {
      note_sample("Partial dependences", report_.dependence.front().rows, rows.size());
    }
  }

  void note_sample(const std::string& what, std::size_t taken, std::size_t all) {
    if (taken == all) return;
    report_.notes.push_back(
        fmt::format("{} are from {} of the {}, drawn at random.", what, taken, rows_text(all)));
  }

  const ReportOptions& options_;
  ModelReport report_;
};

}  // namespace

ModelReport look_at(const Model& model, const ReportOptions& options) {
  return Looking(model, options).run();
}

}  // namespace knotwork
