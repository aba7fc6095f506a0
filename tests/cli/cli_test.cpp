// SPDX-License-Identifier: MIT
#include "cli_test.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace knotwork::testing {
namespace {

std::size_t header_size(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  return static_cast<std::size_t>(size);
}

bool names(const Words& arguments, const std::string& option) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

// Options that the tests add to a request to train, unless it has them.
Words quick_options(const Words& arguments) {
  Words options;
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!names(arguments, option)) options.push_back(option + "=" + value);
  };
  add("--baselines", "none");
  for (const char* given : {"--preset", "--start-from", "--config"}) {
    if (names(arguments, given)) return options;
  }
  add("--hidden", "20");
  add("--ensemble", "1");
  add("--iterations", "50");
  add("--output-activation", "auto");
  add("--free-bias", "false");
  add("--scale-inputs", "standard");
  if (!names(arguments, "--warm-path")) add("--lambda-w", "1e-3");
  if (!names(arguments, "--activation")) add("--lambda-curvature", "3e-4");
  return options;
}

}  // namespace

Launch CliTest::launch(Words arguments, std::string input) const {
  if (!as_people_do_ && !arguments.empty() && arguments.front() == "train") {
    const Words options = quick_options(arguments);
    arguments.insert(arguments.begin() + 1, options.begin(), options.end());
  }
  return {KNOTWORK_PROGRAM, std::move(arguments), folder_.path(),
          std::move(input), Output::captured,     {}};
}

Outcome CliTest::knotwork(Words arguments, std::string input) const {
  return run(launch(std::move(arguments), std::move(input)));
}

Json CliTest::document(Words arguments, std::string input) const {
  arguments.push_back("--json");
  for (const char* command : {"train", "predict", "evaluate", "report", "convert"}) {
    if (arguments.front() == command) arguments.push_back("--quiet");
  }
  const Outcome outcome = knotwork(std::move(arguments), std::move(input));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  const Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.out;
  return json;
}

std::string CliTest::refusal(Words arguments, std::string input) const {
  const Outcome outcome = knotwork(std::move(arguments), std::move(input));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, IsOneSentence());
  return outcome.err;
}

std::string small_table(int rows) {
  std::ostringstream text;
  text << "x,z,y\n";
  for (int r = 0; r < rows; ++r) {
    const double x = r % 10, z = (r * 7) % 13;
    text << x << ',' << z << ',' << 0.5 * x - z + 0.01 * x * z << '\n';
  }
  return text.str();
}

Json record_of(const std::string& bytes) {
  const Json header = Json::parse(bytes.substr(8, header_size(bytes)));
  return Json::parse(header.at("__metadata__").at("knotwork").get<std::string>());
}

std::string tensors_of(const std::string& bytes) {
  return bytes.substr(8 + header_size(bytes));
}

Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace knotwork::testing
