// SPDX-License-Identifier: MIT
#include <knotwork/predict.hpp>

#include <variant>

#include "model/prediction_pass.hpp"

namespace knotwork {

using namespace model;

namespace {

template <class T>
struct Ready {
  explicit Ready(const Model& model) : pass(model), memory(pass, pass.block_rows()) {}
  PredictionPass<T> pass;
  typename PredictionPass<T>::Memory memory;
};

}  // namespace

struct Predictor::Implementation {
  explicit Implementation(Model own) : model(std::move(own)) {
    model.check();
    if (model.precision == Precision::float32) {
      ready.emplace<Ready<float>>(model);
    } else {
      ready.emplace<Ready<double>>(model);
    }
  }

  template <class V>
  void predict(MatrixView<const V> rows, MatrixView<V> predictions) {
    check_views(model, rows, predictions);
    std::visit([&](auto& typed) { predict_with(typed, rows, predictions); }, ready);
  }

  template <class V>
  static void predict_with(std::monostate&, MatrixView<const V>, MatrixView<V>) {}
  template <class T, class V>
  static void predict_with(Ready<T>& typed, MatrixView<const V> rows, MatrixView<V> predictions) {
    const std::size_t size = typed.pass.block_rows();
    with_views(rows, predictions, [&](const auto& value, const auto& store) {
      for (std::size_t first = 0; first < rows.rows; first += size) {
        typed.pass.predict(first, std::min(size, rows.rows - first), value, store, typed.memory);
      }
    });
  }

  template <class V>
  void predict_row(std::span<const V> row, std::span<V> prediction) {
    predict(MatrixView<const V>{row.data(), 1, row.size(), 1, 1},
            MatrixView<V>{prediction.data(), 1, prediction.size(), 1, 1});
  }

  const Model model;
  std::variant<std::monostate, Ready<float>, Ready<double>> ready;  // refers to the model
};

Predictor::Predictor(Model model)
    : implementation_(std::make_unique<Implementation>(std::move(model))) {}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

const Model& Predictor::model() const {
  return implementation_->model;
}

void Predictor::predict(std::span<const float> row, std::span<float> prediction) {
  implementation_->predict_row(row, prediction);
}
void Predictor::predict(std::span<const double> row, std::span<double> prediction) {
  implementation_->predict_row(row, prediction);
}
void Predictor::predict(MatrixView<const float> rows, MatrixView<float> predictions) {
  implementation_->predict(rows, predictions);
}
void Predictor::predict(MatrixView<const double> rows, MatrixView<double> predictions) {
  implementation_->predict(rows, predictions);
}

}  // namespace knotwork
