// SPDX-License-Identifier: MIT
// The one exception type of the library.
//
// The library never prints, exits or aborts on input: what is wrong is said by throwing an Error
// whose message is one sentence that names what is wrong, where, and what would be right.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <knotwork/api.hpp>

namespace knotwork {

enum class ErrorKind {
  bad_option,  // a setting out of its range, an unknown name, settings that contradict each other
  bad_data,    // a table or matrix that cannot be used: shape, a word for a number, no rows
  bad_file,    // a file that cannot be opened, read or written
  bad_model,   // a model file that is damaged, from a newer version, or does not fit the data
  failed_run,  // a request that was right but could not be carried through
};

class KNOTWORK_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

// Whatever was thrown, as an Error: failed_run for what is none.
inline Error as_error(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error)) return *known;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {ErrorKind::failed_run, "There is not enough memory for this."};
  }
  return {ErrorKind::failed_run,
          "Something unexpected went wrong: " + std::string(error.what()) + "."};
}

}  // namespace knotwork
