// SPDX-License-Identifier: MIT
#include "cli/commands/compare/compare_drafts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/fail.hpp"
#include "base/name_list.hpp"
#include "cli/options/known_values.hpp"
#include "cli/output/error_text.hpp"
#include "cli/program/explain.hpp"

#include <knotwork/names.hpp>

namespace knotwork::cli {
namespace {

using Names = std::vector<std::string>;

TrainingRequest nothing_given() {
  TrainingRequest request;
  request.values.resize(train_option_fields().size());
  return request;
}

Names split(std::string_view text, char separator) {
  Names parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The names in a list; the word `all` means the names in `all` that the list does not contain.
// `canonical` returns the standard form of a name, and refuses unknown names.
Names read_list(const std::string& option, const std::string& text, const Names& all,
                const std::function<std::string(const std::string&)>& canonical) {
  Names listed;
  for (const std::string& word : split(text, ',')) {
    if (word.empty()) {
      fail(ErrorKind::bad_option, of_typed(option),
           "{} {} has an empty name; write names as in {} {},{}.", option, text, option, all[0],
           all[1]);
    }
    listed.push_back(word == "all" ? word : canonical(word));
    if (std::count(listed.begin(), listed.end(), listed.back()) > 1) {
      fail(ErrorKind::bad_option, of_typed(option), "{} names '{}' twice; name it once.", option,
           listed.back());
    }
  }
  Names names;
  for (const std::string& name : listed) {
    if (name != "all") names.push_back(name);
    if (name != "all") continue;
    std::copy_if(all.begin(), all.end(), std::back_inserter(names),
                 [&](const std::string& other) { return !contains(listed, other); });
  }
  return names;
}

std::function<std::string(const std::string&)> known_in(std::string family, Names known) {
  return [family = std::move(family), known = std::move(known)](const std::string& name) {
    check_value(family, name, known);
    return name;
  };
}

void add_activations(const CompareRequest& request, std::vector<Draft>& drafts) {
  if (request.activations.empty()) return;
  Names all = builtin_activations().names();
  const TrainOptionField& field = option_field(&TrainOptions::activation);
  const auto canonical = known_in(field.name, all);
  std::erase(all, "identity");  // identity would make the network a linear model
  for (const std::string& name : read_list("--activations", request.activations, all, canonical)) {
    drafts.push_back({name, nothing_given(), {}});
    drafts.back().own.values[index_of_option(field)] = name;
  }
}

void add_bases(const CompareRequest& request, std::vector<Draft>& drafts) {
  if (request.bases.empty()) return;
  const Names all = spline_bases().names();
  const std::size_t basis = index_of_option(option_field(&SplineOptions::basis));
  const std::size_t tension = index_of_option(option_field(&SplineOptions::tension));
  for (const std::string& name :
       read_list("--bases", request.bases, all, known_in("spline basis", all))) {
    drafts.push_back({name, nothing_given(), {}});
    drafts.back().own.values[basis] = name;
    // Without a tension, the basis would equal catmull-rom.
    if (spline_bases().at(name).with_tension && !request.training.values[tension]) {
      drafts.back().own.values[tension] = "0.5";
    }
  }
}

// The options that are weights of penalties on splines; a penalty has the name of its regularizer.
std::vector<const TrainOptionField*> spline_penalties() {
  return {&option_field(&TrainOptions::lambda_q), &option_field(&TrainOptions::lambda_slope),
          &option_field(&TrainOptions::lambda_curvature)};
}

// "damping+curvature", in this order.
std::string canonical_penalties(const std::string& text) {
  const Names parts = split(text, '+');
  Names known = {"none"};
  for (const TrainOptionField* penalty : spline_penalties()) known.push_back(penalty->regularizer);
  for (const std::string& part : parts) {
    check_value("penalty", part, known);
    if (part == "none" && parts.size() > 1) {
      fail(ErrorKind::bad_option, of_option("penalties"),
           "--penalties {} joins the word none with other penalties; none must be used alone.",
           text);
    }
    if (std::count(parts.begin(), parts.end(), part) > 1) {
      fail(ErrorKind::bad_option, of_option("penalties"),
           "--penalties {} names {} twice; name it once.", text, part);
    }
  }
  Names ordered;
  std::copy_if(known.begin(), known.end(), std::back_inserter(ordered),
               [&](const std::string& word) { return contains(parts, word); });
  return fmt::format("{}", fmt::join(ordered, "+"));
}

void add_penalties(const CompareRequest& request, std::vector<Draft>& drafts) {
  if (request.penalties.empty()) return;
  for (const std::string& name :
       read_list("--penalties", request.penalties, kPenalties, canonical_penalties)) {
    Draft& draft = drafts.emplace_back(Draft{name, nothing_given(), Names{}});
    const Names words = split(name, '+');
    for (const TrainOptionField* penalty : spline_penalties()) {
      if (contains(words, penalty->regularizer)) {
        draft.penalties->push_back(penalty->name);
      } else {
        draft.own.values[index_of_option(*penalty)] = "0";
      }
    }
  }
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// Reads the options of a variant in the same way as the options of the command line.
TrainingRequest parse_options(const std::string& name, const std::string& text) {
  TrainingRequest own;
  Parser parser;
  const App app = parser.app();
  parser.remove_help();
  parser.allow_extras();
  add_training_options(app, own, false);
  parser.remove_option("--isa");  // the whole run has one instruction set
  const auto refuse = [&](const std::string& why) {
    fail(ErrorKind::bad_option, "Variant '{}': {}", name, why);
  };
  if (const ParseResult result = parser.parse(text); result.end != ParseEnd::done) {
    const std::string mismatch = explain_mismatch(result, app);
    refuse(mismatch.empty() ? result.text + "." : mismatch);
  }
  for (const std::string& word : parser.remaining()) {
    refuse(word.starts_with("-") ? explain_unknown_option(word, app, "knotwork train --help")
                                 : fmt::format("'{}' does not belong to an option; write options "
                                               "as in 'deep: --hidden 20,20 --free-bias'.",
                                               word));
  }
  return own;
}

void add_named(const CompareRequest& request, std::vector<Draft>& drafts) {
  for (const std::string& text : request.variants) {
    const std::size_t colon = text.find(':');
    const std::string name = trimmed(text.substr(0, colon));
    if (colon == std::string::npos || name.empty()) {
      fail(ErrorKind::bad_option, of_option("variant"),
           "--variant '{}' has no name; write the name, a colon and options, as in 'deep: --hidden "
           "20,20'.",
           text);
    }
    drafts.push_back({name, parse_options(name, text.substr(colon + 1)), {}});
  }
}

}  // namespace

std::size_t index_of_option(const TrainOptionField& field) {
  return static_cast<std::size_t>(&field - train_option_fields().data());
}

std::vector<Draft> make_drafts(const CompareRequest& request) {
  std::vector<Draft> drafts;
  add_activations(request, drafts);
  add_bases(request, drafts);
  add_penalties(request, drafts);
  add_named(request, drafts);
  if (drafts.size() < 2) {
    fail(ErrorKind::bad_option,
         "There must be at least two variants to compare, not {}; list them with --activations, "
         "--bases or --penalties, or name them with --variant.",
         drafts.size());
  }
  for (auto draft = drafts.begin(); draft != drafts.end(); ++draft) {
    const bool twice = std::any_of(drafts.begin(), draft,
                                   [&](const Draft& other) { return other.name == draft->name; });
    if (!twice) continue;
    fail(ErrorKind::bad_option, "Two variants have the name '{}'; give each a different name.",
         draft->name);
  }
  return drafts;
}

}  // namespace knotwork::cli
