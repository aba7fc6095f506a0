// SPDX-License-Identifier: MIT
// The options of a training as its record has them: all of them, as text.
#pragma once

#include <string_view>

#include <knotwork/model.hpp>
#include <knotwork/options.hpp>

namespace knotwork {

inline void record_options(Summary& summary, const TrainOptions& options) {
  summary.options.clear();
  for (const TrainOptionField& field : train_option_fields()) {
    summary.options.emplace_back(field.name, field.get(options));
  }
}

// One of them anew.
inline void record_option(Summary& summary, std::string_view option, const TrainOptions& options) {
  for (auto& [name, text] : summary.options) {
    if (name == option) text = option_field(option).get(options);
  }
}

}  // namespace knotwork
