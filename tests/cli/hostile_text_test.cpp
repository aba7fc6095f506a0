// SPDX-License-Identifier: MIT
// Names, categories, classes, remarks, settings and messages that carry control characters and
// forged lines. Whatever the program prints, a terminal gets none of these characters, and no line
// that the program did not begin itself.
#include <knotwork/model_file.hpp>
#include <knotwork/search.hpp>

#include "base/quoting.hpp"
#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kForged = "saved in   forged";

// A name that colors, clears and renames a terminal, forges a line, and reverses what follows. C1
// characters, bidirectional controls and line separators are written as UTF-8.
std::string hostile(const std::string& name) {
  return name + "\n" + kForged + "\r\x1B[31m\x1B]0;t\x07\b\t\x7F\xC2\x9B" +
         "2J\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\xA8\xD8\x9C!";
}

// File names and arguments can also hold bytes that are no UTF-8.
std::string hostile_file(const std::string& name, const std::string& ending = "") {
  return hostile(name) + "\xFF\x9B" + ending;
}

std::string quoted(const std::string& cell) {
  return '"' + cell + '"';
}

// Why the text could deceive a reader at a terminal; empty if it could not.
std::string deception_in(const std::string& text) {
  if (!is_utf8(text)) return "bytes that are not UTF-8";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7F) {
      return "the control character " + std::to_string(byte);
    }
  }
  for (int low = 0x80; low < 0xA0; ++low) {
    const std::string c1 = {'\xC2', static_cast<char>(low)};
    if (text.find(c1) != std::string::npos) return "a C1 control character";
  }
  for (const char* character :
       {"\u061C", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B", "\u202C", "\u202D",
        "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    if (text.find(character) != std::string::npos) return "a character that turns the text round";
  }
  for (std::string line : lines_of(text)) {
    line.erase(0, line.find_first_not_of(' '));
    for (const std::string begin : {"knotwork: ", "| "}) {
      if (line.starts_with(begin)) line.erase(0, begin.size());
    }
    if (line.starts_with(kForged)) return "a forged line";
  }
  return "";
}

MATCHER(IsHonest, "deceives nobody at a terminal") {
  const std::string deception = deception_in(arg);
  *result_listener << "which has " << deception;
  return deception.empty();
}

class HostileText : public CliTest {
 protected:
  HostileText() {
    std::string text = quoted(hostile("x")) + ",z," + quoted(hostile("kind")) + "," +
                       quoted(hostile("y")) + "," + quoted(hostile("class")) + "\n";
    for (int r = 0; r < 60; ++r) {
      const std::string category = hostile(r % 3 == 0 ? "a" : "b");
      text += std::to_string(r % 10) + "," + std::to_string(r * 7 % 13) + "," + quoted(category) +
              "," + std::to_string(r % 10 - r * 7 % 13) + "," +
              quoted(hostile(r % 2 == 0 ? "even" : "odd")) + "\n";
    }
    folder_.write(table_, text);
  }

  // Runs the program, expects the exit code and honest streams, and returns what it printed.
  Outcome honest(const Words& words, int code = 0, const std::string& input = "") {
    return honest(launch(words, input), code);
  }
  static Outcome honest(const Launch& launch, int code) {
    const Outcome outcome = run(launch);
    std::string request;
    for (const std::string& word : launch.arguments) request += shown(word, 20) + " ";
    EXPECT_EQ(outcome.code, code) << request << "\n" << shown(outcome.err, 2000);
    EXPECT_THAT(outcome.out, IsHonest()) << request;
    EXPECT_THAT(outcome.err, IsHonest()) << request;
    return outcome;
  }
  // Expects one sentence that is honest.
  void expect_refusal(const Words& words, const std::string& input = "", int code = 2) {
    const Outcome outcome = honest(words, code, input);
    EXPECT_THAT(outcome.err, IsOneSentence()) << shown(words.front());
    EXPECT_EQ(outcome.out, "");
  }
  void train_model() {
    ASSERT_EQ(knotwork({"train", table_, "--target", hostile("class"), "--drop", hostile("y"),
                        "--iterations", "3", "--out", model_})
                  .code,
              0);
  }
  // The model with hostile texts wherever its record has any.
  void forge_model() {
    Model model = load_model(folder_.path() / model_);
    Summary& summary = model.training;
    for (std::string* text : {&summary.data, &summary.version, &summary.instruction_set,
                              &summary.optimizer, &summary.rows_sha256}) {
      *text = hostile("text") + '\0';
    }
    summary.remarks = {Remark(hostile("A remark")), Remark({}, hostile("Another") + ".")};
    summary.options.emplace_back(hostile("option"), hostile("value"));
    summary.baselines.push_back({hostile("baseline"), summary.train, summary.test});
    summary.tried.push_back({{{hostile("option"), hostile("value")}}, 0.5});
    save_model(model, folder_.path() / model_);
  }

  const std::string table_ = hostile_file("table", ".csv");
  const std::string model_ = hostile_file("model", ".safetensors");
};

TEST_F(HostileText, TheCheckFindsWhatItIsFor) {
  EXPECT_EQ(deception_in("data  a\n  z\n"), "");
  EXPECT_EQ(deception_in("a\n  " + kForged), "a forged line");
  EXPECT_EQ(deception_in("knotwork: " + kForged), "a forged line");
  for (const char* text : {"\r", "\t", "\x1B", "\x7F", "\u0085", "\u009B", "\u202E", "\u2069",
                           "\u2028", "\u2029", "\u061C", "\x9B", "\xFF"}) {
    EXPECT_NE(deception_in(text), "") << shown(text);
  }
  EXPECT_NE(deception_in(std::string(1, '\0')), "");
}

TEST_F(HostileText, TrainingOfClassesAndOfNumbers) {
  const std::string figures = hostile_file("figures");
  const Outcome classes =
      honest({"train", table_, "--target", hostile("class"), "--drop", hostile("y"), "--iterations",
              "3", "--baselines", "all", "--report", hostile_file("page"), "--figures", figures,
              "--save-config", hostile_file("run", ".toml"), "--progress", "--out", model_});
  EXPECT_THAT(classes.out, AllOf(HasSubstr("true \\ predicted  "), HasSubstr("target     class\\n"),
                                 HasSubstr("even\\nsaved in   forged\\r\\x1b[31m")));
  honest({"train", "--config", hostile_file("run", ".toml"), "--out", "again"});
  const Outcome numbers =
      honest({"train", table_, "--target", "z", "--target", hostile("y"), "--drop",
              hostile("class"), "--iterations", "3", "--checkpoint", hostile_file("c"), "--out",
              "m"});
  EXPECT_THAT(numbers.out, HasSubstr("  of y\\nsaved in   forged"));
  EXPECT_THAT(honest({"train", table_, "--resume", "--target", "z", "--target", hostile("y"),
                      "--drop", hostile("class"), "--iterations", "3", "--checkpoint",
                      hostile_file("c"), "--out", "m"})
                  .err,
              HasSubstr("resumes from c\\nsaved in"));
  honest({"evaluate", "m", table_});
  honest({"inspect", "m"});
}

// The summary goes to standard error if the model goes to standard output.
TEST_F(HostileText, TrainingToStandardOutput) {
  const Outcome outcome =
      knotwork({"train", table_, "--target", hostile("class"), "--iterations", "3", "--out", "-"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, AllOf(IsHonest(), HasSubstr("target     class\\n")));
}

TEST_F(HostileText, AModelThatIsUsed) {
  train_model();
  for (const bool forged : {false, true}) {
    if (forged) forge_model();
    const Outcome scores = honest({"evaluate", model_, table_});
    EXPECT_THAT(scores.out, HasSubstr("even\\nsaved in   forged"));
    for (const Words& more : std::vector<Words>{{},
                                                {"--full"},
                                                {"--data", table_},
                                                {"--neuron", "1:1"}}) {
      Words words = {"inspect", model_};
      words.insert(words.end(), more.begin(), more.end());
      honest(words);
    }
    honest({"report", model_, "--data", table_, "--out", hostile_file("page", ".html")});
    honest({"report", model_, "--figures", hostile_file("figures"), "--title", hostile("t")});
    honest({"export", model_, "--format", "c", "--out", hostile_file("e", ".c")});
    honest({"export", model_, "--format", "onnx", "--out", hostile_file("e", ".onnx")});
    honest({"predict", model_, table_, "--keep", hostile("kind"), "--out",
            hostile_file("p", ".csv")});
    honest({"train", table_, "--start-from", model_, "--iterations", "2", "--out", "n"});
  }
  EXPECT_THAT(honest({"inspect", model_}).out,
              AllOf(HasSubstr("written by version text\\nsaved in"),
                    HasSubstr("remarks    A remark\\nsaved in"),
                    HasSubstr("kind\\nsaved in   forged"), HasSubstr("option\\nsaved in")));
}

// In a pipe or a file, results are data, whose bytes are those of the table. A terminal gets them
// visibly, too.
TEST_F(HostileText, PredictionsInATerminal) {
  train_model();
  const Words words = {"predict", model_, table_, "--keep", hostile("kind")};
  EXPECT_THAT(knotwork(words).out, HasSubstr(quoted(hostile("kind"))));
  for (const Words& request : {words, Words{"export", model_, "--format", "c", "--out", "-"},
                               Words{"predict", model_, table_, "--json"}}) {
    Launch in_terminal = launch(request);
    in_terminal.output = Output::terminal;
    const Outcome outcome = run(in_terminal);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out, "");
    for (const std::string& line : lines_of(outcome.out)) {
      if (!line.starts_with(kForged)) {  // a line of a cell, as in the file
        EXPECT_THAT(line, IsHonest());
      }
    }
  }
}

TEST_F(HostileText, TablesThatAreConverted) {
  const std::string source = hostile("source") + ".csv";  // the name is stored, so it must be UTF-8
  folder_.write(source, folder_.read(table_));
  honest({"convert", source, hostile_file("t", ".safetensors")});
  honest({"convert", hostile_file("t", ".safetensors"), hostile_file("u", ".csv"), "--drop",
          hostile("y")});
  honest({"datasets", "sinc", "--rows", "5", "--out", hostile_file("s", ".csv")});
  train_model();
  honest({"evaluate", model_, hostile_file("t", ".safetensors")});
  honest({"predict", model_, hostile_file("t", ".safetensors"), "--out", hostile_file("p")});
}

TEST_F(HostileText, Comparisons) {
  const Words words = {"compare",   table_, "--target",  hostile("y"), "--drop",
                       hostile("class"), "--iterations", "2", "--folds", "2", "--budget", "0",
                       "--variant", hostile("one") + ": --hidden 2", "--variant",
                       hostile("two") + ": --hidden 3"};
  EXPECT_THAT(honest(words).out, HasSubstr("one\\nsaved in"));
  for (const Words& more : std::vector<Words>{
           {"--markdown"},
           {"--csv", hostile_file("c"), "--report", hostile_file("r"), "--progress"}}) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    honest(all);
  }
}

TEST_F(HostileText, Searches) {
  const std::string study = hostile_file("s", ".db");
  honest({"tune", table_, "--target", hostile("y"), "--drop", hostile("class"), "--study", study,
          "--iterations", "2", "--hidden", "3", "--vary", "lambda-w=0.1|1", "--vary",
          "lambda-curvature=0.1|1", "--folds", "2", "--progress", "--out", hostile_file("m")});
  EXPECT_THAT(honest({"tune", "--show", study}).out, HasSubstr("winner"));
}

TEST_F(HostileText, AStudyThatIsForged) {
  const std::string bad = hostile("v");
  const std::string space = Json::array({{{"option", bad}, {"values", {bad, "2"}}},
                                         {{"option", "b"}, {"values", {"1", bad}}}})
                                .dump();
  const std::string path = hostile_file("s", ".db");
  {
    Study study(folder_.path() / path,
                {{"space", space}, {"strategy", "grid"}, {"folds", "1"}, {"score", bad}});
    std::vector<Setting> settings;
    for (const std::string& a : {bad, std::string("2")}) {
      for (const std::string& b : {std::string("1"), bad}) settings.push_back({{bad, a}, {"b", b}});
    }
    double score = 0;
    for (const std::int64_t trial : study.begin("", settings, 1, 1)) {
      study.store(trial, {0, score += 0.25, 0, ""});
    }
    for (const std::int64_t trial : study.begin("", {{{bad, "3"}, {"b", bad}}}, 1, 1)) {
      study.store(trial, {0, HUGE_VAL, 0, bad});
    }
    study.set_result("", "tune", Json{{"winner", Json::object()}, {"model", bad}}.dump());
  }
  const Outcome outcome = honest({"tune", "--show", path, "--svg", hostile_file("f")});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("saved in   v\\nsaved in"), HasSubstr("1 trial failed"),
                                 HasSubstr("search     grid over v\\nsaved in")));
}

TEST_F(HostileText, RefusalsQuoteVisibly) {
  train_model();
  const std::string no = hostile_file("no");
  expect_refusal({no});
  expect_refusal({"help", no});
  expect_refusal({"completion", no});
  expect_refusal({"completion", "bash", "--out", no + "/a"});
  expect_refusal({"train", no});
  expect_refusal({"train", table_, "--" + no});
  expect_refusal({"train", table_, no});
  expect_refusal({"train", table_, "--target", no});
  expect_refusal({"train", table_, "--drop", no});
  expect_refusal({"train", table_, "--hidden", no});
  expect_refusal({"train", table_, "--activation", no});
  expect_refusal({"train", table_, "--task", no});
  expect_refusal({"train", table_, "--delimiter", no});
  expect_refusal({"train", table_, "--test-rows", no});
  expect_refusal({"train", table_, "--test-fraction", no});
  expect_refusal({"train", table_, "--out", no + "/a"});
  expect_refusal({"train", table_, "--weight-column", hostile("kind")});
  expect_refusal({"train", table_, "--numeric", hostile("kind")});
  expect_refusal({"train", table_, "--config", no});
  expect_refusal({"train", "builtin:" + no});
  expect_refusal({"train", table_, "--start-from", no});
  expect_refusal({"train", table_, "--start-from", table_});
  expect_refusal({"train", table_, "--checkpoint", table_, "--resume"});
  expect_refusal({"train", table_, "--out", table_});
  folder_.write(no, "seed = 1\n\"" + Json(hostile("key")).dump().substr(1) + " = 1\n");
  expect_refusal({"train", table_, "--config", no});
  folder_.write(no, "\x01\x1B\n" + kForged + "\n");
  expect_refusal({"train", table_, "--config", no});
  expect_refusal({"evaluate", no, table_});
  expect_refusal({"evaluate", model_, "-"}, "a,b\n1,2\n");
  expect_refusal({"evaluate", model_, "-"}, quoted(hostile("a")) + ",b\n1,2\n");
  expect_refusal({"predict", model_, "-"}, quoted(hostile("x")) + ",b\n1,2\n");
  expect_refusal({"predict", model_, table_, "--keep", no});
  expect_refusal({"inspect", model_, "--neuron", no});
  expect_refusal({"inspect", table_});
  expect_refusal({"report", model_, "--out", no + "/a"});
  expect_refusal({"report", model_, "--figures", table_});
  expect_refusal({"export", model_, "--format", no});
  expect_refusal({"export", model_, "--format", "c", "--name", no});
  expect_refusal({"export", table_, "--format", "c"});
  expect_refusal({"tune", "--show", no});
  expect_refusal({"tune", table_, "--study", "s", "--vary", no});
  expect_refusal({"tune", table_, "--study", table_});
  expect_refusal({"compare", table_, "--activations", no});
  expect_refusal({"compare", table_, "--variant", no, "--variant", "b: --hidden 2"});
  expect_refusal({"compare", table_, "--variant", hostile("a") + ": --" + no, "--bases", "all"});
  expect_refusal({"convert", no + "1", "t.csv"});
  expect_refusal({"convert", table_, hostile_file("t", ".npy")});
  expect_refusal({"datasets", no});
  expect_refusal({"datasets", "sinc", "--rows", no});
  expect_refusal({"reproduce", no});
  expect_refusal({"reproduce", "scenario1", "--data-dir", no});
}

}  // namespace
}  // namespace knotwork::testing
