// SPDX-License-Identifier: MIT
#include "cli/output/output.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <string_view>

#include "base/fail.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/plain_words.hpp"
#include "cli/output/program_monitor.hpp"
#include "files/file_io.hpp"

namespace knotwork::cli {

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
    text = fmt::format(
        "NRMSE {:.6g}   RMSE {:.6g}   MAE {:.6g}   (no R2: the square of NRMSE is too large)",
        scores.nrmse, scores.rmse, scores.mae);
  }
  if (scores.pinball) text += fmt::format("   pinball loss {:.5g}", scores.pinball->loss);
  if (scores.intervals) text += "   " + describe(*scores.intervals);
  return text + fmt::format("   ({})", count(scores.rows, "row"));
}

std::string describe(const IntervalScores& interval) {
  return fmt::format("{:.1f} % of the targets are in the {:.0f} % interval, mean width {:.5g}",
                     100 * interval.coverage, 100 * interval.share, interval.width);
}

Lines confusion_table(const ClassScores& scores, const std::vector<std::string>& classes) {
  constexpr std::size_t kMostClasses = 10;
  if (classes.size() > kMostClasses) return {};
  std::vector<std::vector<std::string>> cells = {{"true \\ predicted"}};
  cells.front().insert(cells.front().end(), classes.begin(), classes.end());
  for (std::size_t own = 0; own < classes.size(); ++own) {
    cells.push_back({classes[own]});
    for (const double weight : scores.confusion[own]) {
      cells.back().push_back(fmt::format("{:.6g}", weight));
    }
  }
  return aligned(cells, 0);
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  program_monitor()->enter(Phase::writing);
  files::AtomicFile file(path);
  // Bytes in a pipe cannot be taken back.
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_other(status)) program_monitor()->wrote_a_part();
  const bool was_stopped = program_monitor()->stop_requested();
  constexpr std::size_t kPieceBytes = std::size_t{1} << 22;
  for (std::string_view rest = text; !rest.empty();) {
    if (!was_stopped) program_monitor()->check();
    const std::string_view piece = rest.substr(0, kPieceBytes);
    file.write({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
    rest.remove_prefix(piece.size());
  }
  file.commit();
  program_monitor()->wrote(path.string());
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    fail(ErrorKind::bad_file, "The folder {} for the figures cannot be created: {}.", folder,
         error.message());
  }
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
      fail(ErrorKind::bad_option, of_typed(option),
           "{} {} would overwrite an input; name another file.", option, out);
    }
  }
}

}  // namespace knotwork::cli
