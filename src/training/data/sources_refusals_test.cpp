// SPDX-License-Identifier: MIT
// Tests of tables in files that cannot be trained on: one sentence, the same on every rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <mutex>

#include "parallel/test_ranks.hpp"
#include "training/data/test_sources.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>

namespace knotwork::training {
namespace {

using ::testing::HasSubstr;
using StreamedRefusals = StreamedTraining;

// The sentence that all ranks throw when one of them fails and reports it, as the program does.
template <class Work>
std::string common_sentence(std::size_t count, const Work& work) {
  std::mutex mutex;
  std::vector<std::string> sentences;
  parallel::run_ranks(count, [&](Ranks& ranks) {
    try {
      try {
        work(ranks);
        ranks.meet();
      } catch (const SharedError&) {
        throw;
      } catch (const Error& error) {
        ranks.report_failure(error);
      }
    } catch (const Error& error) {
      const std::lock_guard lock(mutex);
      sentences.emplace_back(error.what());
    }
  });
  EXPECT_EQ(sentences.size(), count);
  for (const std::string& sentence : sentences) EXPECT_EQ(sentence, sentences.front());
  return sentences.empty() ? "" : sentences.front();
}

// Changes a bit of the byte at this distance from the end.
void damage(const std::filesystem::path& path, std::size_t from_end) {
  const auto place = static_cast<std::streamoff>(std::filesystem::file_size(path) - from_end);
  std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekg(place);
  const int old = bytes.get();
  bytes.seekp(place);
  bytes.put(static_cast<char>(old ^ 1));
}

// The bad cell is in a row that only the last process reads.
TEST_F(StreamedRefusals, ABadCellIsNamedWithItsRank) {
  Table table = mixed_table(3000, false);
  table.columns[5][2900] = NAN;
  const StoredTable file = stored(table);
  TableTask task = task_of(kCases[0]);
  task.require_target = true;
  for (const std::size_t count : {1, 3}) {
    const std::string sentence = common_sentence(count, [&](Ranks& ranks) {
      PreparedData(file, {}, task, 0, nullptr, storage(0, &ranks));
    });
    EXPECT_THAT(sentence, HasSubstr("'y'"));
    EXPECT_EQ(sentence.starts_with("Rank 2: "), count == 3) << sentence;
  }
}

TEST_F(StreamedRefusals, AMissingClassIsNamedWithItsRank) {
  Table table = mixed_table(3000, true);
  table.columns[5][2900] = NAN;
  const StoredTable file = stored(table);
  TableTask task = task_of(kCases[0]);
  task.require_target = true;
  for (const std::size_t count : {1, 3}) {
    const std::string sentence = common_sentence(count, [&](Ranks& ranks) {
      PreparedData(file, {}, task, 0, nullptr, storage(0, &ranks));
    });
    EXPECT_THAT(sentence, HasSubstr("every row must have its class"));
    EXPECT_EQ(sentence.starts_with("Rank 2: "), count == 3) << sentence;
  }
}

// Files with equal columns and rows: a table file stores a hash of its cells, a .npy file is read.
TEST_F(StreamedRefusals, OneThatReadsAFileWithOtherCellsEndsAll) {
  const Table numbers{.source = "numbers",
                      .names = {"x1", "x2"},
                      .columns = {std::vector<double>(500), std::vector<double>(500)}};
  Table one = numbers, other = numbers;
  for (std::size_t r = 0; r < 500; ++r) {
    one.columns[0][r] = other.columns[0][r] = std::sin(static_cast<double>(r));
    one.columns[1][r] = std::cos(static_cast<double>(r));
    other.columns[1][r] = std::cos(static_cast<double>(r)) + 0.5;
  }
  for (const std::string ending : {".safetensors", ".npy"}) {
    const std::filesystem::path paths[] = {folder_ / ("one" + ending),
                                           folder_ / ("other" + ending)};
    for (const std::size_t rank : {0, 1}) {
      const Table& table = rank == 0 ? one : other;
      write_table_file(table, folder_ / "t");
      if (ending == ".npy") write_npy(StoredTable(folder_ / "t"), paths[rank], {});
      if (ending != ".npy") write_table_file(table, paths[rank]);
    }
    const std::string sentence = common_sentence(2, [&](Ranks& ranks) {
      PreparedData(StoredTable(paths[ranks.rank()]), {}, {}, 0, nullptr, storage(0, &ranks));
    });
    EXPECT_THAT(sentence, HasSubstr("other cells here than on rank 0"));
  }
}

// With the same sentence as for rows in memory.
TEST_F(StreamedRefusals, PartsWithoutWeightAreRefused) {
  Case one = kCases[4];
  one.options.emplace_back("validation-fraction", "0.2");
  Table table = mixed_table(400, false);
  const TrainOptions options = options_of(one);
  const auto sentence_with = [&](const std::vector<std::size_t>& weighty) {
    std::fill(table.columns[2].begin(), table.columns[2].end(), 0.0);
    for (const std::size_t row : weighty) table.columns[2][row] = 1;
    const StoredTable file = stored(table);
    const std::string streamed = common_sentence(2, [&](Ranks& ranks) {
      train(PreparedData(file, {}, task_of(one), options.seed, nullptr, storage(0, &ranks)),
            options);
    });
    std::string in_memory;
    try {
      train(PreparedData(table, task_of(one), options.seed), options);
    } catch (const Error& error) {
      in_memory = error.what();
    }
    EXPECT_EQ(streamed, in_memory);
    return streamed;
  };
  EXPECT_THAT(sentence_with({}), HasSubstr("All rows to train on have weight 0"));
  const PreparedData prepared(table, task_of(one), options.seed);
  EXPECT_THAT(sentence_with(prepared.partition().train), HasSubstr("All rows to test on"));
}

TEST_F(StreamedRefusals, AFileWithAChangedCellIsRefused) {
  stored(mixed_table(3000, false));
  const std::filesystem::path path = folder_ / "t";
  damage(path, 5000);
  const StoredTable file(path);
  for (const std::size_t count : {1, 4}) {
    EXPECT_THAT(common_sentence(count,
                                [&](Ranks& ranks) {
                                  PreparedData(file, {}, task_of(kCases[0]), 0, nullptr,
                                               storage(0, &ranks));
                                }),
                HasSubstr("changed or damaged"));
  }
}

// Each process may have its own copy of the file, so the others do not see that one is damaged.
TEST_F(StreamedRefusals, ADamagedCopyIsRefusedWhateverColumnItIs) {
  stored(mixed_table(3000, false));
  for (const std::size_t from_end : {std::size_t{5000}, std::size_t{40'000}}) {
    const std::filesystem::path copy = folder_ / "copy";
    std::filesystem::remove(copy);
    std::filesystem::copy_file(folder_ / "t", copy);
    damage(copy, from_end);
    for (const std::size_t count : {2, 3}) {
      const std::string sentence = common_sentence(count, [&](Ranks& ranks) {
        PreparedData(StoredTable(ranks.rank() == 1 ? copy : folder_ / "t"), {}, task_of(kCases[0]),
                     0, nullptr, storage(0, &ranks));
      });
      EXPECT_THAT(sentence, HasSubstr("copy has been changed or damaged"));
      EXPECT_TRUE(sentence.starts_with("Rank 1: ")) << sentence;
    }
  }
}

TEST_F(StreamedRefusals, OneThatSeesAnotherTableEndsAll) {
  const Table table = mixed_table(300, false);
  Table longer = mixed_table(301, false), renamed = table, other_texts = table, changed = table;
  renamed.names[0] = "u";
  other_texts.labels[1][2] = "violet";
  changed.columns[0][5] = 7;
  const std::pair<const Table*, const char*> differing[] = {
      {&longer, "301 rows here and 300"},
      {&renamed, "other columns or texts"},
      {&other_texts, "other columns or texts"},
      {&changed, "other cells"}};
  for (const auto& [other, what] : differing) {
    const std::string sentence = common_sentence(3, [&](Ranks& ranks) {
      PreparedData(ranks.rank() == 1 ? *other : table, task_of(kCases[0]), 0, nullptr, &ranks);
    });
    EXPECT_THAT(sentence, HasSubstr(what));
    EXPECT_TRUE(sentence.starts_with("Rank 1: ")) << sentence;
  }
}

// Processes may read options from different files, and the second table from different folders.
TEST_F(StreamedRefusals, OneThatIsAskedForSomethingElseEndsAll) {
  const StoredTable file = stored(mixed_table(300, false));
  const Table test = mixed_table(50, false);
  Table changed = test;
  changed.columns[0][5] = 7;
  using Change = std::function<void(TableTask&)>;
  const Change changes[] = {[](TableTask& task) { task.weight_column = "weight"; },
                            [](TableTask& task) { task.drop = {"x"}; },
                            [](TableTask& task) { task.test_fraction = 0.4; },
                            [](TableTask& task) { task.kind = TaskKind::classification; },
                            [](TableTask& task) {
                              task.test_fraction = 0;
                              task.test_rows = {3, 5};
                            },
                            [&](TableTask& task) {
                              task.test_fraction = 0;
                              task.test_data = std::make_shared<Table>(changed);
                            }};
  for (const Change& change : changes) {
    const std::string sentence = common_sentence(3, [&](Ranks& ranks) {
      TableTask task;
      task.test_fraction = 0.3;
      if (&change == &changes[5]) {
        task.test_fraction = 0;
        task.test_data = std::make_shared<Table>(test);
      }
      if (ranks.rank() == 2) change(task);
      PreparedData(file, {}, task, 0, nullptr, storage(0, &ranks));
    });
    EXPECT_THAT(sentence, HasSubstr("differ from those of rank 0"));
    EXPECT_TRUE(sentence.starts_with("Rank 2: ")) << sentence;
  }
}

// A checkpoint also belongs to the roles of the columns.
TEST_F(StreamedRefusals, ACheckpointOfATrainingWithOtherRolesIsRefused) {
  Table table = mixed_table(400, false);
  const StoredTable file = stored(table);
  TrainOptions options = options_of(kCases[0]);
  options.validation_fraction = 0.2;
  TableTask weighted, grouped;
  weighted.weight_column = grouped.group_column = table.names[2];
  TrainingState kept;
  Checkpoints keeping([&](const TrainingState& state) { kept = state; }, 1);
  train(PreparedData(file, {}, weighted, 0, nullptr, storage(0)), options,
        {.checkpoints = lent(keeping)});
  EXPECT_THAT(common_sentence(1,
                              [&](Ranks&) {
                                Checkpoints resumed([](const TrainingState&) {}, 0, kept);
                                train(PreparedData(file, {}, grouped, 0, nullptr, storage(0)),
                                      options, {.checkpoints = lent(resumed)});
                              }),
              HasSubstr("its rows, its columns, its division"));
}

// Zeros of both signs are one class, whichever comes first and in any window.
TEST_F(StreamedRefusals, AClassOfZerosMayHaveSigns) {
  Table table{.source = "signs", .names = {"x", "y"}, .columns = {{}, {}}};
  for (std::size_t r = 0; r < 300'000; ++r) {
    table.columns[0].push_back(std::sin(static_cast<double>(r)));
    table.columns[1].push_back(r % 2 == 0 ? 1.0 : r < 1000 || r > 270'000 ? -0.0 : 0.0);
  }
  const StoredTable file = stored(table);
  TableTask task;
  task.kind = TaskKind::classification;
  TrainOptions options = options_of(kCases[0]);
  options.iterations = 1;
  for (const std::size_t count : {1, 3}) {
    parallel::run_ranks(count, [&](Ranks& ranks) {
      const PreparedData prepared(file, {}, task, 0, nullptr, storage(0, &ranks));
      const Model model = train(prepared, options);
      EXPECT_THAT(model.targets[0].classes, ::testing::ElementsAre("0", "1"));
    });
  }
}

}  // namespace
}  // namespace knotwork::training
