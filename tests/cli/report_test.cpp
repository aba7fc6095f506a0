// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Report : public CliTest {
 protected:
  Report() {
    EXPECT_EQ(knotwork({"datasets", "friedman1", "--rows", "200", "--out", "t.csv"}).code, 0);
  }
  static Words train_words(const Words& more) {
    Words words = {"train", "t.csv",        "--hidden", "3",           "--ensemble",
                   "1",     "--iterations", "15",       "--baselines", "linear"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Outcome train(const Words& more) { return knotwork(train_words(more)); }
};

TEST_F(Report, IsWrittenByTrainOnTheTestRows) {
  const Outcome outcome = train({"--report", "r.html"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("report     r.html ("));
  const std::string page = folder_.read("r.html");
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, EndsWith("</html>\n"));
  for (const char* word :
       {"the 60 test rows of t.csv", "linear model", "knotwork train ", "model.safetensors"}) {
    EXPECT_THAT(page, HasSubstr(word));
  }
}

TEST_F(Report, OfASavedModelIsTheSameWithTheSameRows) {
  ASSERT_EQ(train({"--snapshots", "5"}).code, 0);
  const Outcome outcome =
      knotwork({"report", "model.safetensors", "--data", "t.csv", "--out", "b.html", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["command"], "report");
  EXPECT_EQ(json["data"]["rows"], 200);
  EXPECT_EQ(json["report"]["file"], "b.html");
  EXPECT_EQ(json["report"]["bytes"], folder_.read("b.html").size());
  const std::string first = folder_.read("b.html");
  ASSERT_EQ(knotwork({"report", "model.safetensors", "--data", "t.csv", "--out", "b.html", "--json",
                      "--threads", "1"})
                .code,
            0);
  // Everything except the command line, which the page shows.
  const std::string second = folder_.read("b.html");
  EXPECT_EQ(second.size(), first.size() + std::string(" --threads 1").size());
}

TEST_F(Report, GoesToTheUsualPlaceUnlessFiguresAreWanted) {
  ASSERT_EQ(train({}).code, 0);
  ASSERT_EQ(knotwork({"report", "model.safetensors"}).code, 0);
  EXPECT_THAT(folder_.read("report.html"), HasSubstr("</html>"));
  std::filesystem::remove(folder_.path() / "report.html");

  const Json json = document({"report", "model.safetensors", "--data", "t.csv", "--figures", "f"});
  EXPECT_FALSE(json.contains("report"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "report.html"));
  ASSERT_THAT(json["figures"], SizeIs(::testing::Ge(10u)));
  for (const std::string path : json["figures"]) {
    const std::string svg = folder_.read(path);
    EXPECT_THAT(svg, AllOf(HasSubstr("<svg"), HasSubstr("</svg>"), Not(HasSubstr("nan")))) << path;
  }
}

TEST_F(Report, RefusesWhatCannotBe) {
  ASSERT_EQ(train({}).code, 0);
  const auto refused = [&](Words words) {
    words.insert(words.begin(), "report");
    return refusal(words);
  };
  EXPECT_THAT(refused({"no.safetensors"}), HasSubstr("no.safetensors"));
  EXPECT_THAT(refused({"model.safetensors", "--out", "-"}), HasSubstr("not a file name"));
  EXPECT_THAT(refused({"model.safetensors", "--out", "model.safetensors"}),
              HasSubstr("model.safetensors"));
  EXPECT_THAT(refused({"model.safetensors", "--data", "t.csv", "--out", "t.csv"}),
              HasSubstr("t.csv"));
  EXPECT_THAT(refused({"model.safetensors", "--out", "no/such/folder/r.html"}),
              HasSubstr("no/such/folder"));
  EXPECT_THAT(refused({"model.safetensors", "--figures", "t.csv"}), HasSubstr("is a file"));
  EXPECT_THAT(refused({"model.safetensors", "--decimal", "comma"}),
              HasSubstr("--decimal would have no effect"));
  EXPECT_THAT(refused({"model.safetensors", "--progress", "--quiet"}),
              HasSubstr("exclude each other"));
  folder_.write("other.csv", "a,b\n1,2\n3,4\n");
  EXPECT_THAT(refused({"model.safetensors", "--data", "other.csv"}), HasSubstr("x1"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "report.html"));
}

TEST_F(Report, OfTrainNeedsAPlaceOfItsOwn) {
  const auto refused = [&](const Words& words) { return refusal(train_words(words)); };
  EXPECT_THAT(refused({"--report", "t.csv"}), HasSubstr("t.csv"));
  EXPECT_THAT(refused({"--report", "m", "--out", "m"}), HasSubstr("name two different files"));
  EXPECT_THAT(refused({"--report", "m", "--save-config", "m"}),
              HasSubstr("name two different files"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "model.safetensors"));
}

TEST_F(Report, TrainTellsOfItInItsDocument) {
  const Outcome outcome = train({"--report", "r.html", "--figures", "f", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["report"]["file"], "r.html");
  EXPECT_THAT(json["figures"], Not(IsEmpty()));
  EXPECT_EQ(json["history"]["iteration"].size(), 16u);
  EXPECT_EQ(json["trained_on"], "t.csv");
}

TEST_F(Report, ATableWithTextsMissingCellsAndHostileNames) {
  std::string table = "\"<b>&\"\"size\",colour,\"class</script>\"\n";
  for (int r = 0; r < 80; ++r) {
    const char* colours[] = {"red", "<i>blue", "green"};
    table += fmt::format("{},{},{}\n", r % 7 == 0 ? "" : std::to_string(r * 5 % 13), colours[r % 3],
                         r * 5 % 13 > 6 ? "yes<script>" : "no");
  }
  folder_.write("h.csv", table);
  ASSERT_EQ(knotwork({"train", "h.csv", "--hidden", "3", "--iterations", "10", "--ensemble", "2",
                      "--snapshots", "4", "--report", "h.html", "--figures", "figures"})
                .code,
            0);
  const std::string page = folder_.read("h.html");
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("yes<script>")));
  EXPECT_THAT(page, Not(HasSubstr("<i>blue")));
  EXPECT_THAT(page, Not(HasSubstr("class</script>")));
}

TEST_F(Report, WeighsRowsAsTheTrainingDid) {
  std::string table = "x,w,y\n";
  for (int r = 0; r < 60; ++r)
    table += fmt::format("{},{},{}\n", r % 9, r % 3, (r % 9) * 2 + r % 5);
  folder_.write("w.csv", table);
  ASSERT_EQ(knotwork({"train", "w.csv", "--target", "y", "--weight-column", "w", "--hidden", "2",
                      "--iterations", "10", "--task", "regression", "--report", "w.html"})
                .code,
            0);
  const Json scores = document({"evaluate", "model.safetensors", "w.csv", "--weight-column", "w"});
  ASSERT_EQ(knotwork({"report", "model.safetensors", "--data", "w.csv", "--weight-column", "w",
                      "--out", "r.html"})
                .code,
            0);
  EXPECT_THAT(folder_.read("r.html"),
              HasSubstr(fmt::format("{:.4g}", scores["test"]["nrmse"].get<double>())));
}

TEST_F(Report, AFolderThatCannotBeMadeIsRefusedBeforeTraining) {
  EXPECT_THAT(refusal(train_words({"--figures", "t.csv/sub"})), HasSubstr("t.csv/sub"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "model.safetensors"));
}

}  // namespace
}  // namespace knotwork::testing
