// SPDX-License-Identifier: MIT
// Search for good settings: trials are scored by cross-validation and kept in a study on disk.
//
// A search does not train. The caller scores one setting on one fold; the search decides which
// settings are tried, gives the folds to threads, and stores every score as soon as it is computed.
// The trials depend only on the options and the scores. A search that was stopped or killed and is
// run again therefore finds the same winner as an uninterrupted search, and evaluates nothing
// twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/monitor.hpp>
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

// One option and the values to try for it.
struct Dimension {
  std::string option;
  std::vector<std::string> values;  // the points of the grid
  std::optional<Range> range;       // the range that the points come from, if there was one
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
// rounding makes equal count once. `is_whole` tells which options take whole numbers only: if a
// range of such an option has no more whole numbers than points, all of them are taken. The caller
// checks whether the option exists and accepts the values.
KNOTWORK_API Dimension parse_dimension(
    std::string_view text, const std::function<bool(std::string_view option)>& is_whole = {});

// The number that a value of a dimension means, also a power (10^-3); NaN if it is not a number.
KNOTWORK_API double number_of(std::string_view value);

// All combinations of the values of a space, with the last dimension changing fastest; and their
// number, or limit + 1 if there are more than `limit`.
KNOTWORK_API std::vector<Setting> grid_settings(const std::vector<Dimension>& space);
KNOTWORK_API std::size_t grid_size(const std::vector<Dimension>& space, std::size_t limit);

struct SearchOptions {
  std::string strategy = "grid";
  std::vector<Dimension> space;
  std::size_t folds = 3;
  std::size_t trials = 32;  // number of drawn settings (random, halving)
  std::size_t eta = 3;      // 1/eta of the settings continue with eta times the budget
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
  double seconds = 0;   // of processor time in the thread that called the evaluation
  std::string message;  // why it failed
};

struct TrialRecord {
  Setting setting;
  double budget = 1;              // share of the full effort, above 0
  std::vector<FoldScore> scores;  // of the finished folds, ascending
  bool complete = false;          // all folds have scores
  // Over the finished folds; infinite if no fold is finished, one failed, or their sum is too large
  // for a double. The deviation is that of a sample (divided by n - 1), 0 for a single fold.
  double mean = 0;
  double deviation = 0;
};

// A study is one SQLite file: `study(key, value)` is its identity, `trials` and `folds` hold the
// scores, `results` holds what a caller wants to keep. A scope is the name of one search, for a
// file with several searches. A fold is on disk when store() returns. Several threads and processes
// may use one file and share the work: `claims` lists the folds that are being evaluated.
class KNOTWORK_API Study {
 public:
  using Identity = std::vector<std::pair<std::string, std::string>>;

  // Creates the file, or opens an existing file with the same identity. The identity is everything
  // that the scores depend on, such as a hash of the data. Without a path the study is in memory
  // only. Throws bad_file, or bad_option for another identity, naming the part that differs.
  Study(const std::filesystem::path& path, const Identity& identity);
  // Opens an existing study of any identity for reading only.
  static Study read(const std::filesystem::path& path);
  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;
  ~Study();

  Identity identity() const;  // in alphabetical order
  std::vector<std::string> scopes() const;
  std::vector<TrialRecord> trials(const std::string& scope) const;  // in the order they began

  // Begins the trials that have not begun yet, and returns the numbers of all trials for the
  // functions below. Throws bad_option if a trial was begun with another number of folds.
  std::vector<std::int64_t> begin(const std::string& scope, const std::vector<Setting>& settings,
                                  double budget, std::size_t folds);
  std::optional<FoldScore> find(std::int64_t trial, std::size_t fold) const;
  // Whether nobody has claimed or stored this fold before; the caller must then store it or give it
  // up. A claim is no lock: a process that died keeps its claims, and others store its folds in the
  // end.
  bool claim(std::int64_t trial, std::size_t fold);
  void give_up(std::int64_t trial, std::size_t fold);
  // Returns the score that the study keeps: this one, or one that another process stored first.
  FoldScore store(std::int64_t trial, const FoldScore& score);

  // JSON texts by name; set_result() replaces an earlier text.
  std::optional<std::string> result(const std::string& scope, const std::string& name) const;
  void set_result(const std::string& scope, const std::string& name, const std::string& json);

  // Throws bad_file. For callers that find a result that differs from the result that they stored.
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
  // For the training of this fold: the monitor requests a stop when the search ends early.
  std::shared_ptr<Monitor> monitor = {};
};
// Returns the score (lower is better), which must depend on setting, fold and budget alone. It is
// called from several threads at once. An Error of kind failed_run or a score that is not finite
// means that this fold failed: its score is infinite and the search continues. No score or an Error
// of kind stopped means that the evaluation was given up, and stops the search. Any other exception
// ends the search and is rethrown.
using Evaluate = std::function<std::optional<double>(const FoldTask&)>;

// What a Monitor sees after every fold, in the phase `comparing`. Once the Monitor has requested a
// stop, no more folds begin, and the folds that are being evaluated are asked to stop. If such a
// fold still returns a score, the score is stored and shown to the Monitor too. References and the
// pointer are valid during the call only.
struct SearchProgress {
  const Setting& setting;  // the fold that has just finished
  double budget = 1;
  const FoldScore& score;
  bool found = false;       // read from the study, not evaluated
  const TrialRecord* best;  // null until a trial without a failed fold is complete
};

struct SearchResult {
  // The trial with the lowest mean; among equal trials, the first in the order of the grid or the
  // draws. With halving, only trials with the largest budget count. Empty if the search stopped
  // before any trial qualified.
  std::optional<TrialRecord> winner;
  std::vector<TrialRecord> trials;
  std::size_t evaluated = 0;  // folds in this call
  bool stopped = false;
};

// Throws failed_run if all trials failed.
//
// With `ranks` (null: this process alone) the first rank has the study and calls search(), and all
// other ranks call serve_search() at the same time. Folds are claimed in rounds, one fold for each
// thread of each rank, and stored at most a tenth of a second after they are scored. A stop of one
// rank stops all ranks. The caller must report an exception of one rank to the other ranks.
KNOTWORK_API SearchResult search(const SearchOptions& options, Study& study,
                                 const std::string& scope, const Evaluate& evaluate,
                                 const std::shared_ptr<Monitor>& monitor = {},
                                 Ranks* ranks = nullptr);

// Evaluates folds for the search of the first rank until the search ends. The options are the same
// as for search(), except that `threads` is this rank's own number. Trials, winner and `stopped`
// are the same as in the result of search(), and the monitor sees the same folds; `evaluated`
// counts the folds of this rank.
KNOTWORK_API SearchResult serve_search(const SearchOptions& options, const Evaluate& evaluate,
                                       Ranks& ranks, const std::shared_ptr<Monitor>& monitor = {});

}  // namespace knotwork
