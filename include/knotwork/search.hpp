// SPDX-License-Identifier: MIT
// Searching for good settings: trials scored by cross-validation, kept in a study on disk.
//
// A search knows nothing of training. The caller scores one setting on one fold; the search decides
// which settings are tried, hands the folds to threads, and stores every score as soon as it is
// there. Which trials there are depends on the options and the scores alone, so a search that was
// stopped or killed and is run again ends with the same winner as one that was left in peace, and
// evaluates nothing twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/names.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork {

// Option -> value, in the order of the space. Both are text, as on the command line.
using Setting = std::vector<std::pair<std::string, std::string>>;

struct Range {
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  bool whole = false;  // whole numbers only
};

// One option and what is tried for it.
struct Dimension {
  std::string option;
  std::vector<std::string> values;  // the points of the grid
  std::optional<Range> range;       // what the points were laid over, if it was a range
};

// "option=..." with, after the '=', values separated by '|', or a range:
//
//   hidden=20|40|20,20     three values
//   lambda-w=2^-20..2^5    all 26 powers of 2 between them
//   lambda-w=1e-4..1       5 points, here 0.0001, 0.001, 0.01, 0.1, 1
//   lambda-w=0..0.1:11     11 points: 0, 0.01, ... 0.1
//
// Numbers may be written as powers. The points of a range are evenly spaced, in the logarithm if
// both ends are above 0, and rounded to 6 digits; powers and ends are kept exactly. Points that
// rounding makes equal count once. `is_whole` tells which options take whole numbers only: a range
// of one that has no more whole numbers than points has them all. Whether the option exists and
// takes the values is for the caller to find out.
KNOTWORK_API Dimension parse_dimension(
    std::string_view text, const std::function<bool(std::string_view option)>& is_whole = {});

// The number that a value of a dimension says, also as a power (10^-3); NaN if it says none.
KNOTWORK_API double number_of(std::string_view value);

// All combinations of the values of a space, the last dimension running fastest, and how many there
// are: limit + 1 if more than the limit.
KNOTWORK_API std::vector<Setting> grid_settings(const std::vector<Dimension>& space);
KNOTWORK_API std::size_t grid_size(const std::vector<Dimension>& space, std::size_t limit);

struct SearchOptions {
  std::string strategy = "grid";
  std::vector<Dimension> space;
  std::size_t folds = 3;
  std::size_t trials = 32;  // how many settings are drawn (random, halving)
  std::size_t eta = 3;      // one of so many settings goes on with so many times the budget
  std::uint64_t seed = 0;   // of the draws
  std::size_t threads = 0;  // 0: all cores
};
// Throws bad_option naming what is wrong and what is allowed.
KNOTWORK_API void check(const SearchOptions& options);

struct StrategyEntry {
  std::string name;
  std::string summary;
  std::vector<std::string> uses;  // which of trials, eta and seed have an effect
};
using StrategyTable = NamedTable<StrategyEntry>;
KNOTWORK_API const StrategyTable& search_strategies();

struct FoldScore {
  std::size_t fold = 0;
  double score = 0;     // infinite if the evaluation failed
  double seconds = 0;   // of a processor, used by the thread that called the evaluation
  std::string message;  // why it failed
};

struct TrialRecord {
  Setting setting;
  double budget = 1;              // share of the full effort, above 0
  std::vector<FoldScore> scores;  // of the finished folds, ascending
  bool complete = false;          // all folds are there
  // Over the finished folds; infinite if there is none, one failed, or their sum is too large for
  // a double. The deviation is that of a sample (divided by n - 1), 0 for a single fold.
  double mean = 0;
  double deviation = 0;
};

// One SQLite file: `study(key, value)` is its identity, `trials` and `folds` hold the scores,
// `results` what a caller wants to keep; a scope is the name of one search in a file of several.
// A fold is on the disk when store() returns. Several threads and processes may use one file and
// divide the work: `claims` are the folds under way.
class KNOTWORK_API Study {
 public:
  using Identity = std::vector<std::pair<std::string, std::string>>;

  // Makes the file, or opens the one there if it was made with the same identity: everything that
  // the scores depend on, such as a hash of the data. No path: in memory only. Throws bad_file,
  // or bad_option for another identity, naming the part that differs.
  Study(const std::filesystem::path& path, const Identity& identity);
  // An existing study whatever its identity, to look at; storing is refused.
  static Study read(const std::filesystem::path& path);
  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;
  ~Study();

  Identity identity() const;  // in alphabetical order
  std::vector<std::string> scopes() const;
  std::vector<TrialRecord> trials(const std::string& scope) const;  // in the order they began

  // Begins trials, or finds those begun before; the numbers returned stand for them below. Throws
  // bad_option if one was begun with another number of folds.
  std::vector<std::int64_t> begin(const std::string& scope, const std::vector<Setting>& settings,
                                  double budget, std::size_t folds);
  std::optional<FoldScore> find(std::int64_t trial, std::size_t fold) const;
  // Whether nobody has begun this fold before or stored it; the caller is then to store it or to
  // give it up. A claim is no lock: one that died keeps its claims, so that others store those
  // folds in the end.
  bool claim(std::int64_t trial, std::size_t fold);
  void give_up(std::int64_t trial, std::size_t fold);
  // Returns the score that stays: this one, or the one that another process was first to store.
  FoldScore store(std::int64_t trial, const FoldScore& score);

  // JSON texts by name; set_result() replaces.
  std::optional<std::string> result(const std::string& scope, const std::string& name) const;
  void set_result(const std::string& scope, const std::string& name, const std::string& json);

  // Throws bad_file: for callers that find something else than they once stored.
  [[noreturn]] void refuse_as_damaged(std::string_view why) const;

 private:
  struct Impl;
  explicit Study(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Study::read(path).trials(scope)
KNOTWORK_API std::vector<TrialRecord> load_trials(const std::filesystem::path& path,
                                                  const std::string& scope = "");

struct FoldTask {
  const Setting& setting;
  std::size_t fold = 0;
  double budget = 1;
  std::stop_token stop;  // asked for when the search ends before its time
};
// The score, lower is better, as a function of setting, fold and budget alone. Called from several
// threads at once. An Error of kind failed_run, or a score that is not finite, means that this fold
// failed: it counts as infinitely bad and the search goes on. Any other exception ends the search
// and is handed on. Nothing means that the evaluation was given up: the search stops as if its
// observer had said so.
using Evaluate = std::function<std::optional<double>(const FoldTask&)>;

// References and the pointer are valid during the call only.
struct SearchProgress {
  std::size_t done = 0;     // folds, those found in the study among them
  std::size_t planned = 0;  // folds decided on so far; refine decides on more as it goes
  const Setting& setting;   // of the fold that has just been finished
  double budget = 1;
  const FoldScore& score;
  bool found = false;       // in the study, not evaluated
  const TrialRecord* best;  // null until a trial without a failed fold is complete
};
// Called after every fold, never twice at a time. Returning false stops the search: no fold is
// begun any more, and those under way are asked to give up; if they end with a score it is stored
// and told of as well. Once a search stops, what the observer returns no longer matters.
using SearchObserver = std::function<bool(const SearchProgress&)>;

struct SearchResult {
  // The lowest mean, the first of equals in the order of the grid or the draws; for halving, of
  // those with the largest budget. None if the search was stopped before.
  std::optional<TrialRecord> winner;
  std::vector<TrialRecord> trials;
  std::size_t evaluated = 0;  // folds in this call
  bool stopped = false;
};

// Throws failed_run if all trials failed.
//
// With `ranks` (null: this process alone) the first of them calls it, which alone has the study,
// and all others call serve_search() at the same time. Folds are evaluated in rounds, one for each
// thread of each rank, and stored at the end of their round. What is thrown on one rank is for the
// caller to report to the others.
KNOTWORK_API SearchResult search(const SearchOptions& options, Study& study,
                                 const std::string& scope, const Evaluate& evaluate,
                                 const SearchObserver& observer = {}, Ranks* ranks = nullptr);

// Evaluates folds for the search of the first rank until it is over. The options are those of the
// search, but for the threads, which are this rank's own. Winner and `stopped` are those of the
// search, too; there are no trials, and `evaluated` counts the folds of this rank.
KNOTWORK_API SearchResult serve_search(const SearchOptions& options, const Evaluate& evaluate,
                                       Ranks& ranks);

}  // namespace knotwork
