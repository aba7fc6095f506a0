// SPDX-License-Identifier: MIT
// This header includes all of Knotwork::knotwork. (Knotwork::insight has figures.hpp,
// inspection.hpp, model_report.hpp, neurons.hpp, points.hpp, prediction_check.hpp and to_c() of
// export_model.hpp; Knotwork::tools has comparison.hpp, search.hpp, to_onnx() and onnx_names().)
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
#include <knotwork/monitor.hpp>
#include <knotwork/names.hpp>
#include <knotwork/network.hpp>
#include <knotwork/objective.hpp>
#include <knotwork/optimizer.hpp>
#include <knotwork/options.hpp>
#include <knotwork/predict.hpp>
#include <knotwork/random.hpp>
#include <knotwork/ranks.hpp>
#include <knotwork/regularizer.hpp>
#include <knotwork/row_source.hpp>
#include <knotwork/scaling.hpp>
#include <knotwork/spline.hpp>
#include <knotwork/split.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/table.hpp>
#include <knotwork/task.hpp>
#include <knotwork/trainer.hpp>
#include <knotwork/training.hpp>
#include <knotwork/version.hpp>
