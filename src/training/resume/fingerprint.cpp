// SPDX-License-Identifier: MIT
#include "training/resume/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "base/fail.hpp"
#include "base/quoting.hpp"
#include "base/sha256.hpp"
#include "options/option_text.hpp"
#include "parallel/watched_work.hpp"
#include "training/data/training_plan.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/version.hpp>

namespace knotwork::training {
namespace {

// Name among the options of a state for the hash of the model that training started from.
constexpr const char* kStartModel = "model to start from";

// Hashes the length of every part before the part, so that bytes cannot move from one part to the
// next.
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
  // As 64 bits each, whatever the type, so that 32-bit and 64-bit machines agree.
  template <std::unsigned_integral Whole>
  void add(std::span<const Whole> numbers) {
    add(std::uint64_t{numbers.size()});
    add_converted<std::uint64_t>(numbers.size(), [&](std::size_t k) { return numbers[k]; });
  }
  // Without their length.
  void add_more(std::span<const double> numbers) {
    add_bytes(numbers.data(), numbers.size_bytes());
  }
  std::string hex_digest() { return sha_.hex_digest(); }

 private:
  void add_bytes(const void* bytes, std::size_t size) {
    sha_.update({static_cast<const std::uint8_t*>(bytes), size});
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

// Hash of everything that training takes from the model that it starts from.
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

// The options on which the model file depends.
OptionTexts lasting_options(const TrainOptions& options) {
  OptionTexts texts = option_texts(options);
  std::erase_if(texts,
                [](const auto& option) { return option_field(option.first).is_about_time(); });
  // Options that only programs can set.
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

void add_description(const RowDescription& rows, Hash& hash) {
  hash.add(rows.input_names);
  hash.add(rows.target_names);
  hash.add(rows.classes);
  hash.add(std::uint64_t{rows.encoding.size()});
  for (const InputColumn& input : rows.encoding) {
    hash.add(input.column);
    hash.add(to_string(input.kind));
    hash.add(input.category);
    hash.add(std::span<const double>(&input.fill, 1));
    if (input.kind == InputKind::date) hash.add(to_string(input.part));
    if (!input.has_levels()) continue;
    hash.add(*input.levels);
    hash.add(std::span<const double>(input.values));
    hash.add(std::span<const double>(&input.unseen, 1));
  }
  hash.add(std::uint64_t{rows.in_time_order});
}

NeededColumns watched(NeededColumns columns, const std::shared_ptr<Monitor>& monitor) {
  columns.reader = columns.reader.watched(monitor, Phase::planning);
  return columns;
}

// The numbers of one column: value(window, row).
void add_column(const NeededColumns& columns, Hash& hash, const auto& value) {
  std::vector<double> values;
  columns.reader.for_each(0, columns.reader.rows(), [&](const Table& cells, std::size_t first) {
    const EncodedWindow window(columns, cells, first);
    values.clear();
    for (std::size_t r = 0; r < window.rows(); ++r) values.push_back(value(window, first + r));
    hash.add_more(values);
  });
}

// From the description of the source's columns.
std::string hash_of_source(const TrainingRows& rows, const std::shared_ptr<Monitor>& monitor) {
  Hash hash;
  hash.add(rows.table().description().names);
  hash.add({rows.weight_column(), rows.group_column()});
  hash.add(rows.table().watched(monitor, Phase::planning).fingerprint());
  add_description(rows.description(), hash);
  for (const features::RowSet* part : {&rows.train(), &rows.test()}) hash.add(part->words());
  return hash.hex_digest();
}

// From the numbers that training computes with, column by column and in double, independent of
// their place in memory.
std::string hash_of_numbers(const TrainingRows& rows, const std::shared_ptr<Monitor>& monitor) {
  const NeededColumns truth = watched(rows.truth(), monitor);
  Hash hash;
  const std::size_t count = rows.table().rows();
  hash.add(std::uint64_t{count});
  hash.add(std::uint64_t{rows.inputs()});
  for (std::size_t c = 0; c < rows.inputs(); ++c) {
    add_column(watched(rows.only_input(c), monitor), hash,
               [](const EncodedWindow& window, std::size_t row) { return window.input(row, 0); });
  }
  hash.add(std::uint64_t{count});
  hash.add(std::uint64_t{rows.description().target_count});
  for (std::size_t t = 0; t < rows.description().target_count; ++t) {
    add_column(truth, hash,
               [t](const EncodedWindow& window, std::size_t row) { return window.target(row, t); });
  }
  hash.add(std::uint64_t{truth.weights ? count : 0});
  if (truth.weights) {
    add_column(truth, hash,
               [](const EncodedWindow& window, std::size_t row) { return window.weight(row); });
  }
  hash.add(std::uint64_t{rows.groups() ? count : 0});
  if (rows.groups()) {
    column_windows(rows.table().watched(monitor, Phase::planning), *rows.groups())(
        [&](std::size_t, std::span<const double> groups) { hash.add_more(groups); });
  }
  add_description(rows.description(), hash);
  for (const features::RowSet* part : {&rows.train(), &rows.test()}) {
    const std::vector<std::size_t> list =
        rows.has_partition() ? list_of(*part) : std::vector<std::size_t>();
    hash.add(std::span<const std::size_t>(list));
  }
  return hash.hex_digest();
}

TrainingState identity_without_rows(const TrainOptions& options, const Model* start) {
  TrainingState state;
  state.version = KNOTWORK_VERSION_STRING;
  state.instruction_set = instruction_set();
  state.options = lasting_options(options);
  if (start) state.options.emplace_back(kStartModel, hash_of(*start));
  return state;
}

}  // namespace

std::string hash_of(const TrainingRows& rows, const std::shared_ptr<Monitor>& monitor) {
  const auto stop = std::make_shared<parallel::StopOnly>(monitor);
  return rows.table().is_in_memory() ? hash_of_numbers(rows, stop) : hash_of_source(rows, stop);
}

TrainingState training_identity(const TrainingRows& rows, const TrainOptions& options,
                                const Model* start) {
  TrainingState state = identity_without_rows(options, start);
  state.data_sha256 = rows.data_sha256();
  return state;
}

TrainingState watched_identity(const TrainingRows& rows, const TrainOptions& options,
                               const TrainContext& context) {
  TrainingState state = identity_without_rows(options, context.start.get());
  table::TableReader::together(rows.ranks(),
                               [&] { state.data_sha256 = rows.data_sha256(context.monitor); });
  return state;
}

void check_same_training(const TrainingState& kept, const TrainingState& now) {
  const auto place = [](std::string_view option = {}) {
    return Where{.option = std::string(option), .subject = kCheckpointSubject};
  };
  if (kept.version != now.version) {
    fail(ErrorKind::bad_option, place(),
         "was made by version {}, and only that version can resume it with the same bits; this is "
         "version {}.",
         kept.version, now.version);
  }
  if (kept.instruction_set != now.instruction_set) {
    fail(ErrorKind::bad_option, place("isa"),
         Hint{.purpose = "to resume with the same bits",
              .settings = {{"isa", kept.instruction_set}}},
         "was made with the instruction set {}, but this run uses {}.", kept.instruction_set,
         now.instruction_set);
  }
  for (const auto& [name, text] : now.options) {
    const auto same_name = [&](const auto& other) { return other.first == name; };
    const auto it = std::find_if(kept.options.begin(), kept.options.end(), same_name);
    const std::string other = it == kept.options.end() ? "" : it->second;
    if (other == text) continue;
    if (name == kStartModel) {
      fail(ErrorKind::bad_option, place("start-from"),
           "belongs to another training, which started from another model or from none.");
    }
    fail(ErrorKind::bad_option, place(name),
         "belongs to another training: its {} was {}, but here it is {}; resume with the same "
         "options.",
         name, shown(other), shown(text));
  }
  if (kept.options != now.options) {
    fail(ErrorKind::bad_option, place(), "belongs to another training, which had other options.");
  }
  if (kept.data_sha256 != now.data_sha256) {
    fail(ErrorKind::bad_option, place(),
         "belongs to another training: its rows, its columns, its division into parts or the kind "
         "of its file were different.");
  }
}

}  // namespace knotwork::training
