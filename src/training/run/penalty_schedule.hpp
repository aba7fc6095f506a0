// SPDX-License-Identifier: MIT
// Penalties that are more than a term of the gradient: proximal steps, and weights with a course.
#pragma once

#include <memory>
#include <string>

#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>

namespace knotwork::training {

// The options with every weight that has a course at its last value.
TrainOptions with_last_penalties(TrainOptions options);

// Gives the objective the courses of the schedule, for a run that comes after `before` of all
// epochs.
void set_courses(Objective& objective, const TrainOptions& options, std::size_t epochs,
                 std::size_t before);

// The proximal step of the objective's terms that are not smooth; none if there are none. It refers
// to the objective, whose weights of the time count.
std::shared_ptr<const ProximalStep> shrinking_step(const Objective& objective,
                                                   const TrainOptions& options);

}  // namespace knotwork::training
