// SPDX-License-Identifier: MIT
// The wording of errors in the program: a hint names options as on the command line, or, if the
// option is from a configuration file, as in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <knotwork/error.hpp>

namespace knotwork::cli {

std::string error_text(const Error& error);
std::vector<std::string> remark_texts(const std::vector<Remark>& remarks);

// The place of an Error about an option in its command-line form: "--missing".
Where of_typed(std::string_view option, std::string_view other_option = {});

// "--missing abc" and "--resume", quoted where a shell needs quotes.
std::string as_typed(const OptionSetting& setting);

}  // namespace knotwork::cli
