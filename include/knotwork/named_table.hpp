// SPDX-License-Identifier: MIT
// One plain table per family: activations, losses, regularizers, optimizers, transforms.
//
// Everything that lists or looks up names reads such a table. A program extends a *copy* of one and
// hands it over; there is no global registry and nothing registers itself.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

// The name in `known` closest to `wanted` in edit distance, or "" when none is close.
KNOTWORK_API std::string closest_name(std::string_view wanted,
                                      const std::vector<std::string>& known);
// "There is no activation called 'tanhh'; did you mean 'tanh'?", or a list of what there is.
KNOTWORK_API std::string unknown_name_message(std::string_view family, std::string_view wanted,
                                              const std::vector<std::string>& known);

// Entry needs a member `name` that converts to std::string_view.
template <class Entry>
class NamedTable {
 public:
  NamedTable(std::string family, std::vector<Entry> entries)
      : family_(std::move(family)), entries_(std::move(entries)) {}

  const std::vector<Entry>& entries() const { return entries_; }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Entry& entry : entries_) all.emplace_back(entry.name);
    return all;
  }

  const Entry* find(std::string_view name) const {
    auto it = std::find_if(entries_.begin(), entries_.end(),
                           [&](const Entry& entry) { return entry.name == name; });
    return it == entries_.end() ? nullptr : &*it;
  }

  const Entry& at(std::string_view name) const {
    if (const Entry* entry = find(name)) return *entry;
    throw Error(ErrorKind::bad_option, unknown_name_message(family_, name, names()));
  }

  void add(Entry entry) {
    if (find(entry.name)) {
      throw Error(ErrorKind::bad_option, "There is already one " + family_ + " called '" +
                                             std::string(entry.name) +
                                             "'; a new one needs a name of its own.");
    }
    entries_.push_back(std::move(entry));
  }

 private:
  std::string family_;
  std::vector<Entry> entries_;
};

}  // namespace knotwork
