// SPDX-License-Identifier: MIT
// Everything of Knotwork::knotwork. (Knotwork::insight has figures.hpp, inspection.hpp,
// model_report.hpp, neurons.hpp, points.hpp, prediction_check.hpp and of export_model.hpp to_c();
// Knotwork::tools has comparison.hpp, search.hpp and to_onnx().)
#pragma once

#include <knotwork/activation.hpp>
#include <knotwork/builtin_data.hpp>
#include <knotwork/checkpoint.hpp>
#include <knotwork/columns.hpp>
#include <knotwork/encoding.hpp>
#include <knotwork/error.hpp>
#include <knotwork/file_kind.hpp>
#include <knotwork/guarantees.hpp>
#include <knotwork/instruction_set.hpp>
#include <knotwork/knots.hpp>
#include <knotwork/loss.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/metrics.hpp>
#include <knotwork/model.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/names.hpp>
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
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>
#include <knotwork/task.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>
