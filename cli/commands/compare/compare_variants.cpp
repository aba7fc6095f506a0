// SPDX-License-Identifier: MIT
#include "cli/commands/compare/compare_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/commands/compare/compare_drafts.hpp"

namespace knotwork::cli {
namespace {

using Names = std::vector<std::string>;

// Refuses options that cannot differ between variants, or that would make scores depend on more
// than the options.
void check_options(const TrainingRequest& request, bool of_variant) {
  for (const TrainOptionField& field : train_option_fields()) {
    if (!request.values[index_of_option(field)]) continue;
    switch (field.effect) {
      case OptionEffect::bits:
        break;
      case OptionEffect::clock:
        fail(ErrorKind::bad_option, of_option(field.name),
             "--{} would make scores depend on the speed of the machine; limit --iterations.",
             field.name);
      case OptionEffect::final_model:
      case OptionEffect::record_only:
        fail(ErrorKind::bad_option, of_option(field.name),
             "--{} would have no effect: no model is kept.", field.name);
      case OptionEffect::time_only:
        if (!of_variant) break;
        fail(ErrorKind::bad_option, of_option(field.name),
             "--{} applies to all variants together; it cannot be set for one.", field.name);
    }
  }
}

TrainingRequest merged(const TrainingRequest& common, const TrainingRequest& own) {
  TrainingRequest request = common;
  if (!own.preset.empty()) request.preset = own.preset;
  for (std::size_t k = 0; k < own.values.size(); ++k) {
    if (own.values[k]) request.values[k] = own.values[k];
  }
  return request;
}

class Maker {
 public:
  explicit Maker(const TrainingRequest& common) : common_(common) {}

  Variant make(const Draft& draft) {
    check_options(draft.own, true);
    TrainingRequest request = merged(common_, draft.own);
    const TrainOptions all = read_unchecked_options(request);
    const auto& fields = train_option_fields();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (!common_.values[k]) continue;
      // An option for all variants may have no effect in some of the variants.
      const std::string reason =
          draft.own.values[k] ? "every variant sets it itself" : fields[k].unused_because(all);
      if (reason.empty()) {
        used_.insert(fields[k].name);
      } else {
        reasons_.emplace(fields[k].name, reason);
        if (!draft.own.values[k]) request.values[k].reset();
      }
    }
    Variant variant{draft.name, read_training_options(request), {}};
    Names given;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (request.values[k]) given.push_back(fields[k].name);
    }
    variant.tuned = own_penalties(variant.options, given);
    if (draft.penalties) {
      const std::string& weights = option_field(&TrainOptions::lambda_w).name;
      std::erase_if(variant.tuned, [&](const std::string& option) { return option != weights; });
      for (const std::string& option : *draft.penalties) {
        if (!contains(given, option)) variant.tuned.push_back(option);
      }
    }
    return variant;
  }

  void check_all_used() const {
    for (const auto& [option, reason] : reasons_) {
      if (used_.contains(option)) continue;
      fail(ErrorKind::bad_option, of_option(option), "--{} would have no effect: {}.", option,
           reason);
    }
  }

 private:
  const TrainingRequest& common_;
  std::set<std::string> used_;
  std::map<std::string, std::string> reasons_;  // why an option had no effect in a variant
};

// With budget 0, a penalty that gives a variant its name must be set by an option.
void check_not_zero(const Variant& variant) {
  for (const std::string& option : variant.tuned) {
    if (option_field(option).get(variant.options) != "0") continue;
    fail(ErrorKind::bad_option, "With --budget 0 no value is chosen for {0}; set --{0}.", option);
  }
}

// An error in the options for all variants is reported without a variant's name.
std::optional<Error> complaint_about(const TrainingRequest& common) {
  try {
    check(read_unchecked_options(common));
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

bool is_same(const Error& a, const Error& b) {
  return a.kind() == b.kind() && a.option() == b.option() && a.sentence() == b.sentence();
}

}  // namespace

std::vector<Variant> make_variants(const CompareRequest& request) {
  const TrainingRequest& common = request.training;
  check_options(common, false);
  read_unchecked_options(common);  // checks that the values can be read
  const std::optional<Error> complaint = complaint_about(common);
  std::vector<Variant> variants;
  Maker maker(common);
  for (const Draft& draft : make_drafts(request)) {
    try {
      variants.push_back(maker.make(draft));
      if (draft.penalties && request.budget == 0u) check_not_zero(variants.back());
    } catch (const Error& error) {
      if (complaint && is_same(error, *complaint)) throw;
      throw of_part(error, fmt::format("Variant '{}'", draft.name));
    }
  }
  maker.check_all_used();
  return variants;
}

ComparisonOptions make_comparison(const CompareRequest& request,
                                  const std::vector<Variant>& variants) {
  ComparisonOptions options;
  options.folds = request.folds;
  options.repeats = request.repeats;
  options.budget = request.budget.value_or(options.budget);
  options.inner_folds = request.inner_folds.value_or(options.inner_folds);
  const TrainOptions common = read_unchecked_options(request.training);
  options.seed = common.seed;
  options.threads = common.threads;
  check(options);
  const bool nothing_open = std::all_of(variants.begin(), variants.end(),
                                        [](const Variant& v) { return v.tuned.empty(); });
  if (nothing_open && options.budget > 0) {
    if (request.budget) {
      fail(ErrorKind::bad_option, of_option("budget"),
           "--budget would have no effect: all penalties are given, or have no effect.");
    }
    options.budget = 0;
  }
  if (options.budget == 0 && request.inner_folds) {
    fail(ErrorKind::bad_option, of_option("inner-folds"),
         "--inner-folds would have no effect: no penalties are chosen.");
  }
  return options;
}

}  // namespace knotwork::cli
