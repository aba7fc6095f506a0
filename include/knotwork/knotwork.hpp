// SPDX-License-Identifier: MIT
// Everything of Knotwork::knotwork. (Knotwork::insight has closest_function.hpp, figures.hpp,
// importance.hpp, model_report.hpp, neurons.hpp, partial_dependence.hpp, points.hpp,
// prediction_check.hpp and of export_model.hpp to_c(); Knotwork::tools has comparison.hpp,
// search.hpp, significance.hpp and to_onnx().)
#pragma once

#include <knotwork/activation.hpp>
#include <knotwork/builtin_data.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/columns.hpp>
#include <knotwork/encoding.hpp>
#include <knotwork/enum_names.hpp>
#include <knotwork/error.hpp>
#include <knotwork/file_kind.hpp>
#include <knotwork/gradient_check.hpp>
#include <knotwork/guarantees.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/loss.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/model.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/named_table.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>
#include <knotwork/predict.hpp>
#include <knotwork/random.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/regularizer.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/spline.hpp>
#include <knotwork/split.hpp>
#include <knotwork/statistics.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>
#include <knotwork/task.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>
