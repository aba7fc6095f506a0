// SPDX-License-Identifier: MIT
#include "cli/output/error_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/quoting.hpp"
#include "cli/options/toml.hpp"

namespace knotwork::cli {
namespace {

// The setting as in a configuration file: "categorical = "age"".
std::string as_configured(const OptionSetting& setting) {
  if (setting.value.empty()) return setting.option;
  return fmt::format("{} = {}", setting.option, to_toml(shown(setting.value)));
}

// Only an option from a configuration file has a line.
bool is_from_configuration(const Error& error) {
  return !error.option().empty() && !error.file().empty() && error.line() > 0;
}

std::string_view without_dashes(std::string_view option) {
  if (option.starts_with("--")) option.remove_prefix(2);
  return option;
}

}  // namespace

Where of_typed(std::string_view option, std::string_view other_option) {
  return {.option = std::string(without_dashes(option)),
          .other_option = std::string(without_dashes(other_option))};
}

std::string as_typed(const OptionSetting& setting) {
  const std::string option = "--" + setting.option;
  if (setting.value.empty() || setting.value == "true") return option;
  std::string value = shown(setting.value);
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80 ||
           std::string_view("_-+.,:/%@").find(c) != std::string_view::npos;
  });
  if (!plain) {
    const char quote = value.find('\'') == std::string::npos ? '\'' : '"';
    value = quote + value + quote;
  }
  return option + (setting.value.starts_with('-') ? "=" : " ") + value;
}

std::string error_text(const Error& error) {
  return is_from_configuration(error) ? error.message({"write", as_configured})
                                      : error.message({"use", as_typed});
}

std::vector<std::string> remark_texts(const std::vector<Remark>& remarks) {
  std::vector<std::string> texts;
  for (const Remark& remark : remarks) texts.push_back(remark.message({"use", as_typed}));
  return texts;
}

}  // namespace knotwork::cli
