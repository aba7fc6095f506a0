// SPDX-License-Identifier: MIT
// What the table of activations is put together from.
#pragma once

#include "activation/settings.hpp"
#include "kernels/formulas.hpp"

#include <knotwork/activation.hpp>

namespace knotwork {

std::shared_ptr<const Activation> make_spline(const Settings& settings);

template <class Formula>
auto make_fixed(std::string name, std::vector<double> kinks = {}) {
  return [name, kinks](const Settings& settings) -> std::shared_ptr<const Activation> {
    SettingsReader(name, settings).finish();
    return std::make_shared<FixedActivation<Formula>>(name, kinks);
  };
}

}  // namespace knotwork
