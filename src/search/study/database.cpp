// SPDX-License-Identifier: MIT
#include "search/study/database.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "base/fail.hpp"
#include "table/csv/cell_value.hpp"

namespace knotwork::searching {
namespace {

namespace fs = std::filesystem;

// Limits in steps of SQLite's virtual machine. Reading or checking a row takes some tens of steps,
// and each row takes at least some bytes of the file.
constexpr int kThousand = 1000;
constexpr std::int64_t kFreeThousands = 1000;
constexpr std::int64_t kBytesPerThousand = 10;

constexpr std::size_t kShownReason = 200;  // bytes of SQLite's message about a damaged study

// SQLite would report "unable to open database file" for each of these.
void check_place(const fs::path& path, bool must_exist) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!path.has_filename() || fs::is_directory(path, ignored)) {
    fail(ErrorKind::bad_file, "{} is a folder; a study is one file.", path.string());
  }
  if (!fs::exists(path, ignored)) {
    if (must_exist) fail(ErrorKind::bad_file, "There is no study {}.", path.string());
    if (!fs::is_directory(folder, ignored)) {
      fail(ErrorKind::bad_file, "The study {} cannot be created: there is no folder {}.",
           path.string(), folder.string());
    }
  } else if (!fs::is_regular_file(path, ignored)) {
    fail(ErrorKind::bad_file, "{} is not a regular file, as a study must be.", path.string());
  } else if (::access(path.c_str(), must_exist ? R_OK : R_OK | W_OK) != 0) {
    fail(ErrorKind::bad_file, "The study {} cannot be opened: {}.", path.string(),
         std::strerror(errno));
  }
  // SQLite makes the journal in the same folder.
  if (!must_exist && ::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(ErrorKind::failed_run,
         "The study {} cannot be written, because its folder {} cannot be written: {}.",
         path.string(), folder.string(), std::strerror(errno));
  }
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(std::string path, Mode mode, double busy_seconds)
    : name_(std::move(path)), busy_seconds_(busy_seconds) {
  std::string place = ":memory:";
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (mode == Mode::in_memory) {
    name_ = "in memory";
  } else {
    check_place(name_, mode == Mode::look_at);
    // SQLite never takes an absolute path for one of its special names.
    place = fs::absolute(name_).string();
    // A study that is opened for reading may still need its journal applied after a crash: SQLite
    // opens it for writing if it can.
    if (mode == Mode::look_at) flags = SQLITE_OPEN_READWRITE;
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(place.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) refuse(code);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMaxStudyValue);
  sqlite3_busy_timeout(handle, static_cast<int>(busy_seconds * 1000));
  // SQLite reads the schema for these settings already.
  const StepLimit limit(*this);
  // EXTRA flushes the removal of the journal too; otherwise a power failure could restore the
  // journal and undo the last commit.
  run("PRAGMA synchronous = EXTRA");
  // A study may come from an untrusted source.
  run("PRAGMA trusted_schema = OFF");
  run("PRAGMA cell_size_check = ON");
  if (mode == Mode::look_at) run("PRAGMA query_only = ON");
}

std::int64_t Database::integer(std::string_view sql) const {
  Statement statement(*this, sql);
  if (!statement.step()) refuse_as_damaged("a number is missing");
  return statement.integer(0);
}

bool Database::has_changed() const {
  return sqlite3_changes(handle_.get()) > 0;
}

void Database::refuse(int code) const {
  const std::string why = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      fail(ErrorKind::bad_file, "{} is not a study; name another file.", name_);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail(ErrorKind::failed_run,
           "Another process has locked the study {} for more than {} seconds; end that process or "
           "try again.",
           name_, busy_seconds_);
    case SQLITE_FULL:
    case SQLITE_IOERR:
      fail(ErrorKind::failed_run, "The study {} could not be read or written: {}.", name_, why);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      fail(ErrorKind::bad_file, "The study {} cannot be opened or written: {}.", name_, why);
    case SQLITE_INTERRUPT:
      refuse_as_damaged("its pages lead in circles");
    case SQLITE_NOMEM:  // also if a damaged file asks for more than SQLite's limit
      fail(ErrorKind::failed_run, "There is not enough memory for the study {}, or it is damaged.",
           name_);
    default:
      refuse_as_damaged(why);
  }
}

void Database::refuse_as_damaged(std::string_view why) const {
  fail(ErrorKind::bad_file,
       "The study {} is damaged ({}); restore a copy, or remove it to start again.", name_,
       csv::shown(why, kShownReason));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database.handle_.get(), sql.data(),
                                      static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) database_.refuse(code);
}

void Statement::bind_one(int parameter, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_.get(), parameter + 1, value);
  if (code != SQLITE_OK) database_.refuse(code);
}

void Statement::bind_one(int parameter, double value) {
  const int code = sqlite3_bind_double(statement_.get(), parameter + 1, value);
  if (code != SQLITE_OK) database_.refuse(code);
}

void Statement::bind_one(int parameter, std::string_view value) {
  // A null pointer would mean NULL, not the empty text.
  const int code =
      sqlite3_bind_text64(statement_.get(), parameter + 1, value.empty() ? "" : value.data(),
                          value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) database_.refuse(code);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.refuse(code);
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(statement_.get());
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// SQLite would read any other type as 0.
void Statement::check_number(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
    database_.refuse_as_damaged("something else stands for a number");
  }
}

std::int64_t Statement::integer(int column) const {
  check_number(column);
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  check_number(column);
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes ? std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size))
               : std::string();
}

StepLimit::StepLimit(const Database& database) : database_(database) {
  std::error_code ignored;
  const std::uintmax_t bytes = fs::file_size(database.name(), ignored);
  thousands_left_ =
      kFreeThousands + (ignored ? 0 : static_cast<std::int64_t>(bytes) / kBytesPerThousand);
  const auto count_down = [](void* left) {
    return --*static_cast<std::int64_t*>(left) < 0 ? 1 : 0;
  };
  sqlite3_progress_handler(database.handle_.get(), kThousand, count_down, &thousands_left_);
}

StepLimit::~StepLimit() {
  sqlite3_progress_handler(database_.handle_.get(), 0, nullptr, nullptr);
}

Transaction::Transaction(const Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (...) {
    // SQLite has already rolled back; the caller gets the original error.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace knotwork::searching
