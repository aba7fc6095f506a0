// SPDX-License-Identifier: MIT
// Where a training stands, so that it can go on later, in another process, to exactly the result
// that it would have had.
//
//   Checkpoints checkpoints([](const TrainingState& s) { save_checkpoint(s, "run.checkpoint"); },
//                           100);
//   Model model = train(data, partition, options, observer, start, &checkpoints);
//
// A checkpoint belongs to its training: the same data, options, instruction set and version of the
// library. Only threads, the time limit and the checkpoints themselves may differ. A training that
// is over can be "gone on" with, too, which gives its model again at once.
//
// As files checkpoints are safetensors with a JSON record, like model files (docs/checkpoints.md),
// and like them written so that there is the old one or the new one, whole, and checked when read.
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

// One network in the middle of its training, or after its end.
struct MemberState {
  bool done = false;        // network and summary are the result; what follows is empty
  Network network;          // as the stage began
  Summary summary;          // so far: earlier stages, history and snapshots
  double history_unit = 0;  // how far these were thinned out
  double snapshot_unit = 0;
  std::size_t stage = 0;
  std::size_t iteration = 0;  // of the stage
  OptimizerState optimizer = {};
  // The best iteration of the stage on the validation part; no point if there is no such part.
  double best_score = std::numeric_limits<double>::infinity();
  std::size_t best_iteration = 0;
  std::vector<double> best_point = {};
  std::vector<double> latest = {}, before_latest = {};  // the last two points
};

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// What was decided before the training itself, if options were left open.
struct ChosenOptions {
  OptionTexts options;
  std::vector<TriedSetting> tried;
  std::string remark;
};

struct TrainingState {
  // What the result depends on.
  std::string version;
  std::string instruction_set;
  std::string data_sha256;  // of rows, columns and their division into parts
  OptionTexts options;      // what was asked for

  std::map<std::string, double> fold_losses;  // of the comparison of settings, by their names
  std::optional<ChosenOptions> choice;
  // The networks; none for those that have not been kept yet.
  std::vector<std::optional<MemberState>> training, refitting;
  double seconds = 0;  // that were spent on all this
};

// Keeps the state of one training while it runs; another one needs its own. `save` is called with
// all of it whenever something is added: from any thread, one call at a time. What it throws ends
// the training.
class KNOTWORK_API Checkpoints {
 public:
  using Save = std::function<void(const TrainingState&)>;

  // Every network is kept after each `every` of its iterations (0: not on the way), when it is done
  // and when it is ended from outside. With `resumed` the training goes on from there; it throws
  // bad_option, naming what differs, when that is not a state of the same training.
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

// The same in memory. `source` names the bytes in messages.
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
