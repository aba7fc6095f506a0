// SPDX-License-Identifier: MIT
// This header is shared by all tests of the program: a folder for each test, sentences, documents,
// tables.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run_program.hpp"

namespace knotwork::testing {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// One line that begins with the program's name and ends like a sentence.
MATCHER(IsOneSentence, "is one sentence of the program") {
  return arg.starts_with("knotwork: ") && (arg.ends_with(".\n") || arg.ends_with("?\n")) &&
         std::count(arg.begin(), arg.end(), '\n') == 1;
}

class CliTest : public ::testing::Test {
 protected:
  // Unless this is set, requests to train leave nothing to choose or compare, so that tests are
  // fast.
  bool as_people_do_ = false;

  Launch launch(Words arguments, std::string input = "") const;
  Outcome knotwork(Words arguments, std::string input = "") const;
  // Runs with --json, and with --quiet if there is such an option, expects success without output
  // on standard error, and returns the document.
  Json document(Words arguments, std::string input = "") const;
  // Expects that the request is refused with one sentence, and returns it.
  std::string refusal(Words arguments, std::string input = "") const;

  Folder folder_;
};

// `rows` rows of x, z and a target y that is easy to learn.
std::string small_table(int rows = 60);
// The JSON text in __metadata__.knotwork of a model file.
Json record_of(const std::string& model_bytes);
std::string tensors_of(const std::string& model_bytes);
Words lines_of(const std::string& text);

}  // namespace knotwork::testing
