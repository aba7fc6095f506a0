// SPDX-License-Identifier: MIT
// Matchers for tests of errors: for their fields, and for their sentence if the test is about it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>

#include <knotwork/error.hpp>

namespace knotwork {

// The Error that `work` throws; if it throws none, the test fails and the result is empty.
template <class Work>
std::optional<Error> error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return std::nullopt;
}

// EXPECT_THAT([&] { check(options); }, ThrowsError(ErrorKind::bad_option, "hidden"));
MATCHER_P2(ThrowsError, kind, option, "") {
  try {
    arg();
  } catch (const Error& error) {
    *result_listener << "which throws \"" << error.what() << "\" about the option '"
                     << error.option() << "'";
    return error.kind() == kind && error.option() == option;
  }
  *result_listener << "which throws no Error";
  return false;
}

// The place of an Error: file, line, and the column if it is known.
inline auto IsAt(const std::string& file, std::size_t line, std::size_t column = 0) {
  using ::testing::AllOf;
  using ::testing::Property;
  return AllOf(Property("file", &Error::file, file), Property("line", &Error::line, line),
               Property("column", &Error::column, column));
}

}  // namespace knotwork
