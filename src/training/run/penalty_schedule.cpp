// SPDX-License-Identifier: MIT
#include "training/run/penalty_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "options/check_options.hpp"

namespace knotwork::training {
namespace {

class ShrinkingStep final : public ProximalStep {
 public:
  explicit ShrinkingStep(const Objective& objective) : objective_(objective) {}
  void apply(std::span<double> point, std::span<const double> steps) const override {
    objective_.shrink(point, steps);
  }

 private:
  const Objective& objective_;
};

}  // namespace

TrainOptions with_last_penalties(TrainOptions options) {
  for (const PenaltyCourse& course : options.penalty_schedule) {
    set_option(options, course.option, fmt::format("{}", course.last));
  }
  return options;
}

void set_courses(Objective& objective, const TrainOptions& options, std::size_t epochs,
                 std::size_t before) {
  for (const PenaltyCourse& course : options.penalty_schedule) {
    objective.set_course(regularizer_of(course.option).name,
                         {course.first, course.last, epochs, before});
  }
}

std::shared_ptr<const ProximalStep> shrinking_step(const Objective& objective,
                                                   const TrainOptions& options) {
  bool shrinks = false;
  for (const TrainOptionField& field : train_option_fields()) {
    if (field.regularizer.empty()) continue;
    const bool scheduled =
        std::any_of(options.penalty_schedule.begin(), options.penalty_schedule.end(),
                    [&](const PenaltyCourse& course) { return course.option == field.name; });
    if (!scheduled && field.lambda(options) == 0) continue;
    shrinks = shrinks || !builtin_regularizers().at(field.regularizer).make({})->is_smooth();
  }
  return shrinks ? std::make_shared<ShrinkingStep>(objective) : nullptr;
}

}  // namespace knotwork::training
