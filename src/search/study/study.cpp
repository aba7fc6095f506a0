// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <initializer_list>
#include <iterator>
#include <map>
#include <mutex>

#include <knotwork/search.hpp>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "search/study/database.hpp"
#include "search/study/trial.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork {

using namespace searching;
namespace {

constexpr std::int64_t kApplicationId = 0x4b6e6f74;  // "Knot": marks a file as a study
constexpr std::int64_t kLayout = 3;                  // earlier layouts had no seals
constexpr std::size_t kShortValue = 48;  // a longer value would hide the rest of its message

// Infinite scores are stored as such, so that averages are right in any tool. Every row except a
// claim has a SHA-256 of its contents, because SQLite detects damage of its pages, not of the cells
// in them.
constexpr const char* kTables[] = {
    "CREATE TABLE study (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL, sha256 TEXT NOT NULL)",
    "CREATE TABLE trials (id INTEGER PRIMARY KEY, scope TEXT NOT NULL, setting TEXT NOT NULL,"
    " budget REAL NOT NULL, folds INTEGER NOT NULL, sha256 TEXT NOT NULL,"
    " UNIQUE (scope, setting, budget))",
    "CREATE TABLE folds (trial_id INTEGER NOT NULL REFERENCES trials (id), fold INTEGER NOT NULL,"
    " score REAL NOT NULL, seconds REAL NOT NULL, message TEXT NOT NULL, sha256 TEXT NOT NULL,"
    " PRIMARY KEY (trial_id, fold))",
    "CREATE TABLE results (scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    " sha256 TEXT NOT NULL, PRIMARY KEY (scope, name))",
    "CREATE TABLE claims (trial_id INTEGER NOT NULL REFERENCES trials (id), fold INTEGER NOT NULL,"
    " PRIMARY KEY (trial_id, fold))",
};

// SHA-256 of the parts of a row. The length of each part precedes it, so that no byte can move from
// one part to the next.
std::string seal(std::initializer_list<std::string_view> parts) {
  Sha256 sha;
  for (const std::string_view part : parts) {
    const std::string size = fmt::format("{} ", part.size());
    for (const std::string_view text : {std::string_view(size), part}) {
      sha.update({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
  }
  return sha.hex_digest();
}

std::string bits_of(double number) {
  return fmt::format("{:x}", std::bit_cast<std::uint64_t>(number));
}

std::string seal_of_trial(std::string_view scope, std::string_view setting, double budget,
                          std::int64_t folds) {
  return seal({"trial", scope, setting, bits_of(budget), fmt::format("{}", folds)});
}

std::string seal_of_fold(std::string_view trial, const FoldScore& score) {
  return seal({"fold", trial, fmt::format("{}", score.fold), bits_of(score.score),
               bits_of(score.seconds), score.message});
}

void check_seal(const Database& database, const std::string& expected, const std::string& there,
                std::string_view what) {
  if (expected == there) return;
  database.refuse_as_damaged(fmt::format("{} is not what was stored", what));
}

void make_tables(const Database& database, const Study::Identity& identity) {
  database.run(fmt::format("PRAGMA application_id = {}", kApplicationId));
  database.run(fmt::format("PRAGMA user_version = {}", kLayout));
  for (const char* table : kTables) database.run(table);
  Statement insert(database, "INSERT INTO study VALUES (?, ?, ?)");
  for (const auto& [key, value] : identity) {
    insert.bind(key, value, seal({"study", key, value})).run();
  }
}

// A view or a trigger in place of a table could compute without end.
void check_schema(const Database& database) {
  Statement select(database, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL");
  while (select.step()) {
    const std::string sql = select.text(1);
    const bool ours = std::any_of(std::begin(kTables), std::end(kTables),
                                  [&](const char* table) { return sql == table; });
    if (!ours) {
      database.refuse_as_damaged(
          fmt::format("'{}' is nothing that a study has", csv::shown(select.text(0))));
    }
  }
}

void check_layout(const Database& database) {
  if (database.integer("PRAGMA application_id") != kApplicationId) {
    fail(ErrorKind::bad_file, "{} is not a study; name another file.", database.name());
  }
  const std::int64_t layout = database.integer("PRAGMA user_version");
  if (layout != kLayout) {
    const bool newer = layout > kLayout;
    fail(ErrorKind::bad_file,
         "The study {} has format {} of {} Knotwork, but this version reads format {}; use {}, or "
         "name another file.",
         database.name(), layout, newer ? "a newer" : "an older", kLayout,
         newer ? "the newer one" : "that one");
  }
  check_schema(database);
  Statement check(database, "PRAGMA integrity_check(1)");
  if (!check.step() || check.text(0) != "ok") database.refuse_as_damaged(check.text(0));
}

Study::Identity read_identity(const Database& database) {
  Study::Identity identity;
  Statement select(database, "SELECT key, value, sha256 FROM study ORDER BY key");
  while (select.step()) {
    const auto& [key, value] = identity.emplace_back(select.text(0), select.text(1));
    check_seal(database, seal({"study", key, value}), select.text(2), "what it was begun for");
  }
  return identity;
}

void compare_part(const Database& database, const std::string& key, const std::string* there,
                  const std::string* here) {
  if (there && here && *there == *here) return;
  const auto shown = [](const std::string* value) {
    return value ? fmt::format("'{}'", csv::shown(*value, kShortValue)) : std::string("missing");
  };
  const bool is_short =
      (!there || there->size() <= kShortValue) && (!here || here->size() <= kShortValue);
  fail(ErrorKind::bad_option,
       "The study {} belongs to another search: its {} {}; name another file, or repeat the same "
       "search.",
       database.name(), csv::shown(key),
       is_short ? fmt::format("is {}, here it is {}", shown(there), shown(here)) : "differs");
}

void compare_identity(const Database& database, const Study::Identity& identity) {
  const Study::Identity stored = read_identity(database);
  const std::map<std::string, std::string> there(stored.begin(), stored.end());
  const std::map<std::string, std::string> here(identity.begin(), identity.end());
  const auto part = [](const std::map<std::string, std::string>& parts, const std::string& key) {
    const auto found = parts.find(key);
    return found == parts.end() ? nullptr : &found->second;
  };
  // The identity is in the caller's order, most important parts first.
  for (const auto& [key, value] : identity) compare_part(database, key, part(there, key), &value);
  for (const auto& [key, value] : stored) compare_part(database, key, &value, part(here, key));
}

// The row has a fold, its score, seconds, message and seal.
FoldScore read_score(const Database& database, const Statement& row, int column,
                     const std::string& trial) {
  FoldScore score = {static_cast<std::size_t>(row.integer(column)), row.real(column + 1),
                     row.real(column + 2), row.text(column + 3)};
  check_seal(database, seal_of_fold(trial, score), row.text(column + 4), "a score");
  return score;
}

// The row has a setting, its budget, folds and seal. Returns the number of folds.
std::size_t read_trial(const Database& database, const std::string& scope, const Statement& row,
                       int column, TrialRecord& trial) {
  std::optional<Setting> setting = setting_from_json(row.text(column));
  if (!setting) database.refuse_as_damaged("a setting is not a JSON object of texts");
  trial.setting = std::move(*setting);
  trial.budget = row.real(column + 1);
  if (!(trial.budget > 0)) {
    database.refuse_as_damaged(fmt::format("a trial has the budget {}", trial.budget));
  }
  const std::int64_t folds = row.integer(column + 2);
  if (folds < 1) database.refuse_as_damaged(fmt::format("a trial has {} folds", folds));
  check_seal(database, seal_of_trial(scope, row.text(column), trial.budget, folds),
             row.text(column + 3), "a trial");
  return static_cast<std::size_t>(folds);
}

std::optional<FoldScore> find_score(const Database& database, std::int64_t trial,
                                    std::size_t fold) {
  Statement select(database,
                   "SELECT fold, score, seconds, message, folds.sha256, trials.sha256 FROM folds "
                   "JOIN trials ON id = trial_id WHERE trial_id = ? AND fold = ?");
  if (!select.bind(trial, static_cast<std::int64_t>(fold)).step()) return std::nullopt;
  return read_score(database, select, 0, select.text(5));
}

void remove_claim(const Database& database, std::int64_t trial, std::size_t fold) {
  Statement remove(database, "DELETE FROM claims WHERE trial_id = ? AND fold = ?");
  remove.bind(trial, static_cast<std::int64_t>(fold)).run();
}

}  // namespace

struct Study::Impl {
  Database database;
  std::mutex mutex;

  Impl(const std::filesystem::path& path, Database::Mode mode) : database(path.string(), mode) {}
};

Study::Study(const std::filesystem::path& path, const Identity& identity)
    : impl_(std::make_unique<Impl>(
          path, path.empty() ? Database::Mode::in_memory : Database::Mode::make_or_open)) {
  const Database& database = impl_->database;
  const StepLimit limit(database);
  Transaction transaction(database);
  if (database.integer("SELECT count(*) FROM sqlite_master") == 0 &&
      database.integer("PRAGMA application_id") == 0) {
    make_tables(database, identity);
  } else {
    check_layout(database);
    compare_identity(database, identity);
  }
  transaction.commit();
}

Study Study::read(const std::filesystem::path& path) {
  auto impl = std::make_unique<Impl>(path, Database::Mode::look_at);
  const StepLimit limit(impl->database);
  check_layout(impl->database);
  return Study(std::move(impl));
}

Study::Study(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

Study::Identity Study::identity() const {
  std::lock_guard lock(impl_->mutex);
  return read_identity(impl_->database);
}

std::vector<std::string> Study::scopes() const {
  std::lock_guard lock(impl_->mutex);
  std::vector<std::string> scopes;
  Statement select(impl_->database,
                   "SELECT scope FROM trials UNION SELECT scope FROM results ORDER BY scope");
  while (select.step()) scopes.push_back(select.text(0));
  return scopes;
}

std::vector<TrialRecord> Study::trials(const std::string& scope) const {
  std::lock_guard lock(impl_->mutex);
  const Database& database = impl_->database;
  Statement select(database,
                   "SELECT id, setting, budget, folds, trials.sha256, fold, score, seconds, "
                   "message, folds.sha256 FROM trials LEFT JOIN folds ON trial_id = id "
                   "WHERE scope = ? ORDER BY id, fold");
  select.bind(scope);
  std::vector<TrialRecord> trials;
  std::vector<std::size_t> folds;
  std::optional<std::int64_t> last;
  while (select.step()) {
    if (last != select.integer(0)) {
      last = select.integer(0);
      folds.push_back(read_trial(database, scope, select, 1, trials.emplace_back()));
    }
    if (select.is_null(5)) continue;
    if (static_cast<std::size_t>(select.integer(5)) >= folds.back()) {
      database.refuse_as_damaged("a fold does not belong to its trial");
    }
    trials.back().scores.push_back(read_score(database, select, 5, select.text(4)));
  }
  for (std::size_t k = 0; k < trials.size(); ++k) summarize(trials[k], folds[k]);
  return trials;
}

std::vector<std::int64_t> Study::begin(const std::string& scope,
                                       const std::vector<Setting>& settings, double budget,
                                       std::size_t folds) {
  std::lock_guard lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  Statement insert(database,
                   "INSERT INTO trials (scope, setting, budget, folds, sha256) "
                   "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
  std::vector<std::int64_t> numbers;
  for (const Setting& setting : settings) {
    const std::string json = setting_to_json(setting);
    const auto count = static_cast<std::int64_t>(folds);
    const std::string sealed = seal_of_trial(scope, json, budget, count);
    insert.bind(scope, json, budget, count, sealed).run();
    Statement select(
        database,
        "SELECT id, folds, sha256 FROM trials WHERE scope = ? AND setting = ? AND budget = ?");
    if (!select.bind(scope, json, budget).step()) database.refuse_as_damaged("a trial is missing");
    if (select.integer(1) != count) {
      fail(ErrorKind::bad_option,
           "The study {} has this search with {} folds, not {}; name another file, or use as many "
           "folds as before.",
           database.name(), select.integer(1), folds);
    }
    check_seal(database, sealed, select.text(2), "a trial");
    numbers.push_back(select.integer(0));
  }
  transaction.commit();
  return numbers;
}

std::optional<FoldScore> Study::find(std::int64_t trial, std::size_t fold) const {
  std::lock_guard lock(impl_->mutex);
  return find_score(impl_->database, trial, fold);
}

bool Study::claim(std::int64_t trial, std::size_t fold) {
  std::lock_guard lock(impl_->mutex);
  const auto number = static_cast<std::int64_t>(fold);
  Statement insert(impl_->database,
                   "INSERT INTO claims SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM folds WHERE "
                   "trial_id = ? AND fold = ?) ON CONFLICT DO NOTHING");
  insert.bind(trial, number, trial, number).run();
  return impl_->database.has_changed();
}

void Study::give_up(std::int64_t trial, std::size_t fold) {
  std::lock_guard lock(impl_->mutex);
  remove_claim(impl_->database, trial, fold);
}

FoldScore Study::store(std::int64_t trial, const FoldScore& score) {
  std::lock_guard lock(impl_->mutex);
  const Database& database = impl_->database;
  Transaction transaction(database);
  Statement of_trial(database, "SELECT sha256 FROM trials WHERE id = ?");
  if (!of_trial.bind(trial).step()) database.refuse_as_damaged("a trial is missing");
  Statement insert(database, "INSERT INTO folds VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
  insert.bind(trial, static_cast<std::int64_t>(score.fold), score.score, score.seconds,
              score.message, seal_of_fold(of_trial.text(0), score));
  insert.run();
  remove_claim(database, trial, score.fold);
  transaction.commit();
  const std::optional<FoldScore> stored = find_score(database, trial, score.fold);
  if (!stored) database.refuse_as_damaged("a score is missing");
  return *stored;
}

std::optional<std::string> Study::result(const std::string& scope, const std::string& name) const {
  std::lock_guard lock(impl_->mutex);
  Statement select(impl_->database,
                   "SELECT value, sha256 FROM results WHERE scope = ? AND name = ?");
  if (!select.bind(scope, name).step()) return std::nullopt;
  std::string value = select.text(0);
  check_seal(impl_->database, seal({"result", scope, name, value}), select.text(1), "a result");
  return value;
}

void Study::set_result(const std::string& scope, const std::string& name, const std::string& json) {
  std::lock_guard lock(impl_->mutex);
  Statement insert(impl_->database, "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)");
  insert.bind(scope, name, json, seal({"result", scope, name, json})).run();
}

void Study::refuse_as_damaged(std::string_view why) const {
  impl_->database.refuse_as_damaged(why);
}

std::vector<TrialRecord> load_trials(const std::filesystem::path& path, const std::string& scope) {
  return Study::read(path).trials(scope);
}

}  // namespace knotwork
