// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Inspect : public CliTest {
 protected:
  Inspect() {
    std::string table = "size,colour,y\n";
    for (int r = 0; r < 60; ++r) {
      const char* names[] = {"blue", "green", "red"};
      table += fmt::format("{},{},{}\n", r % 5 == 0 ? "" : std::to_string(r * 7 % 11), names[r % 3],
                           r * 7 % 11 + r % 3);
    }
    folder_.write("t.csv", table);
    EXPECT_EQ(
        knotwork({"train", "t.csv", "--hidden", "2", "--ensemble", "2", "--iterations", "9"}).code,
        0);
  }
};

TEST_F(Inspect, TellsWhatTheModelIs) {
  const Outcome outcome = knotwork({"inspect", "model.safetensors"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  const auto bytes = folder_.read("model.safetensors").size();
  for (const std::string& word :
       {fmt::format("model.safetensors ({} bytes, format 1", bytes),
        std::string("5 inputs - 2 splines - 1 spline, ensemble of 2"),
        std::string("5 -> 2, spline"), std::string("basis catmull-rom"),
        std::string("size: number, scaling standard, 0 to 10, missing counts as"),
        std::string("has a separate input"),
        std::string("colour: text, one input for each of 3: 'blue', 'green', 'red'"),
        std::string("y: scaling standard"), std::string("18 iterations of lbfgs, stopped after"),
        std::string("train      NRMSE"), std::string("test       NRMSE"),
        std::string("hidden 2, activation spline"), std::string("2:1:2: moved "),
        std::string("control points from ")}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST_F(Inspect, TellsTheExtremesOfManyTextsAndNotAllOfThem) {
  std::string table = "model,y\n";
  for (int r = 0; r < 400; ++r) table += fmt::format("type {},{}\n", r % 80, r % 80 + r % 3);
  folder_.write("models.csv", table);
  ASSERT_EQ(knotwork({"train", "models.csv", "--hidden", "2", "--ensemble", "1", "--iterations",
                      "2", "--test-fraction", "0"})
                .code,
            0);
  const Outcome outcome = knotwork({"inspect", "model.safetensors"});
  EXPECT_THAT(outcome.out, HasSubstr("format 2"));
  EXPECT_THAT(outcome.out, HasSubstr("model: text, 80 texts; mean of y "));
  EXPECT_THAT(outcome.out, HasSubstr(" ('type 79'), other texts "));
  EXPECT_THAT(outcome.out, HasSubstr("; frequency 5 to 5 rows"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("type 40")));
  const Json json = document({"inspect", "model.safetensors", "--full"});
  EXPECT_THAT(json["record"]["inputs"][0]["levels"], SizeIs(80));
  bool found = false;
  for (const Json& tensor : json["tensors"]) {
    if (tensor["name"] != "inputs.1.values") continue;
    found = true;
    EXPECT_THAT(tensor["values"], SizeIs(80));
  }
  EXPECT_TRUE(found);
}

TEST_F(Inspect, TellsWhereKnotsAreAndWhatIsZeroOrStraight) {
  EXPECT_THAT(knotwork({"inspect", "model.safetensors"}).out, HasSubstr("knots between -2 and 2"));
  ASSERT_EQ(knotwork({"train",          "builtin:friedman1",
                      "--hidden",       "4",
                      "--optimizer",    "adam",
                      "--rate",         "0.01",
                      "--iterations",   "60",
                      "--lambda-w1",    "0.05",
                      "--lambda-kinks", "0.05",
                      "--ensemble",     "1",
                      "--baselines",    "none",
                      "--out",          "sparse.safetensors"})
                .code,
            0);
  const std::string sparse = knotwork({"inspect", "sparse.safetensors"}).out;
  EXPECT_THAT(sparse, HasSubstr("weights are 0"));
  EXPECT_THAT(sparse, HasSubstr("knots straight"));
}

TEST_F(Inspect, AsJsonHasTheRecordAndTheTensors) {
  const Json json = document({"inspect", "model.safetensors"});
  Json record = record_of(folder_.read("model.safetensors"));
  record.erase("sha256");
  EXPECT_EQ(json["record"], record);
  EXPECT_EQ(json["bytes"], folder_.read("model.safetensors").size());
  EXPECT_THAT(json["neurons"], SizeIs(6));
  bool found = false;
  for (const Json& tensor : json["tensors"]) {
    if (tensor["name"] != "members.1.layers.0.activation.control_points") continue;
    found = true;
    EXPECT_EQ(tensor["shape"], Json({2, 21}));
    EXPECT_EQ(tensor["type"], "double");
  }
  EXPECT_TRUE(found);
  const Json scores = document({"evaluate", "model.safetensors", "t.csv"});
  EXPECT_EQ(json["parameters_sha256"], scores["parameters_sha256"]);
}

TEST_F(Inspect, AModelInAPipeHasNoSize) {
  Launch piped = launch(
      {"-c", "mkfifo p; cat model.safetensors > p & exec \"$0\" inspect p", KNOTWORK_PROGRAM});
  piped.program = "/bin/sh";
  const Outcome outcome = run(piped);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("p (format 1, written by version "));
}

TEST_F(Inspect, DrawsOneNeuron) {
  const Outcome outcome = knotwork({"inspect", "model.safetensors", "--neuron", "2:1:2"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("neuron 2:1:2, moved "), HasSubstr("*"),
                                 HasSubstr("-1.8"), HasSubstr("|")));
  EXPECT_THAT(knotwork({"inspect", "model.safetensors", "--neuron", "2:1"}).out,
              HasSubstr("neuron 1:2:1"));
  const Json json = document({"inspect", "model.safetensors", "--neuron", "1:1"})["neuron"];
  EXPECT_EQ(json["name"], "1:1:1");
  EXPECT_THAT(json["control_points"], SizeIs(21));
  EXPECT_EQ(json["learned"].size(), json["initial"].size());
}

TEST_F(Inspect, NeuronsThatAreNotThereAreRefused) {
  const auto refused = [&](const std::string& neuron) {
    return refusal({"inspect", "model.safetensors", "--neuron", neuron});
  };
  EXPECT_THAT(refused("3:1"), AllOf(HasSubstr("layer 3"), HasSubstr("1 to 2")));
  EXPECT_THAT(refused("1:3"), AllOf(HasSubstr("neuron 3"), HasSubstr("1 to 2")));
  EXPECT_THAT(refused("0:1"), HasSubstr("layer 0"));
  EXPECT_THAT(refused("3:1:1"), HasSubstr("network 3"));
  EXPECT_THAT(refused("1"), HasSubstr("LAYER:NEURON"));
  EXPECT_THAT(refused("1:x"), HasSubstr("LAYER:NEURON"));
  ASSERT_EQ(knotwork({"train", "t.csv", "--activation", "tanh", "--out", "tanh.st"}).code, 0);
  EXPECT_THAT(refusal({"inspect", "tanh.st", "--neuron", "1:1"}),
              HasSubstr("tanh, which does not learn"));
  EXPECT_THAT(refusal({"inspect", "none.st"}), HasSubstr("none.st"));
}

class Datasets : public CliTest {};

TEST_F(Datasets, AreListedWithTheirSizes) {
  const Outcome outcome = knotwork({"datasets"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(lines_of(outcome.out), SizeIs(4));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("builtin:planted "), HasSubstr("500 rows, 2 columns")));
  const Json json = document({"datasets"});
  ASSERT_THAT(json["datasets"], SizeIs(4));
  EXPECT_EQ(json["datasets"][2]["name"], "sinc");
  EXPECT_EQ(json["datasets"][2]["rows"], 500);
  EXPECT_EQ(json["datasets"][2]["columns"], 2);
}

TEST_F(Datasets, AreWrittenAsTheTablesThatTrainUses) {
  const std::string printed = knotwork({"datasets", "sinc", "--seed", "7"}).out;
  EXPECT_THAT(lines_of(printed), SizeIs(501));
  EXPECT_EQ(knotwork({"datasets", "builtin:sinc", "--seed", "7", "--out", "-"}).out, printed);
  const Outcome filed =
      knotwork({"datasets", "sinc", "--seed", "7", "--rows", "100", "--out", "s.csv"});
  EXPECT_EQ(filed.out, "100 rows of builtin:sinc in s.csv\n");
  EXPECT_TRUE(printed.starts_with(folder_.read("s.csv")));
  EXPECT_EQ(document({"datasets", "sinc", "--rows", "1"})["table"]["y"].size(), 1u);
  folder_.write("s.csv", printed);
  EXPECT_EQ(
      document({"train", "s.csv", "--iterations", "3", "--seed", "7"})["parameters_sha256"],
      document({"train", "builtin:sinc", "--iterations", "3", "--seed", "7"})["parameters_sha256"]);
}

TEST_F(Datasets, HaveIdleInputsWhenAsked) {
  const Json json = document({"datasets", "planted", "--rows", "3", "--idle", "2"});
  EXPECT_EQ(json["dataset"]["columns"], 9);
  ASSERT_THAT(json["table"], SizeIs(9));
  EXPECT_EQ(json["table"]["x8"].size(), 3u);
  const Json plain = document({"datasets", "planted", "--rows", "3"});
  EXPECT_EQ(plain["dataset"]["columns"], 7);
  for (const auto& [name, cells] : plain["table"].items()) EXPECT_EQ(json["table"][name], cells);

  // Windows give the same output as the whole table.
  const Words request = {"datasets", "planted", "--rows", "70000", "--idle", "2"};
  const std::string printed = knotwork(request).out;
  EXPECT_TRUE(printed.starts_with("x1,x2,x3,x4,x5,x6,x7,x8,y\n"));
  Words filed = request;
  filed.insert(filed.end(), {"--out", "p.csv"});
  ASSERT_EQ(knotwork(filed).code, 0);
  EXPECT_EQ(folder_.read("p.csv"), printed);
  filed.back() = "p.safetensors";
  EXPECT_EQ(document(filed)["dataset"]["columns"], 9);
  ASSERT_EQ(knotwork({"convert", "p.safetensors", "q.csv"}).code, 0);
  EXPECT_EQ(folder_.read("q.csv"), printed);
}

TEST_F(Datasets, ShowProgressWhenAsked) {
  for (const std::string out : {"p.csv", "p.safetensors", "p.npy"}) {
    const Words request = {"datasets", "sinc", "--out", out};
    EXPECT_EQ(knotwork(request).err, "");
    Words with_progress = request;
    with_progress.push_back("--progress");
    const Outcome outcome = knotwork(with_progress);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("writing"), HasSubstr("100.0 %")));
  }
}

TEST_F(Datasets, MistakesAreRefused) {
  EXPECT_THAT(refusal({"datasets", "snc"}), HasSubstr("did you mean 'sinc'?"));
  EXPECT_THAT(refusal({"datasets", "--rows", "5"}), HasSubstr("need the name of a set: planted"));
  EXPECT_THAT(refusal({"datasets", "sinc", "--rows", "0"}),
              HasSubstr("--rows must be a whole number from 1 to"));
  EXPECT_THAT(refusal({"datasets", "sinc", "--rows", "x"}), HasSubstr("'x'"));
  EXPECT_THAT(refusal({"datasets", "sinc", "--idle", "15"}),
              HasSubstr("--idle must be a whole number from 0 to 14, not '15'"));
  EXPECT_THAT(refusal({"datasets", "--idle", "2"}), HasSubstr("need the name of a set: planted"));
  EXPECT_THAT(refusal({"datasets", "sinc", "--out", "nowhere/x.csv"}),
              HasSubstr("no folder nowhere"));
}

TEST_F(Inspect, InFullShowsEveryNumber) {
  const std::string brief = knotwork({"inspect", "model.safetensors"}).out;
  const std::string full = knotwork({"inspect", "model.safetensors", "--full"}).out;
  EXPECT_THAT(brief, Not(HasSubstr("members.0.layers.0.weight")));
  EXPECT_THAT(full, HasSubstr("\nmembers.1.layers.0.activation.control_points [2, 21]\n"));

  const Json json = Json::parse(knotwork({"inspect", "model.safetensors", "--json", "--full"}).out);
  for (const Json& tensor : json["tensors"]) {
    const Json& values = tensor["values"];
    ASSERT_EQ(values.size(), tensor["shape"][0].get<std::size_t>());
    const Json& last = tensor["shape"].size() == 2 ? values.back().back() : values.back();
    if (tensor["shape"].size() == 2) {
      EXPECT_EQ(values[0].size(), tensor["shape"][1].get<std::size_t>());
    }
    EXPECT_THAT(full, HasSubstr(fmt::format("{}", last.get<double>())));
  }
  EXPECT_FALSE(
      Json::parse(knotwork({"inspect", "model.safetensors", "--json"}).out)["tensors"][0].contains(
          "values"));
}

}  // namespace
}  // namespace knotwork::testing
