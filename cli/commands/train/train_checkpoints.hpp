// SPDX-License-Identifier: MIT
// The checkpoints of train: where they are written, and what happens if writing fails.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/parser.hpp"
#include "files/file_io.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/error.hpp>

namespace knotwork::cli {

struct CheckpointRequest {
  std::string file;  // empty: none
  std::size_t every = 100;
  bool resume = false;
  bool quiet = false;
  std::optional<App> app;
};

void add_checkpoint_options(App app, CheckpointRequest& request);
// Throws bad_option if the options contradict each other or the file may not be replaced: it must
// not be one of `inputs`, nor the place of another result. `others` contains these places with
// their options.
void check_checkpoints(const CheckpointRequest& request, const std::vector<std::string>& inputs,
                       const std::vector<std::pair<std::string, std::string>>& others);

// Writes a checkpoint whenever the training has one. If writing fails during training, training
// continues and the problem is reported at its end, because the next checkpoint or the model may be
// written successfully.
class TrainCheckpoints {
 public:
  // Reads the file if training is to resume from it.
  explicit TrainCheckpoints(const CheckpointRequest& request);

  const std::shared_ptr<Checkpoints>& get() const { return checkpoints_; }  // null: no checkpoints
  // Why the newest state is not in the file; empty if it is in the file.
  const std::string& trouble() const { return *trouble_; }
  // SHA-256 of the checkpoint from which training resumes; empty if training starts anew.
  const std::string& resumed_sha256() const { return resumed_sha256_; }
  // Adds the name of the file to a refusal of the checkpoint.
  Error with_file(const Error& error) const;
  // "; the same command with --resume continues from FILE" if the file can be resumed; otherwise
  // empty.
  std::string advice() const;

 private:
  std::string file_;
  std::unique_ptr<files::FileLock> lock_;  // of the first rank, so that no other training writes it
  std::string resumed_sha256_;
  std::shared_ptr<std::string> trouble_ = std::make_shared<std::string>();
  std::shared_ptr<Checkpoints> checkpoints_;
};

}  // namespace knotwork::cli
