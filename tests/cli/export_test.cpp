// SPDX-License-Identifier: MIT
// Tests exported models: they predict the same as `predict`.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Export : public CliTest {
 protected:
  Export() {
    std::string table = "size,colour,y\n";
    for (int r = 0; r < 60; ++r) table += row(r) + fmt::format(",{}\n", r * 7 % 11 + r % 3);
    folder_.write("t.csv", table);
    EXPECT_EQ(knotwork({"train", "t.csv", "--hidden", "3", "--iterations", "20", "--ensemble", "2",
                        "--out", "m.st"})
                  .code,
              0);
  }

  // The size may be missing, and the colour is one of three.
  static const char* colour(int r) {
    const char* names[] = {"blue", "green", "red"};
    return names[r % 3];
  }
  static std::string size(int r) { return r % 5 == 0 ? "" : std::to_string(r * 7 % 11); }
  static std::string row(int r) { return size(r) + "," + colour(r); }

  std::vector<double> predictions(const std::string& model, const std::string& data) const {
    const Outcome outcome = knotwork({"predict", model, data});
    EXPECT_EQ(outcome.code, 0);
    std::vector<double> all;
    for (const std::string& line : lines_of(outcome.out)) {
      if (line != "prediction") all.push_back(std::stod(line));
    }
    return all;
  }

  Outcome shell(const std::string& command) const {
    Launch bash = launch({"-c", command});
    bash.program = "/bin/bash";
    return run(bash);
  }

  static constexpr const char* kNoRuntime =
      "Node or its package onnxruntime-node is not installed; scripts/setup test installs both.";
  static std::filesystem::path node_folder() {
    return std::filesystem::path(KNOTWORK_SOURCE_DIR) / "tests/node";
  }
  bool has_onnxruntime() const {
    return std::filesystem::exists(node_folder() / "node_modules/onnxruntime-node") &&
           shell("node --version").code == 0;
  }

  // Within 1e-5 of the target's standard deviation, for the targets y of the table.
  void expect_same_in_onnxruntime(const std::string& model, const std::string& data,
                                  const Json& feeds) const {
    ASSERT_EQ(knotwork({"export", model, "--format", "onnx", "--out", "m.onnx"}).code, 0);
    const std::vector<double> there = predictions(model, data);
    folder_.write("cases",
                  Json({{{"model", "m.onnx"}, {"rows", there.size()}, {"feeds", feeds}}}).dump());
    const Outcome outcome =
        shell("node '" + (node_folder() / "onnx.mjs").string() + "' cases results");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json result = Json::parse(folder_.read("results"))[0]["outputs"]["prediction"];
    ASSERT_EQ(result["data"].size(), there.size());
    const double deviation = document({"evaluate", model, data})["test"]["rmse"].get<double>() /
                             document({"evaluate", model, data})["test"]["nrmse"].get<double>();
    for (std::size_t r = 0; r < there.size(); ++r) {
      EXPECT_NEAR(result["data"][r].get<double>(), there[r], 1e-5 * deviation) << r;
    }
  }
};

TEST_F(Export, AsCPredictsWhatPredictDoes) {
  const Outcome printed = knotwork({"export", "m.st", "--format", "c", "--out", "-"});
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(printed.err, "");
  const Outcome written = knotwork({"export", "m.st", "--format", "c", "--out", "predict.h"});
  EXPECT_EQ(folder_.read("predict.h"), printed.out);
  EXPECT_EQ(written.out,
            fmt::format("2 columns to 1 prediction in predict.h ({} bytes)\n", printed.out.size()));
  ASSERT_EQ(knotwork({"export", "m.st", "--format", "c", "--type", "float", "--name", "again",
                      "--out", "again.h"})
                .code,
            0);
  EXPECT_THAT(printed.out,
              AllOf(HasSubstr("in[0]   'size', a number"), HasSubstr("in[1]   'colour'"),
                    HasSubstr("predict(const double *in, double *out)")));
  folder_.write("main.c", R"(#include "predict.h"
#include "again.h"
#include <stdio.h>
int main(void) {
  for (int r = 0; r < 60; ++r) {
    const double in[predict_inputs] = {r % 5 == 0 ? NAN : r * 7 % 11, r % 3};
    const float in_float[again_inputs] = {(float)in[0], (float)in[1]};
    double out[predict_outputs];
    float out_float[again_outputs];
    predict(in, out);
    again(in_float, out_float);
    printf("%.17g\n%.17g\n", out[0], (double)out_float[0]);
  }
  return 0;
}
)");
  const Outcome built = shell("cc -std=c99 -Wall -Wextra -Werror -pedantic main.c -o main -lm");
  ASSERT_EQ(built.code, 0) << built.err;
  const Words lines = lines_of(shell("./main").out);
  const std::vector<double> there = predictions("m.st", "t.csv");
  ASSERT_EQ(lines.size(), 2 * there.size());
  for (std::size_t r = 0; r < there.size(); ++r) {
    EXPECT_NEAR(std::stod(lines[2 * r]), there[r], 1e-12 * std::max(1.0, std::fabs(there[r])));
    EXPECT_NEAR(std::stod(lines[2 * r + 1]), there[r], 1e-5);
  }
}

TEST_F(Export, AsOnnxPredictsWhatPredictDoes) {
  if (!has_onnxruntime()) GTEST_SKIP() << kNoRuntime;
  Json feeds = {{"size", {{"type", "float32"}, {"data", Json::array()}}},
                {"colour", {{"type", "string"}, {"data", Json::array()}}}};
  for (int r = 0; r < 60; ++r) {
    feeds["size"]["data"].push_back(size(r).empty() ? "NaN" : size(r));
    feeds["colour"]["data"].push_back(colour(r));
  }
  expect_same_in_onnxruntime("m.st", "t.csv", feeds);
}

// Input splines are placed on quantiles, between which curves may be steep, and these cells are not
// exact in float.
TEST_F(Export, AsOnnxWithQuantilesPredictsWhatPredictDoes) {
  if (!has_onnxruntime()) GTEST_SKIP() << kNoRuntime;
  ASSERT_EQ(knotwork({"datasets", "friedman1", "--out", "f.csv"}).code, 0);
  ASSERT_EQ(knotwork({"train", "f.csv", "--input-splines", "2", "--scale-inputs", "quantile",
                      "--hidden", "5", "--iterations", "30", "--out", "f.st"})
                .code,
            0);
  const Words lines = lines_of(folder_.read("f.csv"));
  Json feeds;
  for (int c = 0; c < 10; ++c) {
    Json& feed = feeds[fmt::format("x{}", c + 1)];
    feed = {{"type", "float32"}, {"data", Json::array()}};
    for (std::size_t r = 1; r < lines.size(); ++r) {
      std::istringstream cells(lines[r]);
      std::string cell;
      for (int k = 0; k <= c; ++k) std::getline(cells, cell, ',');
      feed["data"].push_back(cell);
    }
  }
  expect_same_in_onnxruntime("f.st", "f.csv", feeds);
}

TEST_F(Export, AsJsonSaysWhatWasWritten) {
  const Json c = document({"export", "m.st", "--format", "c", "--out", "p.h"});
  EXPECT_EQ(c["command"], "export");
  EXPECT_EQ(c["format"], "c");
  EXPECT_EQ(c["name"], "predict");
  EXPECT_EQ(c["precision"], "double");
  EXPECT_EQ(c["type"], "double");
  EXPECT_EQ(c["bytes"], folder_.read("p.h").size());
  EXPECT_EQ(c["inputs"][0]["column"], "size");
  EXPECT_EQ(c["inputs"][0]["kind"], "number");
  EXPECT_EQ(c["inputs"][1]["categories"], Json({"blue", "green", "red"}));
  EXPECT_EQ(c["outputs"], Json({"y"}));
  const Json onnx = document({"export", "m.st", "--format", "onnx", "--out", "p.onnx"});
  EXPECT_EQ(onnx["precision"], "float");
  EXPECT_EQ(onnx["type"], "float");
  EXPECT_EQ(onnx["bytes"], folder_.read("p.onnx").size());
  EXPECT_EQ(onnx["inputs"][1]["name"], "colour");
  EXPECT_EQ(onnx["parameters_sha256"], c["parameters_sha256"]);
}

TEST_F(Export, SaysWhereFloatIsTooCoarse) {
  std::string table = "when,y\n";
  for (int r = 0; r < 60; ++r) {
    table += fmt::format("{},{}\n", 1700000000 + r * 613 % 1000, 3e8 + r * 7 % 11);
  }
  folder_.write("times.csv", table);
  ASSERT_EQ(
      knotwork({"train", "times.csv", "--hidden", "2", "--iterations", "2", "--out", "n.st"}).code,
      0);
  const auto input = HasSubstr("Numbers of column 'when'"), target = HasSubstr("of target 'y'");
  const Outcome onnx = knotwork({"export", "n.st", "--format", "onnx", "--out", "n.onnx"});
  EXPECT_THAT(onnx.err, AllOf(input, target, HasSubstr("before training.\n")));
  const Words single = {"export", "n.st",  "--format", "c",     "--type",
                        "float",  "--out", "n.h",      "--json"};
  const Outcome c = knotwork(single);
  EXPECT_THAT(c.err, AllOf(input, target, HasSubstr(", or export with --type double.\n")));
  const Json remarks = Json::parse(c.out)["remarks"];
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_THAT(remarks[0].get<std::string>(), input);
  EXPECT_THAT(remarks[1].get<std::string>(), target);
  const Outcome exact = knotwork({"export", "n.st", "--format", "c", "--out", "n.h", "--json"});
  EXPECT_EQ(exact.err, "");
  EXPECT_EQ(Json::parse(exact.out)["remarks"], Json::array());
}

TEST_F(Export, OnnxCanGoThroughAPipeButNotToATerminal) {
  const Outcome piped = knotwork({"export", "m.st", "--format", "onnx", "--out", "-"});
  EXPECT_EQ(piped.code, 0);
  ASSERT_EQ(knotwork({"export", "m.st", "--format", "onnx", "--out", "p.onnx"}).code, 0);
  EXPECT_EQ(piped.out, folder_.read("p.onnx"));
  Launch shown = launch({"export", "m.st", "--format", "onnx", "--out", "-"});
  shown.output = Output::terminal;
  const Outcome outcome = run(shown);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("on a terminal"));
}

TEST_F(Export, MistakesAreRefused) {
  const auto refused = [&](Words words) {
    words.insert(words.begin(), "export");
    return refusal(words);
  };
  EXPECT_THAT(refused({"m.st", "--out", "p.h"}), HasSubstr("needs --format: onnx or c"));
  EXPECT_THAT(refused({"m.st", "--format", "c"}), HasSubstr("needs --out FILE"));
  EXPECT_THAT(refused({"m.st", "--format", "onx", "--out", "p"}),
              HasSubstr("did you mean 'onnx'?"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "p.h", "--name", "for"}),
              HasSubstr("'for' is taken"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "p.h", "--name", "M_PI"}),
              HasSubstr("'M_PI' is taken"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "p.h", "--name", ""}),
              HasSubstr("C identifier"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "p.h", "--name", "my model"}),
              HasSubstr("C identifier"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "p.h", "--precision", "half"}),
              HasSubstr("'half'"));
  EXPECT_THAT(refused({"m.st", "--format", "onnx", "--out", "p", "--precision", "double"}),
              HasSubstr("in float"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "p.h", "--type", "flaot"}),
              HasSubstr("did you mean 'float'?"));
  EXPECT_THAT(refused({"m.st", "--format", "onnx", "--out", "p", "--type", "double"}),
              HasSubstr("--type would have no effect"));
  EXPECT_THAT(refused({"m.st", "--format", "onnx", "--out", "p", "--name", "x"}),
              HasSubstr("--name would have no effect"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "-", "--json"}), HasSubstr("--json"));
  EXPECT_THAT(refused({"t.csv", "--format", "c", "--out", "p.h"}), HasSubstr("t.csv"));
  EXPECT_THAT(refused({"none.st", "--format", "c", "--out", "p.h"}), HasSubstr("none.st"));
  EXPECT_THAT(refused({"m.st", "--format", "c", "--out", "nowhere/p.h"}),
              HasSubstr("no folder nowhere"));
  EXPECT_THAT(folder_.names(), ElementsAre("m.st", "t.csv"));
}

TEST_F(Export, NeitherItsModelNorAnotherOneIsReplaced) {
  const std::string model = folder_.read("m.st");
  folder_.write("other.st", model);
  for (const char* format : {"c", "onnx"}) {
    EXPECT_THAT(refusal({"export", "m.st", "--format", format, "--out", "m.st"}),
                HasSubstr("m.st"));
    EXPECT_THAT(refusal({"export", "m.st", "--format", format, "--out", "other.st"}),
                HasSubstr("is a model"));
  }
  EXPECT_EQ(folder_.read("m.st"), model);
  EXPECT_EQ(folder_.read("other.st"), model);
}

TEST_F(Export, ClassesHaveTheirProbabilities) {
  ASSERT_EQ(knotwork({"train", "t.csv", "--target", "colour", "--iterations", "5", "--hidden", "2",
                      "--out", "k.st"})
                .code,
            0);
  const Outcome outcome = knotwork({"export", "k.st", "--format", "c", "--out", "-"});
  EXPECT_THAT(outcome.out, HasSubstr("out[2]  The probability of 'red'."));
  EXPECT_EQ(document({"export", "k.st", "--format", "onnx", "--out", "k.onnx"})["outputs"],
            Json({"colour = blue", "colour = green", "colour = red"}));
}

}  // namespace
}  // namespace knotwork::testing
