// SPDX-License-Identifier: MIT
// What predict writes, as a table.
#pragma once

#include <cstddef>

#include <knotwork/model.hpp>
#include <knotwork/table.hpp>

namespace knotwork::cli {

// The columns that are kept, how far the networks of an ensemble are apart if `spread` asks for it,
// and what the model predicts for the rows of the table. Throws bad_option where a kept column has
// the name of a prediction.
Table predict_table(const Model& model, const Table& table, Table kept, bool spread,
                    std::size_t threads);

}  // namespace knotwork::cli
