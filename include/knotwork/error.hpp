// SPDX-License-Identifier: MIT
// Error is the only exception type of the library: a sentence, and fields that tell what is wrong,
// where it is wrong and what would be right.
//
// The library never prints, exits or aborts on input: it reports a problem by throwing an Error.
// Its what() is one sentence that is complete by itself. Programs with their own syntax for options
// (a command line, a configuration file, Python) use the fields and word the hint themselves with
// message(); they need not search the sentence for words.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/api.hpp>

namespace knotwork {

enum class ErrorKind {
  bad_option,  // a setting out of its range, an unknown name, settings that contradict each other
  bad_data,    // a table or matrix that cannot be used: shape, a word for a number, no rows
  bad_file,    // a file that cannot be opened, read or written
  bad_model,   // a model file that is damaged, from a newer version, or does not fit the data
  failed_run,  // a valid request that could not be carried out
  stopped,     // a Monitor requested a stop before there was a result
};

// The place of the problem. Only known fields are set.
struct Where {
  std::string option = {};        // its name, as in train_option_fields() or a table option
  std::string other_option = {};  // a second option, which the first one contradicts
  std::string file = {};
  std::size_t line = 0;                 // of the file, from 1
  std::optional<std::size_t> row = {};  // of a table whose lines are unknown, from 0
  std::string row_name = {};            // the name of the row in its source: "record 7"
  std::size_t column = 0;               // of the table, from 1
  std::string column_name = {};         // the name of this column
  std::string subject = {};             // what the file is, for messages: "The checkpoint"
  std::string part = {};                // the part of a larger whole that failed: "Rank 2"
  bool is_in_sentence = false;          // whether the sentence itself names file, row and column
};

// "table.csv, line 7, column 3 ('age')".
KNOTWORK_API std::string to_text(const Where& where);

// An option with a value that would solve the problem; "true" for a switch.
struct OptionSetting {
  std::string option;
  std::string value;
  bool operator==(const OptionSetting&) const = default;
};

// What would be right, as data. On a command line: "; correct the cell, or use --missing abc or
// --categorical age".
struct Hint {
  std::string action = {};                   // a remedy that needs no option: "correct the cell"
  std::string purpose = {};                  // of the settings: "to leave the column out"
  std::vector<OptionSetting> settings = {};  // each of them is sufficient
  bool is_empty() const { return action.empty() && settings.empty(); }
};

// How a program words the settings of hints: the verb, then each setting.
struct HintWords {
  std::string verb;                                          // "use"
  std::function<std::string(const OptionSetting&)> setting;  // "--categorical age"
};

class KNOTWORK_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  // The sentence contains no hint, and no place unless where.is_in_sentence is true.
  Error(ErrorKind kind, Where where, Hint hint, const std::string& sentence);

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& option() const noexcept { return fields_->where.option; }
  const std::string& file() const noexcept { return fields_->where.file; }
  std::size_t line() const noexcept { return fields_->where.line; }      // 0: none
  std::size_t column() const noexcept { return fields_->where.column; }  // 0: none
  const Where& where() const noexcept { return fields_->where; }
  const Hint& hint() const noexcept { return fields_->hint; }
  const std::string& sentence() const noexcept { return fields_->sentence; }

  // Like what(), but with the caller's words for the hint: place, sentence, hint.
  std::string message(const HintWords& words) const;

 private:
  struct Fields {
    Where where;
    Hint hint;
    std::string sentence;
  };

  ErrorKind kind_;
  std::shared_ptr<const Fields> fields_;  // shared, so that copying an Error cannot fail
};

// A sentence about data or training that does not report an error, with the possible remedies as
// data.
class KNOTWORK_API Remark : public std::string {
 public:
  Remark(const char* sentence) : std::string(sentence), sentence_(sentence) {}
  Remark(std::string sentence) : std::string(sentence), sentence_(std::move(sentence)) {}
  Remark(Hint hint, const std::string& sentence);

  const Hint& hint() const noexcept { return hint_; }
  const std::string& sentence() const noexcept { return sentence_; }
  std::string message(const HintWords& words) const;

 private:
  Hint hint_;
  std::string sentence_;
};

// Any exception as an Error; its kind is failed_run if it was not an Error.
KNOTWORK_API Error as_error(const std::exception& error);

}  // namespace knotwork
