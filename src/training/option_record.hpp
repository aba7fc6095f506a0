// SPDX-License-Identifier: MIT
// The options of a training as its record has them: all of them, as text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

inline std::vector<std::pair<std::string, std::string>> option_texts(const TrainOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const TrainOptionField& field : train_option_fields()) {
    texts.emplace_back(field.name, field.get(options));
  }
  return texts;
}

// One of them anew.
inline void record_option(Summary& summary, std::string_view option, const TrainOptions& options) {
  for (auto& [name, text] : summary.options) {
    if (name == option) text = option_field(option).get(options);
  }
}

}  // namespace knotwork
