// SPDX-License-Identifier: MIT
#include "training/penalties.hpp"

#include <cmath>

#include "base/fail.hpp"

namespace knotwork {
namespace {

// The regulariser whose weight is called so.
const RegulariserEntry& regulariser_of(std::string_view option) {
  std::vector<std::string> names;
  for (const RegulariserEntry& entry : builtin_regularisers().entries()) {
    if (entry.option == option) return entry;
    names.push_back(entry.option);
  }
  throw Error(ErrorKind::bad_option,
              unknown_name_message("penalty of penalty-schedule", option, names));
}

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

void check_penalty_schedule(const TrainOptions& options) {
  const auto& courses = options.penalty_schedule;
  for (auto course = courses.begin(); course != courses.end(); ++course) {
    regulariser_of(course->option);
    if (course->option == "lambda-bank" && options.input_splines == 0) {
      fail(ErrorKind::bad_option,
           "penalty-schedule changes lambda-bank, but there are no input splines (input-splines).");
    }
    for (const double weight : {course->first, course->last}) {
      if (weight >= 0 && std::isfinite(weight)) continue;
      fail(ErrorKind::bad_option,
           "penalty-schedule gives {} the value {}; it must be a number of at least 0.",
           course->option, weight);
    }
    for (auto earlier = courses.begin(); earlier != course; ++earlier) {
      if (earlier->option != course->option) continue;
      fail(ErrorKind::bad_option, "penalty-schedule has {} twice; give it one course.",
           course->option);
    }
    const bool path = course->option == "lambda-w" && !options.warm_path.empty();
    const bool path_q = course->option == "lambda-q" && !options.warm_path_q.empty();
    if (path || path_q) {
      fail(ErrorKind::bad_option, "penalty-schedule and {} both change {}; give one of them.",
           path ? "warm-path" : "warm-path-q", course->option);
    }
  }
}

TrainOptions with_last_penalties(TrainOptions options) {
  for (const PenaltyCourse& course : options.penalty_schedule) {
    set_option(options, course.option, fmt::format("{}", course.last));
  }
  return options;
}

void set_courses(Objective& objective, const TrainOptions& options, std::size_t epochs,
                 std::size_t before) {
  for (const PenaltyCourse& course : options.penalty_schedule) {
    objective.set_course(regulariser_of(course.option).name,
                         {course.first, course.last, epochs, before});
  }
}

std::shared_ptr<const ProximalStep> shrinking_step(const Objective& objective,
                                                   const TrainOptions& options) {
  bool shrinks = options.lambda_w1 > 0 || options.lambda_kinks > 0;
  for (const PenaltyCourse& course : options.penalty_schedule) {
    shrinks = shrinks || !regulariser_of(course.option).make({})->is_smooth();
  }
  return shrinks ? std::make_shared<ShrinkingStep>(objective) : nullptr;
}

}  // namespace knotwork
