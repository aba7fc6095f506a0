// SPDX-License-Identifier: MIT
// Each of these functions says why a training option has no effect with the other options, as the
// end of a sentence; it returns an empty text if the option has an effect. The option table
// (option_table.cpp) refers to them.
#pragma once

#include <functional>
#include <string>

#include <knotwork/options.hpp>

namespace knotwork {

std::string without_splines(const TrainOptions& options);
std::string without_any_splines(const TrainOptions& options);  // input splines count as splines
std::string without_input_splines(const TrainOptions& options);
std::string without_tension(const TrainOptions& options);
std::string without_shared_activations(const TrainOptions& options);
std::string without_trained_activations(const TrainOptions& options);
std::string without_curves_to_order(const TrainOptions& options);
std::string without_hidden(const TrainOptions& options);
std::string without_rate(const TrainOptions& options);
std::string without_memory(const TrainOptions& options);
std::string without_validation(const TrainOptions& options);
std::string with_path(const TrainOptions& options);
std::string with_path_q(const TrainOptions& options);
std::string without_what_is_scheduled(const TrainOptions& options);
std::string without_quantiles(const TrainOptions& options);
std::function<std::string(const TrainOptions&)> without_loss(const std::string& loss);

}  // namespace knotwork
