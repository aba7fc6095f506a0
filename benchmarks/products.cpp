// SPDX-License-Identifier: MIT
// Measures the products of a layer by our kernels, by Eigen and by OpenBLAS (if installed), in
// GFlop/s, over layer sizes and block lengths: forward, gradient to the inputs, gradient to the
// weights. Prints the table of docs/decisions/0012-vector-kernels.md. Only this file is compiled
// for AVX2.
#include <dlfcn.h>

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "kernels/product.hpp"

#include <knotwork/random.hpp>

namespace {

using namespace knotwork;

// A block is neuron-major, which for Eigen is a column-major matrix with a column for each neuron.
using Matrix = Eigen::Map<Eigen::MatrixXf, 0, Eigen::OuterStride<>>;
using Weights = Eigen::Map<Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>;

using Sgemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                       const float* a, int lda, const float* b, int ldb, float beta, float* c,
                       int ldc);

Sgemm find_openblas() {
  void* const library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library) return nullptr;
  if (void* const threads = dlsym(library, "openblas_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(threads)(1);
  }
  return reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
}

struct Shape {
  std::size_t inputs, outputs, rows;
};

struct Data {
  explicit Data(const Shape& shape)
      : stride(shape.rows + 16),
        weights(shape.inputs * shape.outputs),
        bias(shape.outputs),
        x(shape.inputs * stride),
        s(shape.outputs * stride),
        g(shape.outputs * stride),
        gx(shape.inputs * stride),
        d_weights(weights.size()),
        d_bias(bias.size()) {
    const Random random(1, Purpose::weights);
    for (auto* numbers : {&weights, &bias, &x, &g}) {
      for (std::size_t k = 0; k < numbers->size(); ++k) {
        (*numbers)[k] = static_cast<float>(random.normal(k));
      }
    }
  }
  std::size_t stride;
  std::vector<float> weights, bias, x, s, g, gx, d_weights, d_bias;
};

// GFlop/s of the best of several rounds.
template <class Action>
double speed(const Shape& shape, const Action& action) {
  const double flops = 2.0 * static_cast<double>(shape.inputs * shape.outputs * shape.rows);
  const int times = std::max(1, static_cast<int>(4e6 / flops));
  double best = 1e9;
  for (int round = 0; round < 30; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < times; ++k) action();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    best = std::min(best, seconds.count());
  }
  return flops * times / best * 1e-9;
}

void print_row(const Shape& shape, Sgemm sgemm) {
  Data data(shape);
  const auto [inputs, outputs, rows] = shape;
  const auto i = static_cast<Eigen::Index>(inputs), o = static_cast<Eigen::Index>(outputs),
             n = static_cast<Eigen::Index>(rows), stride = static_cast<Eigen::Index>(data.stride);
  const ProductKernels<float>& ours = product_kernels<float>();
  const Block<const float> x{data.x.data(), data.stride}, g{data.g.data(), data.stride};
  const Block<float> s{data.s.data(), data.stride}, gx{data.gx.data(), data.stride};
  Matrix ex(data.x.data(), n, i, Eigen::OuterStride<>(stride));
  Matrix es(data.s.data(), n, o, Eigen::OuterStride<>(stride));
  Matrix eg(data.g.data(), n, o, Eigen::OuterStride<>(stride));
  Matrix egx(data.gx.data(), n, i, Eigen::OuterStride<>(stride));
  Weights ew(data.weights.data(), o, i), edw(data.d_weights.data(), o, i);
  Eigen::Map<Eigen::VectorXf> eb(data.bias.data(), o), edb(data.d_bias.data(), o);

  const double mine[] = {
      speed(shape, [&] { ours.forward(ew.data(), eb.data(), x, s, inputs, outputs, rows); }),
      speed(shape, [&] { ours.backward_inputs(ew.data(), g, {}, gx, inputs, outputs, rows); }),
      speed(shape,
            [&] { ours.backward_weights(g, x, edw.data(), edb.data(), inputs, outputs, rows); })};
  const double eigen[] = {speed(shape,
                                [&] {
                                  es.rowwise() = eb.transpose();
                                  es.noalias() += ex * ew.transpose();
                                }),
                          speed(shape, [&] { egx.noalias() = eg * ew; }), speed(shape, [&] {
                            edw.noalias() += eg.transpose() * ex;
                            edb += eg.colwise().sum().transpose();
                          })};
  std::printf("| %zu → %zu | %zu | %.0f, %.0f, %.0f | %.0f, %.0f, %.0f |", inputs, outputs, rows,
              mine[0], mine[1], mine[2], eigen[0], eigen[1], eigen[2]);
  if (!sgemm) {
    std::printf(" not measured |\n");
    return;
  }
  constexpr int kColumns = 102, kPlain = 111, kTransposed = 112;
  const int ni = static_cast<int>(i), no = static_cast<int>(o), nn = static_cast<int>(n),
            ld = static_cast<int>(stride);
  // Row-major weights are the transpose in column-major order.
  const double blas[] = {speed(shape,
                               [&] {
                                 es.rowwise() = eb.transpose();
                                 sgemm(kColumns, kPlain, kPlain, nn, no, ni, 1, ex.data(), ld,
                                       ew.data(), ni, 1, es.data(), ld);
                               }),
                         speed(shape,
                               [&] {
                                 sgemm(kColumns, kPlain, kTransposed, nn, ni, no, 1, eg.data(), ld,
                                       ew.data(), ni, 0, egx.data(), ld);
                               }),
                         speed(shape, [&] {
                           sgemm(kColumns, kTransposed, kPlain, ni, no, nn, 1, ex.data(), ld,
                                 eg.data(), ld, 1, edw.data(), ni);
                           edb += eg.colwise().sum().transpose();
                         })};
  std::printf(" %.0f, %.0f, %.0f |\n", blas[0], blas[1], blas[2]);
}

}  // namespace

int main() {
  const Sgemm sgemm = find_openblas();
  std::puts("| layer | rows of a block | Knotwork | Eigen | OpenBLAS |");
  std::puts("|---|---|---|---|---|");
  for (const auto& [inputs, outputs] : {std::pair<std::size_t, std::size_t>{8, 5},
                                        {5, 1},
                                        {8, 64},
                                        {64, 64},
                                        {64, 1},
                                        {256, 256},
                                        {256, 10},
                                        {512, 512}}) {
    for (const std::size_t rows : {64u, 256u, 512u}) print_row({inputs, outputs, rows}, sgemm);
  }
}
