// SPDX-License-Identifier: MIT
#include "cli/output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/fail.hpp"

namespace knotwork::cli {

void print_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    fail(ErrorKind::failed_run, "The result could not be written to standard output: {}.",
         std::strerror(errno));
  }
}

void print_result(const Json& document) {
  // A file may be called by bytes that are no text; the result is shown all the same.
  print_result(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string describe(const Scores& scores) {
  return fmt::format("NRMSE {:.4f}   RMSE {:.6g}   MAE {:.6g}   R2 {:.4f}   ({} rows)",
                     scores.nrmse, scores.rmse, scores.mae, scores.r2, scores.rows);
}

}  // namespace knotwork::cli
