// SPDX-License-Identifier: MIT
// Dropout sets random outputs of hidden layers to zero in training and scales the others up, so
// that their mean does not change (Srivastava et al. 2014).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "network/pass.hpp"

#include <knotwork/random.hpp>

namespace knotwork {

struct Dropout {
  double share = 0;  // of outputs dropped, below 1
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  // of training; each step has its own random numbers
};

// Draws the factors, 0 or 1 / (1 - share), that the next forward() and backward() multiply by. They
// depend on the row number, row_of(k), and not on the position in a block.
template <class T, class RowOf>
void draw_dropout(const Network& network, const Dropout& dropout, std::size_t n,
                  const RowOf& row_of, Workspace<T>& workspace) {
  workspace.dropping = true;
  const Random random(Random(dropout.seed, Purpose::dropout).bits(dropout.step), Purpose::dropout);
  // Four neurons share a draw of 64 bits and use 16 bits each.
  constexpr std::size_t kShare = 4;
  const auto least =
      static_cast<std::uint64_t>(std::clamp<long>(std::lround(dropout.share * 65536), 1, 65535));
  const T factor = static_cast<T>(65536.0 / (65536.0 - static_cast<double>(least)));
  std::uint64_t draws = 0, first = 0;
  for (const Layer& layer : network.layers()) draws += (layer.outputs + kShare - 1) / kShare;
  for (std::size_t l = 0; l + 1 < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    if (layer.kind == LayerKind::dense) {
      AlignedVector<T>& kept = workspace.layers[l].kept;
      if (kept.empty()) kept.resize(workspace.layers[l].y.size());
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t neuron = 0; neuron < layer.outputs; neuron += kShare) {
          std::uint64_t bits = random.bits(row_of(k) * draws + first + neuron / kShare);
          for (std::size_t o = neuron; o < std::min(neuron + kShare, layer.outputs); ++o) {
            kept[o * workspace.stride + k] = (bits & 0xffff) >= least ? factor : T{0};
            bits >>= 16;
          }
        }
      }
      for (std::size_t o = 0; o < layer.outputs; ++o) {
        T* const row = kept.data() + o * workspace.stride;
        std::fill(row + n, row + padded(n), T{1});
      }
    }
    first += (layer.outputs + kShare - 1) / kShare;
  }
}

}  // namespace knotwork
