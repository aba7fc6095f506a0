// SPDX-License-Identifier: MIT
// This header makes small trained models, and files edited by hand, for the tests of this folder.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/sha256.hpp"
#include "model_file/safetensors.hpp"
#include "training/run/test_trainings.hpp"

#include <knotwork/model_file.hpp>
#include <knotwork/training.hpp>

namespace knotwork::model_file {

using Bytes = std::vector<std::uint8_t>;
using OrderedJson = nlohmann::ordered_json;

// Three inputs, one of them on a different scale, and any number of targets.
inline Model trained_model(TrainOptions options, std::size_t targets = 1) {
  constexpr std::size_t kRows = 40;
  std::vector<double> inputs, outputs;
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto t = static_cast<double>(r);
    inputs.insert(inputs.end(), {t / 7 - 3, static_cast<double>(r * r % 11), 1e4 * std::sin(t)});
    for (std::size_t o = 0; o < targets; ++o) {
      outputs.push_back(std::cos(t / 5) + static_cast<double>(o) * t);
    }
  }
  TrainingData data;
  data.inputs = row_major(std::span<const double>(inputs), kRows, 3);
  data.targets = row_major(std::span<const double>(outputs), kRows, targets);
  options.threads = 1;
  return train(data, options);
}

// A model that takes about 1500 bytes in a file.
inline Model tiny_model() {
  TrainOptions options;
  options.hidden = {1};
  options.activation = "tanh";
  options.iterations = 2;
  return trained_model(options);
}

// Predictions for rows inside and far outside the training range.
inline std::vector<double> predictions(const Model& model) {
  std::vector<double> rows;
  for (int r = 0; r < 50; ++r) {
    rows.insert(rows.end(), {0.3 * r - 7, 1.7 * r - 20, 900.0 * r - 2e4});
  }
  std::vector<double> result(50 * model.predictions());
  model.predict(row_major(std::span<const double>(rows), 50, 3),
                row_major(std::span<double>(result), 50, model.predictions()));
  return result;
}

inline std::size_t header_size(const Bytes& bytes) {
  std::size_t size = 0;
  for (std::size_t k = 0; k < 8; ++k) size |= std::size_t{bytes[k]} << (8 * k);
  return size;
}

inline std::string header_of(const Bytes& bytes) {
  return {bytes.begin() + 8, bytes.begin() + 8 + static_cast<std::ptrdiff_t>(header_size(bytes))};
}

// The same data behind another header.
inline Bytes with_header(const Bytes& bytes, std::string header) {
  header.resize((header.size() + 7) / 8 * 8, ' ');
  Bytes changed;
  for (std::size_t k = 0; k < 8; ++k) {
    changed.push_back(static_cast<std::uint8_t>(header.size() >> (8 * k)));
  }
  changed.insert(changed.end(), header.begin(), header.end());
  changed.insert(changed.end(), bytes.begin() + 8 + static_cast<std::ptrdiff_t>(header_size(bytes)),
                 bytes.end());
  return changed;
}

// Writes the correct hash into a changed file, so that only the change itself can be refused.
inline Bytes stamped(Bytes bytes) {
  const std::string key = R"(\"sha256\":\")";
  const auto found = std::find_end(bytes.begin(), bytes.end(), key.begin(), key.end());
  if (found == bytes.end()) return bytes;
  const auto digits = found + static_cast<std::ptrdiff_t>(key.size());
  std::fill(digits, digits + 64, std::uint8_t{'0'});
  Sha256 sha;
  sha.update(bytes);
  const std::string hash = sha.hex_digest();
  std::copy(hash.begin(), hash.end(), digits);
  return bytes;
}

inline Bytes with_edited_header(const Bytes& bytes, const std::function<void(OrderedJson&)>& edit) {
  OrderedJson header = OrderedJson::parse(header_of(bytes));
  edit(header);
  return stamped(with_header(bytes, header.dump()));
}

inline Bytes with_record_text(const Bytes& bytes,
                              const std::function<std::string(std::string)>& edit) {
  return with_edited_header(bytes, [&](OrderedJson& header) {
    auto& text = header["__metadata__"]["knotwork"];
    text = edit(text.get<std::string>());
  });
}

inline Bytes with_edited_record(const Bytes& bytes, const std::function<void(OrderedJson&)>& edit) {
  return with_record_text(bytes, [&](const std::string& text) {
    OrderedJson record = OrderedJson::parse(text);
    edit(record);
    return record.dump();
  });
}

// Expects that reading is refused as a bad model with one sentence about "a file", and returns that
// sentence.
template <class Read>
std::string refusal_by(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::bad_model) << what;
    EXPECT_TRUE(what.starts_with("a file ")) << what;
    EXPECT_TRUE(what.ends_with('.') || what.ends_with('?')) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what;
  }
  ADD_FAILURE() << "The bytes were accepted.";
  return "";
}

inline std::string refusal(std::span<const std::uint8_t> bytes) {
  return refusal_by([&] { deserialize(bytes, "a file"); });
}

}  // namespace knotwork::model_file
