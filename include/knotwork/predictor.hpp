// SPDX-License-Identifier: MIT
// A model made ready for many small predictions.
//
// Model::predict() prepares tables and memory each time; a Predictor does so once, and then its
// calls do not allocate: a row of a small network takes well below a microsecond. The bits are
// those of Model::predict(). A Predictor works in memory of its own: use one for each thread.
#pragma once

#include <memory>
#include <span>

#include <knotwork/export.hpp>
#include <knotwork/matrix_view.hpp>
#include <knotwork/model.hpp>

namespace knotwork {

class KNOTWORK_API Predictor {
 public:
  explicit Predictor(Model model);  // throws bad_model for one that cannot be used
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  const Model& model() const;

  // One row of raw inputs in the order of model().inputs, or many.
  void predict(std::span<const float> row, std::span<float> prediction);
  void predict(std::span<const double> row, std::span<double> prediction);
  void predict(MatrixView<const float> rows, MatrixView<float> predictions);
  void predict(MatrixView<const double> rows, MatrixView<double> predictions);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace knotwork
