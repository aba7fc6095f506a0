// SPDX-License-Identifier: MIT
// Neuron is one neuron of an activation with its numbers, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <knotwork/activation.hpp>
#include <knotwork/random.hpp>

namespace knotwork::testing_neuron {

inline std::string identifier(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

template <class T>
struct Row {
  std::vector<T> y, slope;
};

class Neuron {
 public:
  explicit Neuron(std::shared_ptr<const Activation> activation)
      : activation_(std::move(activation)), tensors_(activation_->tensors()) {
    for (const auto& tensor : tensors_) numbers_.emplace_back(tensor.size);
    NeuronTensors<double> places{};
    for (std::size_t k = 0; k < tensors_.size(); ++k) places[k] = numbers_[k].data();
    activation_->initialize(places, {1, 0});
  }

  const Activation& activation() const { return *activation_; }
  const std::vector<ActivationTensor>& tensors() const { return tensors_; }
  std::vector<double>& numbers(std::size_t tensor) { return numbers_[tensor]; }

  // Adds noise to every trained number.
  void scatter(double deviation, std::uint64_t seed) {
    const Random random(seed, Purpose::weights);
    std::uint64_t drawn = 0;
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      if (!tensors_[k].trained) continue;
      for (double& number : numbers_[k]) number += deviation * random.normal(drawn++);
    }
  }

  template <class T>
  Row<T> row(const std::vector<T>& s) const {
    const auto table = table_as<T>();
    Row<T> row{std::vector<T>(s.size(), T{-77}), std::vector<T>(s.size(), T{-77})};
    activation_->forward(table.data(), s.data(), row.y.data(), row.slope.data(), s.size());
    std::vector<T> only_y(s.size(), T{-77});
    activation_->forward(table.data(), s.data(), only_y.data(), nullptr, s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
      EXPECT_TRUE(row.y[k] == only_y[k] || (std::isnan(row.y[k]) && std::isnan(only_y[k])));
    }
    return row;
  }
  template <class T>
  std::pair<T, T> at(T s) const {
    const Row<T> one = row<T>({s});
    return {one.y[0], one.slope[0]};
  }

  // From dJ/dy: the gradients of the trained tensors (empty for constant tensors), and dJ/ds last.
  template <class T>
  std::vector<std::vector<T>> backward(std::vector<T> s, std::vector<T> gradient) const {
    const auto table = table_as<T>();
    const std::size_t n = s.size();
    Row<T> row{std::vector<T>(n), std::vector<T>(n)};
    std::vector<T> notes(activation_->takes_notes() ? n : 0), scratch(activation_->scratch_size());
    T* const noted = notes.empty() ? nullptr : notes.data();
    activation_->forward_noted(table.data(), s.data(), row.y.data(), row.slope.data(), noted, n);
    activation_->backward(table.data(), s.data(), noted, row.slope.data(), gradient.data(),
                          scratch.data(), n);
    std::vector<std::vector<T>> all;
    NeuronTensors<T> places{};
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      all.emplace_back(tensors_[k].trained ? tensors_[k].size : 0);
    }
    for (std::size_t k = 0; k < all.size(); ++k) places[k] = all[k].empty() ? nullptr : &all[k][0];
    activation_->collect(scratch.data(), places);
    all.push_back(gradient);
    return all;
  }

  std::vector<double> kinks() const { return activation_->kinks(places_of(numbers_)); }
  bool near_kink(double s, double distance) const {
    for (double kink : kinks()) {
      if (std::fabs(s - kink) < distance) return true;
    }
    return false;
  }

 private:
  template <class T>
  static NeuronTensors<const T> places_of(const std::vector<std::vector<T>>& numbers) {
    NeuronTensors<const T> places{};
    for (std::size_t k = 0; k < numbers.size(); ++k) places[k] = numbers[k].data();
    return places;
  }
  template <class T>
  std::vector<T> table_as() const {
    std::vector<std::vector<T>> copies;
    for (const auto& numbers : numbers_) copies.emplace_back(numbers.begin(), numbers.end());
    std::vector<T> table(activation_->table_size());
    activation_->prepare(places_of(copies), table.data());
    return table;
  }

  std::shared_ptr<const Activation> activation_;
  std::vector<ActivationTensor> tensors_;
  std::vector<std::vector<double>> numbers_;
};

}  // namespace knotwork::testing_neuron
