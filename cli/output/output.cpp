// SPDX-License-Identifier: MIT
#include "cli/output/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/fail.hpp"
#include "cli/output/plain_words.hpp"
#include "files/file_io.hpp"

namespace knotwork::cli {

void print_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    if (errno == EPIPE) {
      fail(ErrorKind::failed_run,
           "Nobody reads standard output any more; the rest of the result was not written.");
    }
    fail(ErrorKind::failed_run, "The result could not be written to standard output: {}.",
         std::strerror(errno));
  }
}

void print_result(const Json& document) {
  print_result(document_text(document));
}

std::string describe(const Scores& scores) {
  if (!std::isfinite(scores.classes ? scores.classes->log_loss : scores.rmse)) {
    return fmt::format("no scores: not all predictions are finite numbers   ({})",
                       count(scores.rows, "row"));
  }
  if (scores.classes) {
    const std::string area =
        std::isnan(scores.classes->auc) ? "" : fmt::format("   AUC {:.4f}", scores.classes->auc);
    return fmt::format("accuracy {:.4f}   log loss {:.4f}{}   ({})", scores.classes->accuracy,
                       scores.classes->log_loss, area, count(scores.rows, "row"));
  }
  std::string text = fmt::format("NRMSE {:.4f}   RMSE {:.6g}   MAE {:.6g}   R2 {:.4f}",
                                 scores.nrmse, scores.rmse, scores.mae, scores.r2);
  if (!std::isfinite(scores.nrmse)) {
    text = fmt::format("RMSE {:.6g}   MAE {:.6g}   (no NRMSE and R2: the targets do not vary)",
                       scores.rmse, scores.mae);
  } else if (!std::isfinite(scores.r2)) {
    text = fmt::format("NRMSE {:.6g}   RMSE {:.6g}   MAE {:.6g}   (no R2: its square is too large)",
                       scores.nrmse, scores.rmse, scores.mae);
  }
  if (scores.pinball) text += fmt::format("   pinball loss {:.5g}", scores.pinball->loss);
  if (scores.intervals) text += "   " + describe(*scores.intervals);
  return text + fmt::format("   ({})", count(scores.rows, "row"));
}

std::string describe(const IntervalScores& interval) {
  return fmt::format("{:.1f} % lie in the interval for {:.0f} %, mean width {:.5g}",
                     100 * interval.coverage, 100 * interval.share, interval.width);
}

std::string confusion_table(const ClassScores& scores, const std::vector<std::string>& classes) {
  constexpr std::size_t kMostClasses = 10;
  if (classes.size() > kMostClasses) return "";
  std::vector<std::vector<std::string>> cells = {{"true \\ predicted"}};
  for (const std::string& label : classes) cells.front().push_back(label);
  for (std::size_t own = 0; own < classes.size(); ++own) {
    cells.push_back({classes[own]});
    for (const double weight : scores.confusion[own]) {
      cells.back().push_back(fmt::format("{:.6g}", weight));
    }
  }
  std::vector<std::size_t> widths(classes.size() + 1);
  for (const auto& line : cells) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  std::string text;
  for (const auto& line : cells) {
    text += fmt::format("{:<{}}", line[0], widths[0]);
    for (std::size_t c = 1; c < line.size(); ++c) {
      text += fmt::format("  {:>{}}", line[c], widths[c]);
    }
    text += "\n";
  }
  return text;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  files::write_file_atomically(path,
                               {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    fail(ErrorKind::bad_file, "The folder {} for the figures cannot be made: {}.", folder,
         error.message());
  }
}

void print_remarks(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) print_aside("knotwork: " + remark + "\n");
}

void print_aside(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::clearerr(stderr);
}

std::size_t terminal_width(int descriptor, std::size_t otherwise) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

bool lead_to_one_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(a)) == fs::weakly_canonical(fs::absolute(b));
}

void check_not_an_input(const std::string& option, const std::string& out,
                        const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!input.empty() && std::filesystem::is_regular_file(out, ignored) &&
        std::filesystem::equivalent(out, input, ignored)) {
      fail(ErrorKind::bad_option, "{} {} would overwrite an input; another name is needed.", option,
           out);
    }
  }
}

}  // namespace knotwork::cli
