// SPDX-License-Identifier: MIT
// What all tests of the program share: one folder for each test, sentences, documents, tables.
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
  // Requests to train leave nothing to be chosen or compared, so that tests are quick, unless this
  // is set.
  bool as_people_do_ = false;

  Launch launch(Words arguments, std::string input = "") const;
  Outcome knotwork(Words arguments, std::string input = "") const;
  // Runs with --json, and --quiet where there is such an option, expects success without a word on
  // standard error, and returns the document.
  Json document(Words arguments, std::string input = "") const;
  // Expects that the request is refused with one sentence, and returns it.
  std::string refusal(Words arguments, std::string input = "") const;

  Folder folder_;
};

// `rows` rows of x, z and their target y, which is learned easily.
std::string small_table(int rows = 60);
// The JSON text in __metadata__.knotwork of a model file.
Json record_of(const std::string& model_bytes);
std::string tensors_of(const std::string& model_bytes);
Words lines_of(const std::string& text);

}  // namespace knotwork::testing
