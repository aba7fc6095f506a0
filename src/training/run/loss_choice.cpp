// SPDX-License-Identifier: MIT
#include "training/run/loss_choice.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/fail.hpp"
#include "options/option_errors.hpp"
#include "options/option_text.hpp"

namespace knotwork::training {

std::shared_ptr<const Loss> loss_for(const TrainOptions& options,
                                     std::span<const TargetColumn> targets) {
  const std::size_t classes = targets.front().classes.size();
  const char* const usual = classes == 0 ? "squared" : (classes == 2 ? "logistic" : "softmax");
  const std::string name = options.loss == "auto" ? usual : options.loss;
  const LossTable& table = options.losses ? *options.losses : builtin_losses();
  // Losses for classes need at least one class; two are enough to find their kind.
  std::shared_ptr<const Loss> loss =
      table.at(name).make({options.huber_delta, options.quantiles, classes == 0 ? 2 : classes});
  if (loss->kind() != table.at(name).kind) {
    fail(ErrorKind::bad_option, "The loss '{}' predicts {}, but its table entry says {}.", name,
         to_string(loss->kind()), to_string(table.at(name).kind));
  }
  if (loss->classes() != classes ||
      (classes > 0 && loss->outputs(1) != targets.front().outputs())) {
    const bool numbers = classes == 0;
    const std::string& option = option_field(&TrainOptions::loss).name;
    fail(ErrorKind::bad_option, of_option(option),
         Hint{.settings = {{option, usual}, {"task", numbers ? "classification" : "regression"}}},
         "The loss '{}' does not suit {}.", name,
         numbers ? "a target of numbers" : fmt::format("{} classes", classes));
  }
  return loss;
}

namespace {

std::vector<double> read_class_weights(const TrainOptions& options, const TargetColumn& target,
                                       std::span<const double> masses) {
  const std::string& text = options.class_weights;
  if (text == "equal") return {};
  const std::size_t classes = target.classes.size();
  if (classes == 0) {
    fail(ErrorKind::bad_option, "class-weights is '{}', but '{}' is a target of numbers.", text,
         target.column);
  }
  std::vector<double> weights(classes, 1);
  if (text == "balanced") {
    const double all = std::accumulate(masses.begin(), masses.end(), 0.0);
    for (std::size_t c = 0; c < classes; ++c) {
      if (masses[c] > 0) weights[c] = all / (static_cast<double>(classes) * masses[c]);
    }
    return weights;
  }
  std::set<std::string_view> named;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = part.rfind('=');
    if (equals == std::string_view::npos) {
      fail(ErrorKind::bad_option,
           "class-weights must be equal, balanced, or label=weight,..., not '{}'.", text);
    }
    const std::string_view label = part.substr(0, equals);
    const auto place = std::find(target.classes.begin(), target.classes.end(), label);
    if (place == target.classes.end()) {
      throw Error(ErrorKind::bad_option, unknown_name_message("class", label, target.classes));
    }
    double& weight = weights[static_cast<std::size_t>(place - target.classes.begin())];
    if (!named.insert(label).second) {
      fail(ErrorKind::bad_option, "class-weights has two weights for '{}'.", label);
    }
    try {
      read_option(fmt::format("The weight of class '{}'", label), part.substr(equals + 1), weight);
    } catch (const Error& error) {
      throw moved_to(error, of_option(&TrainOptions::class_weights));
    }
    if (!(weight >= 0)) {
      fail(ErrorKind::bad_option, "The weight of class '{}' is {}; it must be at least 0.", label,
           weight);
    }
  }
  return weights;
}

}  // namespace

std::vector<double> class_weights(const TrainOptions& options, const TargetColumn& target,
                                  std::span<const double> masses) {
  return with_option(option_field(&TrainOptions::class_weights).name,
                     [&] { return read_class_weights(options, target, masses); });
}

}  // namespace knotwork::training
