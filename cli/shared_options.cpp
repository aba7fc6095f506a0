// SPDX-License-Identifier: MIT
#include "cli/shared_options.hpp"

#include <algorithm>

namespace knotwork::cli {

void add_shared_option(CLI::App& app, const std::string& name, const std::string& help,
                       TrainOptions& options) {
  const auto& fields = train_option_fields();
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const TrainOptionField& f) { return f.name == name; });
  app.add_option_function<std::string>(
         "--" + name,
         [field, &options](const std::string& text) {
           field->set(options, text);
           check(options);
         },
         help + " (default: " + field->get(options) + ")")
      ->type_name(field->value);
}

}  // namespace knotwork::cli
