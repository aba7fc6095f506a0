// SPDX-License-Identifier: MIT
// A checkpoint is the state of a training, from which it can be resumed later, in another process,
// with exactly the same result.
//
//   const auto save = [](const TrainingState& s) { save_checkpoint(s, "run.checkpoint"); };
//   Model model = train(data, options, {.checkpoints = std::make_shared<Checkpoints>(save, 100)});
//
// A checkpoint belongs to one training: the same data, options, instruction set and version of the
// library. Only threads, the time limit and the checkpoint options may differ. Resuming a training
// that is over returns its model at once.
//
// Checkpoint files are safetensors with a JSON record, like model files (docs/checkpoints.md). They
// are also written and checked in the same way: at any time there is the whole old file or the
// whole new one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/api.hpp>
#include <knotwork/model.hpp>
#include <knotwork/network.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// Where::subject of errors about a checkpoint, when the library does not know its file name.
inline constexpr const char* kCheckpointSubject = "The checkpoint";

// One network during or after its training.
struct MemberState {
  bool done = false;        // network and summary are the result; the fields below are empty
  Network network;          // at the start of the stage
  Summary summary;          // so far: earlier stages, history and snapshots
  double history_unit = 0;  // distances between kept points
  double snapshot_unit = 0;
  std::size_t stage = 0;
  std::size_t iteration = 0;      // of the stage
  OptimizerState optimizer = {};  // has no name if the stage has not begun
  // The best iteration of the stage on the validation part; best_point is empty if there is none.
  double best_score = std::numeric_limits<double>::infinity();
  std::size_t best_iteration = 0;
  std::vector<double> best_point = {};
  std::vector<double> latest = {}, before_latest = {};  // the last two points
};

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// The options that were chosen before the training, if options were left open.
struct ChosenOptions {
  OptionTexts options;
  std::vector<TriedSetting> tried;
  std::string remark;
};

struct TrainingState {
  // The result depends on these fields.
  std::string version;
  std::string instruction_set;
  std::string data_sha256;  // of rows, columns and their division into parts
  OptionTexts options;      // as requested

  std::map<std::string, double> fold_losses;  // of the compared settings, by name
  std::optional<ChosenOptions> choice;
  // The networks; empty for networks that have not been saved yet.
  std::vector<std::optional<MemberState>> training, refitting;
  double seconds = 0;  // spent so far
};

// Saves the state of one training while it runs; each training needs an object of its own. `save`
// gets the whole state after each change, from any thread, one call at a time. An exception from
// `save` ends the training. `save` may be empty for a training that is only resumed.
class KNOTWORK_API Checkpoints {
 public:
  using Save = std::function<void(const TrainingState&)>;

  // The state of a network is saved after each `every` of its iterations (0: never), when the
  // network is done, and when its training is stopped. If `resumed` is given, training resumes from
  // it; it throws bad_option, with the name of what differs, when the state is from another
  // training.
  explicit Checkpoints(Save save, std::size_t every = 0,
                       std::optional<TrainingState> resumed = std::nullopt);
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

 private:
  friend struct LibraryAccess;
  class State;
  std::unique_ptr<State> state_;
};

inline constexpr int kCheckpointFormat = 1;

KNOTWORK_API void save_checkpoint(const TrainingState& state, const std::filesystem::path& path);
// Activations are looked up in the given table, as load_model() does.
KNOTWORK_API TrainingState load_checkpoint(
    const std::filesystem::path& path, const ActivationTable& activations = builtin_activations());

// Write and read the bytes of a checkpoint in memory. `source` is the name of the bytes in
// messages.
KNOTWORK_API std::vector<std::uint8_t> serialize(const TrainingState& state);
KNOTWORK_API TrainingState
deserialize_checkpoint(std::span<const std::uint8_t> bytes, const std::string& source,
                       const ActivationTable& activations = builtin_activations());
[[deprecated("is serialize() now")]] inline std::vector<std::uint8_t> serialise(
    const TrainingState& state) {
  return serialize(state);
}
[[deprecated("is deserialize_checkpoint() now")]] inline TrainingState deserialise_checkpoint(
    std::span<const std::uint8_t> bytes, const std::string& source,
    const ActivationTable& activations = builtin_activations()) {
  return deserialize_checkpoint(bytes, source, activations);
}

}  // namespace knotwork
