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
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <knotwork/export.hpp>
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

  std::size_t every() const { return every_; }

  // For the training itself:
  // States what the result depends on, and saves. Throws bad_option for a second training.
  void begin(TrainingState identity);
  std::optional<ChosenOptions> choice() const;
  void keep_choice(ChosenOptions choice);
  std::optional<double> fold_loss(const std::string& name) const;
  void keep_fold_loss(const std::string& name, double loss);
  std::optional<MemberState> member(TrainPhase phase, std::size_t member) const;
  void keep_member(TrainPhase phase, std::size_t member, MemberState state);
  double earlier_seconds() const { return earlier_seconds_; }

 private:
  template <class Change>
  void keep(const Change& change);

  Save save_;
  std::size_t every_;
  TrainingState state_;
  bool resumed_ = false;
  bool begun_ = false;
  double earlier_seconds_ = 0;
  double begin_ = 0;  // of this run, on a clock of its own
  mutable std::mutex mutex_;
};

}  // namespace knotwork
