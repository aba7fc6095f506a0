// SPDX-License-Identifier: MIT
#include <knotwork/error.hpp>

#include <fmt/format.h>

#include <new>
#include <utility>

#include "base/quoting.hpp"

namespace knotwork {
namespace {

// Words for what(): complete without the syntax of any front end.
const HintWords& plain_words() {
  static const HintWords words = {"set the option", [](const OptionSetting& setting) {
                                    return setting.value.empty()
                                               ? setting.option
                                               : fmt::format("{} to {}", setting.option,
                                                             shown(setting.value));
                                  }};
  return words;
}

// "Rank 2: table.csv, line 7, column 3 ('age'): ".
std::string beginning(const Where& where) {
  const std::string part = where.part.empty() ? "" : where.part + ": ";
  if (where.is_in_sentence) return part;
  const std::string place = to_text(where);
  if (place.empty()) return part;
  const bool is_inside = where.line > 0 || where.row || !where.row_name.empty() ||
                         where.column > 0 || !where.column_name.empty();
  return part + place + (is_inside ? ": " : " ");
}

std::string ending(const Hint& hint, const HintWords& words) {
  std::string text = hint.action;
  if (hint.settings.empty()) return text;
  if (!text.empty()) text += ", or ";
  if (!hint.purpose.empty()) text += hint.purpose + ", ";
  text += words.verb + " ";
  for (std::size_t k = 0; k < hint.settings.size(); ++k) {
    text += (k == 0 ? "" : " or ") + words.setting(hint.settings[k]);
  }
  return text;
}

std::string composed(const Where& where, const std::string& sentence, const Hint& hint,
                     const HintWords& words) {
  std::string text = beginning(where) + sentence;
  if (hint.is_empty()) return text;
  if (text.ends_with('.')) text.pop_back();
  return text + "; " + ending(hint, words) + ".";
}

}  // namespace

std::string to_text(const Where& where) {
  std::string place = where.subject;
  if (!where.file.empty()) place += (place.empty() ? "" : " ") + where.file;
  const auto add = [&](const std::string& more) { place += (place.empty() ? "" : ", ") + more; };
  if (where.line > 0) add(fmt::format("line {}", where.line));
  if (where.row) add(fmt::format("row {}", *where.row));
  if (!where.row_name.empty()) add(where.row_name);
  const std::string name =
      where.column_name.empty() ? "" : fmt::format("'{}'", shown(where.column_name));
  if (where.column == 0 && !name.empty()) add("column " + name);
  if (where.column > 0) {
    add(fmt::format("column {}", where.column) + (name.empty() ? "" : " (" + name + ")"));
  }
  return place;
}

Error::Error(ErrorKind kind, const std::string& message) : Error(kind, Where{}, Hint{}, message) {}

Error::Error(ErrorKind kind, Where where, Hint hint, const std::string& sentence)
    : std::runtime_error(composed(where, sentence, hint, plain_words())),
      kind_(kind),
      fields_(std::make_shared<const Fields>(Fields{std::move(where), std::move(hint), sentence})) {
}

std::string Error::message(const HintWords& words) const {
  return composed(where(), sentence(), hint(), words);
}

Remark::Remark(Hint hint, const std::string& sentence)
    : std::string(composed({}, sentence, hint, plain_words())),
      hint_(std::move(hint)),
      sentence_(sentence) {}

std::string Remark::message(const HintWords& words) const {
  return composed({}, sentence_, hint_, words);
}

Error as_error(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) return *known;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {ErrorKind::failed_run, "There is not enough memory for this."};
  }
  return {ErrorKind::failed_run,
          "Something unexpected went wrong: " + std::string(error.what()) + "."};
}

}  // namespace knotwork
