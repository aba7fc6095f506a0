// SPDX-License-Identifier: MIT
// Functions for tests that prepare rows and train on them in one call.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "parallel/test_monitors.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/training.hpp>

namespace knotwork {

// A context refers to what the test owns.
template <class T>
std::shared_ptr<T> lent(T& owned) {
  return std::shared_ptr<T>(std::shared_ptr<void>(), &owned);
}

// `see` asks for a stop by returning false.
inline TrainContext watched(std::function<bool(const TrainIteration&)> see) {
  return {.monitor = parallel::watch([see = std::move(see)](const Progress& progress) {
            return !progress.iteration || see(*progress.iteration);
          })};
}

inline Model train(const TrainingData& data, const Partition& partition,
                   const TrainOptions& options, const TrainContext& context = {}) {
  return train(PreparedData(data, partition), options, context);
}

inline Model train(const Table& table, const TableTask& task, const TrainOptions& options = {},
                   const TrainContext& context = {}) {
  return train(PreparedData(table, task, options.seed, context.start.get()), options, context);
}

inline Model train_automatically(const TrainingData& data, const Partition& partition,
                                 const TrainOptions& options = {},
                                 std::span<const std::string> given = {},
                                 const TrainContext& context = {}) {
  return train_automatically(PreparedData(data, partition), options, given, context);
}

inline Model train_automatically(const Table& table, const TableTask& task,
                                 const TrainOptions& options = {},
                                 std::span<const std::string> given = {},
                                 const TrainContext& context = {}) {
  return train_automatically(PreparedData(table, task, options.seed), options, given, context);
}

}  // namespace knotwork
