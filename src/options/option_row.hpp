// SPDX-License-Identifier: MIT
// OptionRow is a row of the option table (option_table.cpp): its constructor takes what every
// option has, and calls add what is special about an option.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "options/option_reasons.hpp"
#include "options/option_text.hpp"

#include <knotwork/options.hpp>

namespace knotwork {

// A row for the member of type `Value` that `access` returns; the functions for its type in
// option_text.hpp read and write it. All members of a type share one class, which makes the table
// fast to compile.
template <class Value>
class OptionRow : public TrainOptionField {
 public:
  using Access = Value& (*)(TrainOptions&);

  OptionRow(OptionGroup its_group, std::string its_name, std::string its_value,
            std::string its_help, Access access)
      : access_(access) {
    name = std::move(its_name);
    value = std::move(its_value);
    help = std::move(its_help);
    group = its_group;
    set = [own = name, access](TrainOptions& options, std::string_view text) {
      read_option(own, text, access(options));
    };
    get = [access](const TrainOptions& options) { return write_option(read(access, options)); };
    unused_because = [](const TrainOptions&) { return std::string(); };
    check = [](const TrainOptions&) {};
    place = [access](const TrainOptions& options) -> const void* { return &read(access, options); };
  }

  // --- Purpose

  OptionRow& of_model() { return describes_model = true, *this; }
  OptionRow& carries_over() { return carried_over = true, *this; }
  OptionRow& leaves_design_open() { return fixes_design = false, *this; }
  OptionRow& chosen(ChosenBy by) { return chosen_by = by, *this; }
  OptionRow& with_effect(OptionEffect its_effect) {
    effect = its_effect;
    // An option that changes no network does not rule out other designs.
    if (effect != OptionEffect::bits) fixes_design = false;
    return *this;
  }
  OptionRow& after_updates() { return needs_proximal_steps = true, *this; }
  // The option is the weight of the named regularizer. Call it after unused(); a schedule is
  // checked before that.
  OptionRow& lambda_of(std::string its_regularizer) {
    regularizer = std::move(its_regularizer);
    lambda = [access = access_](const TrainOptions& options) { return read(access, options); };
    return unused([own = name, otherwise = unused_because](const TrainOptions& options) {
             for (const PenaltyCourse& course : options.penalty_schedule) {
               if (course.option == own) return std::string("penalty-schedule gives its values");
             }
             return otherwise(options);
           })
        .at_least_zero();
  }
  OptionRow& unused(std::function<std::string(const TrainOptions&)> because) {
    return unused_because = std::move(because), *this;
  }
  OptionRow& one_of(std::vector<std::string> all) { return values = std::move(all), *this; }

  // --- Allowed values, beyond what the type requires

  // `rule` is called with the option's value, or with each value of a list; it returns what an
  // invalid value should have been.
  template <class Rule>
  OptionRow& must_be(Rule rule) {
    return checked([own = name, access = access_, rule](const TrainOptions& options) {
      for_each_value(read(access, options), [&](const auto& one) {
        const std::string wanted = rule(one);
        if (wanted.empty()) return;
        fail(ErrorKind::bad_option, of_option(own), "{} must be {}, not {}.", own, wanted, one);
      });
    });
  }
  OptionRow& at_least_zero() {
    return must_be(
        [](double x) { return x >= 0 && std::isfinite(x) ? "" : "a number of at least 0"; });
  }
  OptionRow& above_zero() {
    return must_be([](double x) { return x > 0 && std::isfinite(x) ? "" : "a number above 0"; });
  }
  OptionRow& share_below_one() {
    return must_be([](double x) { return x >= 0 && x < 1 ? "" : "at least 0 and below 1"; });
  }
  OptionRow& from_to(std::size_t least, std::size_t most) {
    return must_be([=](std::size_t x) {
      return x >= least && x <= most ? "" : fmt::format("from {} to {}", least, most);
    });
  }
  OptionRow& at_most(std::size_t most) {
    return must_be([=](std::size_t x) { return x <= most ? "" : fmt::format("at most {}", most); });
  }
  // Allows only values(), for options that are not checked when they are read.
  OptionRow& only_these() {
    return checked([own = name, all = values, access = access_](const TrainOptions& options) {
      const std::string& text = read(access, options);
      if (contains(all, text)) return;
      fail(ErrorKind::bad_option, of_option(own), "{}", unknown_name_message(own, text, all));
    });
  }
  // Any other condition; all conditions are checked.
  OptionRow& checked(std::function<void(const TrainOptions&)> also) {
    check = [before = check, also = std::move(also), own = name](const TrainOptions& options) {
      before(options);
      with_option(own, [&] { also(options); });
    };
    return *this;
  }

 private:
  // `access` only selects a member.
  static const Value& read(Access access, const TrainOptions& options) {
    return access(const_cast<TrainOptions&>(options));
  }
  template <class One, class Visit>
  static void for_each_value(const One& one, const Visit& visit) {
    visit(one);
  }
  template <class One, class Visit>
  static void for_each_value(const std::vector<One>& all, const Visit& visit) {
    for (const One& one : all) visit(one);
  }

  Access access_;
};

}  // namespace knotwork
