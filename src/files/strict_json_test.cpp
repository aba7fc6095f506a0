// SPDX-License-Identifier: MIT
#include "files/strict_json.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knotwork::files {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

TEST(StrictJson, ReadsWhatAnyParserReads) {
  const std::string text = R"({"b":[1,-2,0.5,"t",null,true,{}],"a":{"b":{"a":[[]]}}})";
  EXPECT_EQ(parse_strictly<Json>(text), Json::parse(text));
  EXPECT_EQ(parse_strictly<OrderedJson>(text)->dump(), text);
  for (const char* wrong : {"", "{", "{}x", "[1,]", "\"\xff\"", "1e999", "nan"}) {
    EXPECT_FALSE(parse_strictly<Json>(wrong)) << wrong;
  }
}

TEST(StrictJson, RefusesAKeyThatStandsTwiceInOneObject) {
  EXPECT_TRUE(parse_strictly<Json>(R"({"a":{"a":1},"b":{"a":2}})"));
  EXPECT_TRUE(parse_strictly<Json>(R"([{"a":1},{"a":2}])"));
  EXPECT_FALSE(parse_strictly<Json>(R"({"a":1,"a":1})"));
  EXPECT_FALSE(parse_strictly<Json>(R"({"a":1,"b":[{"c":1}],"a":2})"));
  EXPECT_FALSE(parse_strictly<Json>(R"({"a":1,"\u0061":2})"));
}

TEST(StrictJson, RefusesWhatIsTooDeep) {
  const auto nested = [](const std::string& open, const std::string& close, std::size_t depth) {
    std::string text;
    for (std::size_t k = 0; k < depth; ++k) text += open;
    text += "1";
    for (std::size_t k = 0; k < depth; ++k) text += close;
    return text;
  };
  for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"{\"a\":", "}"}}) {
    EXPECT_TRUE(parse_strictly<Json>(nested(open, close, kMaxJsonDepth)));
    EXPECT_FALSE(parse_strictly<Json>(nested(open, close, kMaxJsonDepth + 1)));
    EXPECT_FALSE(parse_strictly<OrderedJson>(nested(open, close, 100'000)));
  }
}

TEST(StrictJson, RefusesTooManyKeysWhereEachIsLookedForAmongAll) {
  std::string text = "{\"first\":0";
  for (std::size_t k = 1; k < kMaxOrderedKeys; ++k) text += fmt::format(",\"{}\":0", k);
  EXPECT_TRUE(parse_strictly<OrderedJson>(text + "}"));
  EXPECT_TRUE(parse_strictly<Json>(text + ",\"last\":0}"));
  EXPECT_FALSE(parse_strictly<OrderedJson>(text + ",\"last\":0}"));
}

// If the time grew with the square of the size, this would take minutes.
TEST(StrictJson, ReadsVeryManyObjectsInATimeInProportion) {
  constexpr std::size_t kObjects = 200'000;
  std::string named = "{\"first\":0", listed = "[0";
  for (std::size_t k = 0; k < kObjects; ++k) {
    named += fmt::format(",\"{}\":{{}}", k);
    listed += ",{}";
  }
  EXPECT_EQ(parse_strictly<Json>(named + "}")->size(), kObjects + 1);
  EXPECT_EQ(parse_strictly<OrderedJson>(listed + "]")->size(), kObjects + 1);
}

}  // namespace
}  // namespace knotwork::files
