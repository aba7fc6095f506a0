// SPDX-License-Identifier: MIT
#include "training/resume/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "base/sha256.hpp"
#include "options/option_text.hpp"
#include "training/data/scaled_samples.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/version.hpp>

namespace knotwork::training {
namespace {

// Every part with its length before it, so that what belongs to one cannot pass to the next.
class Hash {
 public:
  void add(std::uint64_t number) { add_bytes(&number, sizeof number); }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    add_bytes(text.data(), text.size());
  }
  void add(const std::vector<std::string>& texts) {
    add(std::uint64_t{texts.size()});
    for (const std::string& text : texts) add(text);
  }
  void add(std::span<const double> numbers) {
    add(std::uint64_t{numbers.size()});
    add_bytes(numbers.data(), numbers.size_bytes());
  }
  // As 64 bits each, whatever the type: machines of 32 and of 64 bits agree.
  template <std::unsigned_integral Whole>
  void add(std::span<const Whole> numbers) {
    add(std::uint64_t{numbers.size()});
    add_converted<std::uint64_t>(numbers.size(), [&](std::size_t k) { return numbers[k]; });
  }
  void add(const AnyMatrixView& view) {
    std::visit([this](const auto& typed) { add_view(typed); }, view);
  }
  std::string hex_digest() { return sha_.hex_digest(); }

 private:
  void add_bytes(const void* bytes, std::size_t size) {
    sha_.update({static_cast<const std::uint8_t*>(bytes), size});
  }
  // Column by column and in double: where numbers stand does not count.
  template <class T>
  void add_view(const MatrixView<const T>& view) {
    add(std::uint64_t{view.rows});
    add(std::uint64_t{view.columns});
    for (std::size_t c = 0; c < view.columns; ++c) {
      add_converted<double>(view.rows, [&](std::size_t k) { return view(k, c); });
    }
  }
  template <class Number, class At>
  void add_converted(std::size_t count, const At& at) {
    std::array<Number, 1024> part;
    for (std::size_t first = 0; first < count; first += part.size()) {
      const std::size_t n = std::min(part.size(), count - first);
      for (std::size_t k = 0; k < n; ++k) part[k] = static_cast<Number>(at(first + k));
      add_bytes(part.data(), n * sizeof(Number));
    }
  }

  Sha256 sha_;
};

// What a training takes from the model that it starts from.
std::string hash_of(const Model& start) {
  Hash hash;
  const auto add_scaling = [&](const Scaling& scaling) {
    const double numbers[] = {scaling.offset, scaling.scale};
    hash.add(to_string(scaling.kind));
    hash.add(std::span<const double>(numbers));
  };
  hash.add(start.parameters_sha256());
  hash.add(to_string(start.precision));
  for (const InputColumn& input : start.inputs) add_scaling(input.scaling);
  for (const TargetColumn& target : start.targets) add_scaling(target.scaling);
  for (const Layer& layer : start.members.front().layers()) {
    hash.add(std::uint64_t{layer.inputs});
    hash.add(std::uint64_t{layer.outputs});
    hash.add(layer.activation->name());
  }
  return hash.hex_digest();
}

// Those that the model file depends on.
OptionTexts lasting_options(const TrainOptions& options) {
  OptionTexts texts = option_texts(options);
  std::erase_if(texts,
                [](const auto& option) { return option_field(option.first).is_about_time(); });
  // What only programs can set.
  texts.emplace_back("ends of range scaling",
                     fmt::format("{},{},{},{}", options.input_low, options.input_high,
                                 options.target_low, options.target_high));
  texts.emplace_back("share of noisy control points",
                     fmt::format("{}", options.spline.noise_share));
  return texts;
}

std::string shown(const std::string& text) {
  return text.empty() ? "left open" : fmt::format("'{}'", text);
}

}  // namespace

namespace {

void add_description(const TrainingData& data, Hash& hash) {
  hash.add(data.input_names);
  hash.add(data.target_names);
  hash.add(data.classes);
  hash.add(std::uint64_t{data.encoding.size()});
  for (const InputColumn& input : data.encoding) {
    hash.add(input.column);
    hash.add(to_string(input.kind));
    hash.add(input.category);
    hash.add(std::span<const double>(&input.fill, 1));
  }
  hash.add(std::uint64_t{data.in_time_order});
}

}  // namespace

std::string hash_of(const table::TableReader& table, const TrainingData& description,
                    const std::vector<std::string>& roles, const features::RowSet& train,
                    const features::RowSet& test) {
  Hash hash;
  hash.add(table.description().names);
  hash.add(roles);
  hash.add(table.cells_sha256());
  add_description(description, hash);
  for (const features::RowSet* part : {&train, &test}) hash.add(part->words());
  return hash.hex_digest();
}

std::string hash_of(const TrainingData& data, const Partition& partition) {
  Hash hash;
  hash.add(data.inputs);
  hash.add(data.targets);
  hash.add(data.weights);
  hash.add(data.groups);
  add_description(data, hash);
  hash.add(std::span<const std::size_t>(partition.train));
  hash.add(std::span<const std::size_t>(partition.test));
  return hash.hex_digest();
}

TrainingState training_identity(const TrainingRows& rows, const TrainOptions& options,
                                const Model* start) {
  TrainingState state;
  state.version = KNOTWORK_VERSION_STRING;
  state.instruction_set = instruction_set();
  state.data_sha256 = rows.data_sha256();
  state.options = lasting_options(options);
  if (start) state.options.emplace_back("model to start from", hash_of(*start));
  return state;
}

std::string difference(const TrainingState& kept, const TrainingState& now) {
  if (kept.version != now.version) {
    return fmt::format(
        "The checkpoint is one of version {}, and only that version goes on with the same bits; "
        "this is {}.",
        kept.version, now.version);
  }
  if (kept.instruction_set != now.instruction_set) {
    return fmt::format(
        "The checkpoint was made with the instruction set {}, but this run uses {}; with --isa {} "
        "it goes on with the same bits.",
        kept.instruction_set, now.instruction_set, kept.instruction_set);
  }
  for (const auto& [name, text] : now.options) {
    const auto same_name = [&](const auto& other) { return other.first == name; };
    const auto it = std::find_if(kept.options.begin(), kept.options.end(), same_name);
    const std::string other = it == kept.options.end() ? "" : it->second;
    if (other == text) continue;
    if (name == "model to start from") {
      return "The checkpoint is of another training: it started from another model, or from none.";
    }
    return fmt::format(
        "The checkpoint is of another training: there {} was {}, here it is {}; it goes on with "
        "the same options only.",
        name, shown(other), shown(text));
  }
  if (kept.options != now.options) {
    return "The checkpoint is of another training: it was asked for with other options.";
  }
  if (kept.data_sha256 != now.data_sha256) {
    return "The checkpoint is of another training: its rows, columns or their division into parts "
           "were different ones, or they came from another kind of file.";
  }
  return "";
}

}  // namespace knotwork::training
