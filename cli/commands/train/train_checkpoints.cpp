// SPDX-License-Identifier: MIT
#include "cli/commands/train/train_checkpoints.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/program/rank_session.hpp"
#include "cli/tables/output_place.hpp"
#include "options/option_text.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/file_kind.hpp>

namespace knotwork::cli {
namespace {

bool is_given(const CheckpointRequest& request, const char* option) {
  return request.app->count(option) > 0;
}

// Throws if a new training would replace an existing checkpoint.
void check_not_there(const CheckpointRequest& request) {
  if (request.resume || kind_of_file(request.file) != FileKind::checkpoint) return;
  fail(ErrorKind::bad_option, of_option("checkpoint"),
       "--checkpoint {} already exists: give --resume to resume from it, or remove it to start "
       "anew.",
       request.file);
}

}  // namespace

void add_checkpoint_options(App app, CheckpointRequest& request) {
  const std::string group = "Checkpoints";
  request.app = app;
  app.add_option("--checkpoint", request.file,
                 "write checkpoints to this file, so that training can be resumed after a crash or "
                 "a time limit")
      .type_name("FILE")
      .group(group);
  app.add_option_function(
         "--every",
         [&request](const std::string& text) { read_option("--every", text, request.every); },
         fmt::format("iterations of a network between two checkpoints (default: {})",
                     request.every))
      .type_name("N")
      .group(group);
  app.add_flag("--resume", request.resume,
               "resume from the checkpoint if it exists; the result has the same bits")
      .group(group);
}

void check_checkpoints(const CheckpointRequest& request, const std::vector<std::string>& inputs,
                       const std::vector<std::pair<std::string, std::string>>& others) {
  if (request.file.empty()) {
    for (const char* option : {"--every", "--resume"}) {
      if (is_given(request, option)) {
        fail(ErrorKind::bad_option, of_typed(option, "checkpoint"), "{} needs --checkpoint FILE.",
             option);
      }
    }
    return;
  }
  if (request.every == 0) {
    fail(ErrorKind::bad_option, of_option("every"),
         "--every must be a whole number of at least 1, not 0.");
  }
  if (is_standard_output(request.file)) {
    fail(ErrorKind::bad_option, of_option("checkpoint"),
         "--checkpoint {} is not a file name; name a file for the checkpoint.", request.file);
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(request.file, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status)) {
    fail(ErrorKind::bad_option, of_option("checkpoint"),
         "--checkpoint {} is not a regular file and could not be read later; name a file.",
         request.file);
  }
  for (const auto& [option, file] : others) {
    if (file.empty() || !lead_to_one_file(request.file, file)) continue;
    fail(ErrorKind::bad_option, of_option("checkpoint"),
         "--checkpoint and {} are both {}; name two different files.", option, file);
  }
  files::check_writable(request.file);
  check_not_an_input("--checkpoint", request.file, inputs);
  check_place_of_checkpoint("--checkpoint", request.file);
  check_not_there(request);
}

TrainCheckpoints::TrainCheckpoints(const CheckpointRequest& request) : file_(request.file) {
  if (file_.empty()) return;
  if (ranks().is_first()) {
    lock_ = std::make_unique<files::FileLock>(file_);
    check_not_there(request);  // another training may have ended in between
  }
  std::optional<TrainingState> state;
  if (request.resume && kind_of_file(file_) != FileKind::nothing) {
    state = load_checkpoint(file_);
    Sha256 sha;
    sha.update(files::read_file(file_));
    resumed_sha256_ = sha.hex_digest();
  }
  // The training calls this from one thread at a time; the first call comes before any other work.
  const auto save = [file = file_, trouble = trouble_, resumed = state.has_value(),
                     quiet = request.quiet, saved = false](const TrainingState& newest) mutable {
    if (!ranks().is_first()) return;  // all ranks have the same state
    try {
      save_checkpoint(newest, file);
      if (resumed && !saved && !quiet) {
        print_remarks({fmt::format("Training resumes from {}.", file)});
      }
      saved = true;
      trouble->clear();
    } catch (const Error& error) {
      if (!saved) throw;  // no work has been done yet
      if (trouble->empty()) {
        print_remarks(
            {fmt::format("Training continues without a new checkpoint: {}", error_text(error))});
      }
      *trouble = error_text(error);
    }
  };
  checkpoints_ = std::make_shared<Checkpoints>(save, request.every, std::move(state));
}

Error TrainCheckpoints::with_file(const Error& error) const {
  if (error.where().subject != kCheckpointSubject) return error;
  Where where = error.where();
  where.file = file_;
  return moved_to(error, std::move(where));
}

std::string TrainCheckpoints::advice() const {
  if (file_.empty() || !trouble_->empty()) return "";
  return fmt::format("; the same command with --resume continues from {}", file_);
}

}  // namespace knotwork::cli
