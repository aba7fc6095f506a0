// SPDX-License-Identifier: MIT
// A thin layer over SQLite: statements that clean up after themselves, and failures as Errors with
// one sentence that names the file.
//
// Every transaction is flushed to disk (synchronous FULL with a rollback journal) before it counts
// as done. A write-ahead log would be faster, but it is a second file that must not be lost when
// somebody copies the first, and it does not work over a network; a fold takes far longer than a
// flush.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace knotwork::searching {

// Bytes of a text in a study; the identity of a search lists the rows it leaves out, so it may be
// long.
inline constexpr int kMaxStudyValue = 256 << 20;

class Database;

// Columns and parameters are counted from 0.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  template <class... Values>
  Statement& bind(const Values&... values) {
    int parameter = 0;
    (bind_one(parameter++, values), ...);
    return *this;
  }
  bool step();  // whether there is a row
  void run();   // for statements without rows, which can then be bound and run again

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  void bind_one(int parameter, std::int64_t value);
  void bind_one(int parameter, double value);
  void bind_one(int parameter, std::string_view value);
  void check_number(int column) const;

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode { in_memory, make_or_open, look_at };
  static constexpr int kBusySeconds = 60;  // how long to wait for another process

  Database(std::string path, Mode mode, double busy_seconds = kBusySeconds);

  const std::string& name() const { return name_; }
  void run(std::string_view sql) const { Statement(*this, sql).run(); }
  std::int64_t integer(std::string_view sql) const;  // of a query with one row and one column
  bool has_changed() const;                          // whether the last statement changed a row

  // Throws the Error for `code`, which the last call returned.
  [[noreturn]] void refuse(int code) const;
  [[noreturn]] void refuse_as_damaged(std::string_view why) const;

 private:
  friend class Statement;
  friend class StepLimit;
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::string name_;
  double busy_seconds_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// While a StepLimit exists, the steps of the database are limited in proportion to its size.
// Without a limit, pages that are each other's children would be walked without end; a database
// whose integrity was checked has no such pages.
class StepLimit {
 public:
  explicit StepLimit(const Database& database);
  ~StepLimit();
  StepLimit(const StepLimit&) = delete;
  StepLimit& operator=(const StepLimit&) = delete;

 private:
  const Database& database_;
  std::int64_t thousands_left_;
};

// A transaction takes the write lock at once: if two transactions ask for the lock later, SQLite
// can refuse one of them for good. A transaction is undone unless it is committed.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace knotwork::searching
