// SPDX-License-Identifier: MIT
// Training in which what was left open is chosen: by a rule that looks at the number of rows and
// inputs, and by cross-validation inside the training rows. The test part is never looked at.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <knotwork/export.hpp>
#include <knotwork/table_training.hpp>
#include <knotwork/training.hpp>
#include <knotwork/ranks.hpp>

namespace knotwork {

// The observer ended the training while options were being chosen, before there was a model. Of
// several processes all throw it, whichever of them was told to end.
class KNOTWORK_API EndedByObserver : public SharedError {
 public:
  using SharedError::SharedError;
};

// Names of the options (see train_option_fields()) that can be left open.
KNOTWORK_API const std::vector<std::string>& automatic_options();
// Options that are chosen too where input splines are: on tables of more than 2000 rows, if nothing
// is said about network and optimizer and they do better in cross-validation.
KNOTWORK_API const std::vector<std::string>& input_spline_options();

// What the rule makes of the options for so many training rows: `given` names those that stay as
// they are. What is left to cross-validation stays too. Throws bad_option when what is given does
// not go with what is chosen.
KNOTWORK_API TrainOptions options_by_rule(std::size_t rows, const TrainOptions& options,
                                          std::span<const std::string> given = {});

// `given` names the options that stay as they are; the other automatic_options() are chosen.
// Summary::tried then tells what was compared. The observer sees the choice first, as iterations of
// phase `choosing`; when it ends that, the best network of the cross-validation is the result, and
// failed_run is thrown if there is none yet. Choosing takes half of the time limit at most.
KNOTWORK_API Model train_automatically(const TrainingData& data, const Partition& partition,
                                       const TrainOptions& options,
                                       std::span<const std::string> given = {},
                                       const TrainObserver& observer = {},
                                       Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train_automatically(const PreparedTable& prepared,
                                       const TrainOptions& options = {},
                                       std::span<const std::string> given = {},
                                       const TrainObserver& observer = {},
                                       Checkpoints* checkpoints = nullptr);
KNOTWORK_API Model train_automatically(const Table& table, const TableTask& task,
                                       const TrainOptions& options = {},
                                       std::span<const std::string> given = {},
                                       const TrainObserver& observer = {});

// What the model is worth: a linear model and, if there are hidden layers, a network of the same
// size with tanh instead of splines, trained on the same rows and scored on the same test part. The
// linear model is fitted until nothing improves, whatever the options; the network's options are
// those of `options`, but its lambda_w is chosen as train_automatically() would. Those that the
// time limit, which is for all of them together, or the observer cut short are left out.
KNOTWORK_API std::vector<Baseline> train_baselines(const PreparedTable& prepared,
                                                   const TrainOptions& options,
                                                   const TrainObserver& observer = {});

}  // namespace knotwork
