// SPDX-License-Identifier: MIT
// Tests predict and evaluate by several processes: the same output as a single process, to the
// byte.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <tuple>

#include "mpi_test.hpp"
#include "training/data/test_wide_tables.hpp"

#include <knotwork/model_file.hpp>

namespace knotwork::testing {
namespace {

using ::testing::ElementsAre;

class MpiPredict : public Mpi {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  // t.safetensors and m.safetensors.
  void write(const Table& table, const Model& model) const {
    write_table_file(table, path("t.safetensors"));
    save_model(model, path("m.safetensors"));
  }

  // Compares out.csv, if `request` writes it, and the messages of one process with those of
  // several.
  void expect_the_same(const Words& request) const {
    const auto ran = [&](const auto& outcome_of) {
      std::filesystem::remove(path("out.csv"));
      const Outcome outcome = outcome_of();
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      const bool written = std::filesystem::exists(path("out.csv"));
      return std::tuple(outcome.out, outcome.err, written ? folder_.read("out.csv") : "");
    };
    const auto [out, err, file] = ran([&] { return alone(KNOTWORK_PROGRAM, request); });
    EXPECT_FALSE(out.empty());
    for (const int ranks : {1, 2, 3, 4}) {
      const auto [their_out, their_err, their_file] = ran([&] { return knotwork(ranks, request); });
      EXPECT_TRUE(their_out == out) << ranks << " ranks said " << their_out.substr(0, 1000);
      EXPECT_EQ(their_err, err);
      EXPECT_TRUE(their_file == file) << ranks << " ranks wrote " << their_file.size() << " bytes";
    }
  }
  // The same for a request that is refused, except for the rank and the launcher's messages.
  void expect_refused_by(const std::string& rank, const Words& request) const {
    const Words before = folder_.names();
    const Outcome one = alone(KNOTWORK_PROGRAM, request);
    EXPECT_EQ(one.code, 2);
    EXPECT_EQ(sentences(one).size(), 1u) << one.err;
    const Outcome three = knotwork(3, request);
    EXPECT_EQ(three.code, one.code);
    EXPECT_THAT(sentences(three), ElementsAre(rank + sentences(one).at(0)));
    EXPECT_EQ(folder_.names(), before);
  }

  // Writes t.npy from t.safetensors, with another number in one cell.
  void write_array(std::size_t row, std::size_t column, float number) const {
    const StoredTable table(path("t.safetensors"));
    write_npy(table, path("t.npy"));
    const std::size_t cells = table.rows() * table.columns();
    const std::size_t begin = std::filesystem::file_size(path("t.npy")) - cells * sizeof number;
    std::fstream file(path("t.npy"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(
        static_cast<std::streamoff>(begin + (row * table.columns() + column) * sizeof number));
    file.write(reinterpret_cast<const char*>(&number), sizeof number);
  }

  // Processes of the program that run in the folder.
  std::vector<pid_t> processes() const {
    std::vector<pid_t> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      if (std::filesystem::read_symlink(entry.path() / "exe", ignored) == KNOTWORK_MPI_PROGRAM &&
          std::filesystem::read_symlink(entry.path() / "cwd", ignored) ==
              std::filesystem::canonical(folder_.path())) {
        found.push_back(std::stoi(entry.path().filename()));
      }
    }
    return found;
  }
};

TEST_F(MpiPredict, NumbersAreTheSameBytes) {
  const Table table = wide_table(Wide::numbers);
  write(table, wide_model(table, {2}, 2));
  expect_the_same({"predict", "m.safetensors", "t.safetensors", "--keep", "x61,x1", "--spread",
                   "--out", "out.csv"});
  expect_the_same({"predict", "m.safetensors", "t.safetensors", "--out", "out.csv", "--json"});
  expect_the_same({"predict", "m.safetensors", "t.safetensors"});
  expect_the_same({"evaluate", "m.safetensors", "t.safetensors", "--json"});
}

TEST_F(MpiPredict, ClassesTextsAndMissingCellsAreTheSameBytes) {
  const Table table = wide_table(Wide::classes);
  write(table, wide_model(table));
  expect_the_same({"predict", "m.safetensors", "t.safetensors", "--keep", "y", "--keep", "colour",
                   "--out", "out.csv"});
  expect_the_same({"evaluate", "m.safetensors", "t.safetensors", "--json"});
}

TEST_F(MpiPredict, WhatIsReadWholeIsDoneByTheFirst) {
  const Table table = wide_table(Wide::classes, 400);
  write(table, wide_model(table));
  folder_.write("t.csv", to_csv(table));
  expect_the_same({"predict", "m.safetensors", "t.csv", "--keep", "y", "--out", "out.csv"});
  expect_the_same({"predict", "m.safetensors", "t.csv"});
  expect_the_same({"predict", "m.safetensors", "t.safetensors", "--json"});
  expect_the_same({"evaluate", "m.safetensors", "t.csv", "--json"});
  const Outcome file = alone(KNOTWORK_PROGRAM, {"evaluate", "m.safetensors", "t.csv"});
  Launch piped = launch(3, KNOTWORK_MPI_PROGRAM, {"evaluate", "m.safetensors", "-"});
  piped.input = folder_.read("t.csv");
  const Outcome read = run(piped);
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_EQ(read.out, file.out);
}

TEST_F(MpiPredict, ABadCellIsNamedOnce) {
  const Table table = wide_table(Wide::numbers);
  write(table, wide_model(table));
  // In the last of five windows, which the second rank predicts and the third rank evaluates.
  write_array(36'250, 3, std::numeric_limits<float>::infinity());
  expect_refused_by("Rank 1: ", {"predict", "m.safetensors", "t.npy", "--out", "out.csv"});
  expect_refused_by("Rank 2: ", {"evaluate", "m.safetensors", "t.npy"});
  // The targets alone are a single window.
  write_array(36'250, 60, std::numeric_limits<float>::quiet_NaN());
  expect_refused_by("", {"evaluate", "m.safetensors", "t.npy", "--require-target"});
}

TEST_F(MpiPredict, RequestsAreRefusedAsByOneProcess) {
  const Table table = wide_table(Wide::numbers, 400);
  write(table, wide_model(table));
  expect_refused_by("", {"predict", "m.safetensors", "t.safetensors", "--out", "none/out.csv"});
  expect_refused_by("", {"predict", "m.safetensors", "t.safetensors", "--out", "m.safetensors"});
  expect_refused_by("", {"predict", "m.safetensors", "t.safetensors", "--keep", "x62"});
  expect_refused_by("", {"predict", "m.safetensors", "none.safetensors"});
  expect_refused_by("", {"evaluate", "m.safetensors", "t.safetensors", "--weight-column", "w"});
  std::filesystem::resize_file(path("t.safetensors"), 50'000);
  expect_refused_by("", {"evaluate", "m.safetensors", "t.safetensors"});
}

TEST_F(MpiPredict, ASignalToOneEndsAllAndWritesNothing) {
  const Table table = wide_table(Wide::numbers);
  write(table, wide_model(table, {600, 600, 600}));  // a window takes some tenths of a second
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningProgram program(launch(3, KNOTWORK_MPI_PROGRAM,
                                  {"predict", "m.safetensors", "t.safetensors", "--out", "out.csv",
                                   "--threads", "1", "--progress"}));
    ASSERT_TRUE(program.wait_for_error_text("predicting"));
    const std::vector<pid_t> ranks = processes();
    ASSERT_EQ(ranks.size(), 3u);
    ::kill(ranks.back(), signal);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_THAT(sentences(outcome),
                ElementsAre("The prediction was interrupted while predicting; "
                            "nothing was written."));
    EXPECT_THAT(folder_.names(), ElementsAre("m.safetensors", "t.safetensors"));
  }
}

}  // namespace
}  // namespace knotwork::testing
