// SPDX-License-Identifier: MIT
// Uses every name of 0.1 that 0.2 still has, with a warning.
#include <knotwork/knotwork.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace k = knotwork;

// The types of 0.1 equal those of 0.2.
static_assert(std::is_same_v<k::Regulariser, k::Regularizer>);
static_assert(std::is_same_v<k::RegulariserOptions, k::RegularizerOptions>);
static_assert(std::is_same_v<k::RegulariserEntry, k::RegularizerEntry>);
static_assert(std::is_same_v<k::RegulariserTable, k::RegularizerTable>);
static_assert(std::is_same_v<k::WeightedRegulariser, k::WeightedRegularizer>);
static_assert(k::Precision::single_ == k::Precision::float32);
static_assert(k::Precision::double_ == k::Precision::float64);

std::size_t uses(const k::Model& model, const k::TrainingState& state, k::Network& network,
                 const k::Activation& activation, const k::NeuronTensors<double>& tensors,
                 const k::InitialNoise& noise) {
  network.initialise(1);
  activation.initialise(tensors, noise);
  const std::vector<std::uint8_t> bytes = k::serialise(model);
  const std::vector<std::uint8_t> kept = k::serialise(state);
  const k::Model read = k::deserialise(bytes, "bytes");
  const k::TrainingState resumed = k::deserialise_checkpoint(kept, "bytes");
  const k::Tails tails = k::tails_from_name("linear");
  const k::ScalingKind scaling = k::scaling_from_name("standard");
  const k::Precision precision = k::precision_from_name("float");
  const k::Sharing sharing = k::sharing_from_name("neuron");
  const k::LayerKind layer = k::layer_kind_from_name("dense");
  const k::InputKind input = k::input_kind_from_name("numeric");
  const k::FitRange range = k::fit_range_from_name("none");
  static_cast<void>(
      std::tie(read, resumed, tails, scaling, precision, sharing, layer, input, range));
  return k::scaling_names().size() + k::fit_range_names().size() +
         k::builtin_regularisers().names().size();
}
