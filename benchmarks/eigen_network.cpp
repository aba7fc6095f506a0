// SPDX-License-Identifier: MIT
#include "eigen_network.hpp"

#include <time.h>

#include <Eigen/Dense>
#include <algorithm>

namespace bench {
namespace {

// Matrices are neurons x samples. ColMajor stores a sample's neurons side by side, RowMajor a
// neuron's samples. `lazy` computes the forward product coefficient by coefficient, without
// packing, which is faster for few neurons.
template <int Order>
class Variant final : public EigenNetwork {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Order>;
  using Weights = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using ByRow = Eigen::Map<const Eigen::MatrixXf>;  // a row of the file is a column here
  using Index = Eigen::Index;

 public:
  Variant(const std::vector<std::size_t>& sizes, const std::vector<float>& parameters,
          const std::vector<float>& inputs, const std::vector<float>& targets, Index block,
          bool lazy)
      : lazy_(lazy) {
    const auto rows = static_cast<Index>(inputs.size() / sizes.front());
    x_ = ByRow(inputs.data(), static_cast<Index>(sizes.front()), rows);
    d_ = ByRow(targets.data(), static_cast<Index>(sizes.back()), rows);
    block_ = std::min(block, rows);
    const float* next = parameters.data();
    for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
      const auto in = static_cast<Index>(sizes[l]), out = static_cast<Index>(sizes[l + 1]);
      Layer layer;
      layer.w = Eigen::Map<const Weights>(next, out, in);
      next += out * in;
      layer.b = Eigen::Map<const Eigen::VectorXf>(next, out);
      next += out;
      layer.dw.setZero(out, in);
      layer.db.setZero(out);
      layer.y.resize(out, block_);
      layer.g.resize(out, block_);
      layers_.push_back(std::move(layer));
    }
  }

  float evaluate() override {
    for (Layer& layer : layers_) {
      layer.dw.setZero();
      layer.db.setZero();
    }
    float sum = 0;
    for (Index first = 0; first < x_.cols(); first += block_) {
      sum += evaluate_block(first, std::min(block_, x_.cols() - first));
    }
    return sum / static_cast<float>(x_.cols());
  }

  std::vector<float> gradient() const override {
    std::vector<float> all;
    for (const Layer& layer : layers_) {
      all.insert(all.end(), layer.dw.data(), layer.dw.data() + layer.dw.size());
      all.insert(all.end(), layer.db.data(), layer.db.data() + layer.db.size());
    }
    return all;
  }

  std::string variant() const override {
    return std::string(Order == Eigen::ColMajor ? "sample-major" : "neuron-major") +
           (block_ == x_.cols() ? ", all rows at once"
                                : ", blocks of " + std::to_string(block_) + " rows") +
           (lazy_ ? ", unpacked products" : "");
  }

 private:
  struct Layer {
    Weights w, dw;
    Eigen::VectorXf b, db;
    Matrix y, g;  // g is dJ/ds
  };

  float evaluate_block(Index first, Index n) {
    const auto x = x_.middleCols(first, n);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      if (l == 0) {
        forward(layers_[l], x, n);
      } else {
        forward(layers_[l], layers_[l - 1].y.leftCols(n), n);
      }
    }
    Layer& last = layers_.back();
    auto y = last.y.leftCols(n);
    auto g = last.g.leftCols(n);
    g = y - d_.middleCols(first, n);
    const float sum = g.squaredNorm();
    g.array() *= (2 / static_cast<float>(x_.cols())) * (1 - y.array().square());
    for (std::size_t l = layers_.size(); l-- > 0;) {
      if (l == 0) {
        backward(layers_[l], x, n);
        break;
      }
      Layer& before = layers_[l - 1];
      const auto y_before = before.y.leftCols(n);
      backward(layers_[l], y_before, n);
      auto g_before = before.g.leftCols(n);
      if (lazy_) {
        g_before.noalias() = layers_[l].w.transpose().lazyProduct(layers_[l].g.leftCols(n));
      } else {
        g_before.noalias() = layers_[l].w.transpose() * layers_[l].g.leftCols(n);
      }
      g_before.array() *= 1 - y_before.array().square();
    }
    return sum;
  }

  template <class X>
  void forward(Layer& layer, const X& x, Index n) {
    auto y = layer.y.leftCols(n);
    if (lazy_) {
      y.noalias() = layer.w.lazyProduct(x);
    } else {
      y.noalias() = layer.w * x;
    }
    // In one expression with tanh the sum would not be vectorized and would take three times as
    // long.
    y.colwise() += layer.b;
    y = y.array().tanh();
  }

  template <class X>
  void backward(Layer& layer, const X& x, Index n) {
    const auto g = layer.g.leftCols(n);
    layer.dw.noalias() += g * x.transpose();
    layer.db += g.rowwise().sum();
  }

  bool lazy_;
  Index block_;
  Matrix x_, d_;
  std::vector<Layer> layers_;
};

double fastest_seconds(EigenNetwork& network) {
  // Processor time, so that other load on the machine does not choose the variant.
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  network.evaluate();
  double best = 1e300;
  const double end = now() + 0.06;
  do {
    const double start = now();
    network.evaluate();
    best = std::min(best, now() - start);
  } while (now() < end);
  return best;
}

}  // namespace

std::unique_ptr<EigenNetwork> make_eigen_network(const std::vector<std::size_t>& sizes,
                                                 const std::vector<float>& parameters,
                                                 const std::vector<float>& inputs,
                                                 const std::vector<float>& targets) {
  const std::size_t widest = *std::max_element(sizes.begin(), sizes.end());
  std::unique_ptr<EigenNetwork> best;
  double best_seconds = 0;
  const auto consider = [&](std::unique_ptr<EigenNetwork> network) {
    const double seconds = fastest_seconds(*network);
    if (best && seconds >= best_seconds) return;
    best = std::move(network);
    best_seconds = seconds;
  };
  for (const Eigen::Index block : {256, 512, 1024, 2048, 4096, 1 << 30}) {
    for (const bool lazy : {false, true}) {
      if (lazy && widest > 64) continue;
      consider(std::make_unique<Variant<Eigen::ColMajor>>(sizes, parameters, inputs, targets, block,
                                                          lazy));
      consider(std::make_unique<Variant<Eigen::RowMajor>>(sizes, parameters, inputs, targets, block,
                                                          lazy));
    }
  }
  return best;
}

void eigen_tanh_both_ways(const float* s, const float* dy, float* y, float* ds, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::Map<Eigen::ArrayXf> values(y, size);
  values = Eigen::Map<const Eigen::ArrayXf>(s, size).tanh();
  Eigen::Map<Eigen::ArrayXf>(ds, size) =
      Eigen::Map<const Eigen::ArrayXf>(dy, size) * (1 - values.square());
}

std::string eigen_version() {
#if defined(EIGEN_VECTORIZE_AVX2) && defined(EIGEN_VECTORIZE_FMA)
  const std::string instructions = "avx2, fma";
#else
  const std::string instructions = Eigen::SimdInstructionSetsInUse();
#endif
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION) + " (" + instructions + ")";
}

bool eigen_network_runs_here() {
#if defined(__AVX2__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

}  // namespace bench
