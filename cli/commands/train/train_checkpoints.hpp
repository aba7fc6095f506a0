// SPDX-License-Identifier: MIT
// The checkpoints of train: where they go and what becomes of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/parser.hpp"

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
// Throws bad_option when the options contradict each other or the file may not be replaced: it must
// be none of `inputs`, nor the place of another result, which `others` has with its option.
void check_checkpoints(const CheckpointRequest& request, const std::vector<std::string>& inputs,
                       const std::vector<std::pair<std::string, std::string>>& others);

// Writes a checkpoint whenever the training has one. When that fails in the middle, training goes
// on and the trouble is told at its end: the next one may succeed, as may the model.
class TrainCheckpoints {
 public:
  // Reads the file if training is to go on from it.
  explicit TrainCheckpoints(const CheckpointRequest& request);

  Checkpoints* get() { return checkpoints_.get(); }  // null: none were asked for
  // Why the newest state is not in the file; empty if it is.
  const std::string& trouble() const { return *trouble_; }
  // Of the file that training goes on from; empty: it begins anew.
  const std::string& resumed_sha256() const { return resumed_sha256_; }
  // A refusal of the checkpoint, with the name of its file.
  Error with_file(const Error& error) const;
  // "; --resume goes on from FILE", if that is so.
  std::string advice() const;

 private:
  std::string file_;
  std::string resumed_sha256_;
  std::shared_ptr<std::string> trouble_ = std::make_shared<std::string>();
  std::unique_ptr<Checkpoints> checkpoints_;
};

}  // namespace knotwork::cli
