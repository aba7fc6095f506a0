// SPDX-License-Identifier: MIT
// Everything of Knotwork::knotwork. (Knotwork::tools has c_export.hpp, character_plot.hpp,
// closest_function.hpp, comparison.hpp, comparison_page.hpp, figures.hpp, importance.hpp,
// knot_use.hpp, moved_activations.hpp, neuron_inputs.hpp, onnx_export.hpp, partial_dependence.hpp,
// planted_truth.hpp, prediction_check.hpp, search.hpp and significance.hpp.)
#pragma once

#include <knotwork/activation.hpp>
#include <knotwork/automatic.hpp>
#include <knotwork/builtin_data.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/checkpoint_file.hpp>
#include <knotwork/cross_validation.hpp>
#include <knotwork/encoding.hpp>
#include <knotwork/error.hpp>
#include <knotwork/function.hpp>
#include <knotwork/gradient_check.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/lipschitz.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/loss.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/model.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/monotone.hpp>
#include <knotwork/named_table.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>
#include <knotwork/predictor.hpp>
#include <knotwork/random.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/regulariser.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/spline.hpp>
#include <knotwork/split.hpp>
#include <knotwork/table.hpp>
#include <knotwork/table_file.hpp>
#include <knotwork/table_training.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>
