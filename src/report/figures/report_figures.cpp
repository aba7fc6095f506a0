// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <set>

#include "parallel/watched_work.hpp"
#include "report/figures/model_figures.hpp"

namespace knotwork {
namespace report {

std::string file_word(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string word;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (letter || digit) {
      word += letter ? static_cast<char>(c | 0x20) : c;  // the bit that makes it lower case
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
    if (word.size() == kLongest) break;
  }
  while (word.ends_with('-')) word.pop_back();
  return word.empty() ? "column" : word;
}

std::vector<std::string> short_prediction_names(const Model& model) {
  if (model.classifies()) return model.targets.front().classes;
  if (model.targets.size() > 1 || model.targets.front().quantiles.size() < 2) {
    return model.prediction_names();
  }
  std::vector<std::string> names;
  for (const double level : model.targets.front().quantiles) {
    names.push_back(fmt::format("quantile {:g}", level));
  }
  return names;
}

namespace {

// Two columns may have names that differ only in characters not allowed in a file name.
std::string unique_name(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted;
  for (int k = 2; !taken.insert(name).second; ++k) name = wanted + "-" + std::to_string(k);
  return name;
}

}  // namespace
}  // namespace report

std::vector<NamedFigure> report_figures(const ModelReport& report, Monitor* monitor) {
  parallel::WatchedWork work(monitor, Phase::writing,
                             1 + static_cast<double>(report.neurons.size()));
  std::vector<NamedFigure> figures;
  std::set<std::string> taken;
  const auto add = [&](report::PageFigure figure) {
    parallel::check_stop(monitor);
    figures.push_back({report::unique_name(figure.name, taken), std::move(figure.svg)});
  };
  const auto add_all = [&](report::PageFigures some) {
    for (report::PageFigure& figure : some) add(std::move(figure));
  };
  add_all(report::course_figures(report));
  add_all(report::prediction_figures(report));
  if (auto importance = report::importance_figure(report)) add(*std::move(importance));
  add_all(report::dependence_figures(report));
  add(report::diagram(report));
  work.advance();
  for (const NeuronReport& neuron : report.neurons) {
    add(report::activation_figure_of(report, neuron));
    work.advance();
  }
  return figures;
}

}  // namespace knotwork
