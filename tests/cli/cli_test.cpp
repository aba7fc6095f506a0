// SPDX-License-Identifier: MIT
#include "cli_test.hpp"

#include <cstring>
#include <sstream>

namespace knotwork::testing {
namespace {

std::size_t header_size(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  return static_cast<std::size_t>(size);
}

}  // namespace

Launch CliTest::launch(Words arguments, std::string input) const {
  return {KNOTWORK_PROGRAM, std::move(arguments), folder_.path(),
          std::move(input), Output::captured,     {}};
}

Outcome CliTest::knotwork(Words arguments, std::string input) const {
  return run(launch(std::move(arguments), std::move(input)));
}

Json CliTest::document(Words arguments, std::string input) const {
  arguments.push_back("--json");
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
