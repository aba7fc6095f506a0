// SPDX-License-Identifier: MIT
// Tests a table that is larger than the program's memory limit.
#include <filesystem>

#include "base/test_effort.hpp"
#include "cli_test.hpp"

namespace knotwork::testing {
namespace {

// A twenty-fifth of the example in docs/scale.md: two million rows instead of 50, with a memory
// limit below 1 GiB in proportion. The numbers of the table alone are three times the limit; in the
// smaller version that runs by default, one and a half times.
const std::size_t kRows = runs_long_tests() ? 2'000'000 : 1'000'000;
constexpr std::size_t kLimit = (std::size_t{1} << 30) / 25;

class LargeTable : public CliTest {
 protected:
  // With a limit on private memory, which does not include mapped files.
  Outcome limited(const Words& arguments) const {
    Words words = {"-c", "ulimit -d \"$0\" && exec \"$@\"", std::to_string(kLimit / 1024),
                   KNOTWORK_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Launch launch{"/bin/sh", words, folder_.path(), ""};
    launch.environment = {{"TMPDIR", folder_.path().string()}};
    return run(launch);
  }
  Json succeed(Words arguments) const {
    arguments.insert(arguments.end(), {"--json", "--quiet"});
    const Outcome outcome = limited(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
};

TEST_F(LargeTable, IsTrainedOnScoredAndPredictedInLittleMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer itself takes more than the limit";
#endif
  succeed({"datasets", "planted", "--rows", std::to_string(kRows), "--idle", "2", "--out",
           "t.safetensors"});
  EXPECT_GT(std::filesystem::file_size(folder_.path() / "t.safetensors"),
            kRows / 2'000 * kLimit * 3 / 1'000);
  for (const Words& optimizer : {Words{"adam", "--batch", "1024", "--iterations", "1"},
                                 Words{"lbfgs", "--iterations", "2"}}) {
    Words train = {"train",          "t.safetensors", "--preset",   "paper",       "--baselines",
                   "none",           "--memory",      "1M",         "--precision", "float",
                   "--scale-inputs", "quantile",      "--optimizer"};
    train.insert(train.end(), optimizer.begin(), optimizer.end());
    EXPECT_EQ(succeed(train)["train"]["rows"], kRows * 7 / 10);
  }
  EXPECT_EQ(succeed({"evaluate", "model.safetensors", "t.safetensors"})["test"]["rows"], kRows);
  EXPECT_EQ(
      succeed({"predict", "model.safetensors", "t.safetensors", "--out", "p.csv"})["data"]["rows"],
      kRows);
  // The limit is effective: the same table in memory does not fit.
  succeed({"convert", "t.safetensors", "t.csv"});
  const Outcome whole = limited({"train", "t.csv", "--preset", "paper", "--quiet"});
  EXPECT_EQ(whole.code, 1);
  EXPECT_THAT(whole.err, IsOneSentence());
}

TEST_F(LargeTable, MemoryIsASizeAndForTablesInFiles) {
  folder_.write("t.csv", small_table());
  document({"convert", "t.csv", "t.safetensors"});
  for (const std::string size : {"1M", "1m", "1MB", "64kb", "2G", "4096"}) {
    document({"train", "t.safetensors", "--memory", size, "--iterations", "1"});
  }
  for (const std::string size : {"", "0", "M", "1.5G", "-1", "1X", "1MBB", "99999999999T"}) {
    EXPECT_THAT(refusal({"train", "t.safetensors", "--memory", size, "--iterations", "1"}),
                ::testing::HasSubstr("--memory"));
  }
  EXPECT_THAT(refusal({"train", "t.csv", "--memory", "1M", "--iterations", "1"}),
              ::testing::HasSubstr("--memory would have no effect: t.csv is loaded into memory"));
}

TEST_F(LargeTable, ScratchIsOnlyNeededForRowsThatDoNotFit) {
  folder_.write("t.csv", small_table());
  document({"convert", "t.csv", "t.safetensors"});
  const auto trained = [&](const std::string& memory) {
    Launch one = launch(
        {"train", "t.safetensors", "--memory", memory, "--iterations", "1", "--json", "--quiet"});
    one.environment.emplace_back("TMPDIR", (folder_.path() / "none").string());
    return run(one);
  };
  EXPECT_EQ(trained("1M").code, 0);
  const Outcome refused = trained("1");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, ::testing::AllOf(IsOneSentence(), ::testing::HasSubstr("TMPDIR")));
}

}  // namespace
}  // namespace knotwork::testing
