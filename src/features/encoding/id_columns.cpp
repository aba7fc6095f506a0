// SPDX-License-Identifier: MIT
#include "features/encoding/id_columns.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace knotwork::features {
namespace {

// Fewer different numbers, or fewer that rise, prove nothing.
constexpr std::size_t kFewestIds = 3, kFewestRising = 8;

bool is_upper(char c) {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(char c) {
  // Bytes of letters beyond ASCII too.
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

// The words of a name in lower case: "CustomerID2" has customer and id.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool is_open = false;  // whether the next letter may belong to the last word
  for (std::size_t k = 0; k < name.size(); ++k) {
    const char c = name[k];
    if (!is_letter(c)) {
      is_open = false;
      continue;
    }
    // "customerId" has a new word at I, "IDCode" at C.
    const bool after_lower = k > 0 && is_letter(name[k - 1]) && !is_upper(name[k - 1]);
    const bool before_lower = k + 1 < name.size() && is_letter(name[k + 1]) &&
                              !is_upper(name[k + 1]) && k > 0 && is_upper(name[k - 1]);
    if (!is_open || (is_upper(c) && (after_lower || before_lower))) words.emplace_back();
    is_open = true;
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Words for ids, and what can stand before them in one word: userid, but not humid or monkey.
constexpr std::string_view kIds[] = {"id", "key", "row", "uid", "uuid", "guid", "rownum", "rowno",
                                     "rownr", "rownumber", "rowname", "rownames", "rowindex"};
constexpr std::string_view kOwners[] = {
    "account",  "app",     "article",  "asset",    "book",     "booking",  "building", "buyer",
    "car",      "case",    "category", "city",     "claim",    "class",    "client",   "company",
    "contract", "country", "course",   "customer", "customers", "device",  "doc",      "document",
    "driver",   "employee", "event",   "file",     "flight",   "game",     "group",    "home",
    "host",     "hotel",   "house",    "household", "image",   "invoice",  "item",     "job",
    "lead",     "lease",   "line",     "listing",  "loan",     "location", "machine",  "match",
    "member",   "merchant", "message", "movie",    "object",   "observation", "obs",   "order",
    "owner",    "page",    "parcel",   "part",     "passenger", "patient", "payment",  "person",
    "photo",    "player",  "policy",   "post",     "product",  "project",  "property", "purchase",
    "record",   "request", "respondent", "review", "ride",     "room",     "route",    "sale",
    "sales",    "sample",  "school",   "seller",   "sensor",   "sequence", "seq",      "session",
    "shipment", "shop",    "site",     "song",     "staff",    "station",  "store",    "student",
    "subject",  "supplier", "survey",  "task",     "team",     "test",     "ticket",   "track",
    "train",    "transaction", "trip", "unit",     "user",     "vehicle",  "vendor",   "visit",
    "voter",    "worker",  "primary",  "foreign",  "row"};

bool is_word_for_ids(std::string_view word) {
  if (is_one_of(word, kIds)) return true;
  for (const std::string_view end : {std::string_view("id"), std::string_view("key")}) {
    if (word.ends_with(end) && is_one_of(word.substr(0, word.size() - end.size()), kOwners)) {
      return true;
    }
  }
  return false;
}

bool is_whole(double cell) {
  constexpr double kMostExact = 9007199254740992;  // 2^53; larger whole numbers are rounded
  return cell == std::floor(cell) && std::abs(cell) <= kMostExact;
}

bool are_all_different(const QuantileSample& values) {
  const std::vector<double> sorted = values.sorted();
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace

bool is_name_of_ids(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  // An index may also be a measurement: "heat index". Pandas calls a column without a name
  // "Unnamed: 0".
  if (words.size() == 1 && (words.front() == "index" || words.front() == "idx")) return true;
  if (!words.empty() && words.front() == "unnamed" && name.find(':') != name.npos) return true;
  return std::any_of(words.begin(), words.end(), is_word_for_ids);
}

void WholeNumbers::see(double cell, std::size_t row) {
  are_whole_ = are_whole_ && is_whole(cell);
  if (runs_.empty()) {
    runs_.push_back({row, cell, cell});
    return;
  }
  rise_ = rise_ && cell > runs_.back().last;
  runs_.back().last = cell;
}

void WholeNumbers::put(parallel::MergeState& state) const {
  parallel::put(state, std::size_t{are_whole_});
  parallel::put(state, std::size_t{rise_});
  parallel::put(state, runs_.size());
  for (const Run& run : runs_) {
    parallel::put(state, run.first_row);
    parallel::put(state, run.first);
    parallel::put(state, run.last);
  }
}

void WholeNumbers::merge(parallel::StateReader& state) {
  const bool are_whole = state.size() != 0, rise = state.size() != 0;
  are_whole_ = are_whole_ && are_whole;
  rise_ = rise_ && rise;
  for (std::size_t left = state.size(); left > 0; --left) {
    Run run;
    run.first_row = state.size();
    run.first = state.number();
    run.last = state.number();
    runs_.push_back(run);
  }
}

bool WholeNumbers::rise() const {
  if (!rise_) return false;
  std::vector<Run> runs = runs_;
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.first_row < b.first_row; });
  for (std::size_t k = 1; k < runs.size(); ++k) {
    if (!(runs[k].first > runs[k - 1].last)) return false;
  }
  return true;
}

IdKind id_kind(std::string_view name, const WholeNumbers& numbers, const QuantileSample& values) {
  if (values.seen() < kFewestIds || !numbers.are_whole()) return IdKind::none;
  const bool rise = numbers.rise();
  if (is_name_of_ids(name) && (rise || are_all_different(values))) return IdKind::ids;
  return rise && values.seen() >= kFewestRising ? IdKind::rising_numbers : IdKind::none;
}

}  // namespace knotwork::features
