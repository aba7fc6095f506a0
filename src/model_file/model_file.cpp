// SPDX-License-Identifier: MIT
#include <knotwork/model_file.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "files/file_io.hpp"
#include "files/watched_calls.hpp"
#include "model_file/hashed_file.hpp"
#include "model_file/record.hpp"
#include "model_file/summary_record.hpp"

namespace knotwork {

using namespace model_file;

namespace {

constexpr RecordKind kModel = {kModelFile,
                               kModelKey,
                               kModelFormat,
                               kCheckpointKey,
                               "is a checkpoint of a training and not a model.",
                               "to resume that training",
                               "resume",
                               "true"};

void check_savable(const Network& network, Precision precision) {
  for (const TensorInfo& tensor : network.tensors()) {
    for (double value : network.values(tensor)) {
      const bool finite = precision == Precision::float32
                              ? std::abs(value) <= std::numeric_limits<float>::max()
                              : std::isfinite(value);
      if (!finite) {
        fail(ErrorKind::bad_model,
             "The model cannot be saved: tensor '{}' contains a number that is not finite.",
             tensor.name);
      }
    }
  }
}

// Do not write what deserialize() would refuse.
void check_savable(const Model& model) {
  model.check();
  for (const Network& network : model.members) check_savable(network, model.precision);
  for (const Snapshot& snapshot : model.training.snapshots) {
    check_savable(snapshot.network, model.precision);
  }
}

void fill_quantiles(Model& model, HashedFile& file) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    Scaling& scaling = model.inputs[i].scaling;
    if (scaling.kind != ScalingKind::quantile && scaling.kind != ScalingKind::uniform) continue;
    const std::string name = fmt::format("inputs.{}.quantiles", i);
    scaling.quantiles = file.take_list(name);
    if (scaling.quantiles.empty() ||
        !std::is_sorted(scaling.quantiles.begin(), scaling.quantiles.end())) {
      fail(ErrorKind::bad_model, "the quantiles of column '{}' are not sorted",
           model.inputs[i].column);
    }
  }
}

void fill_levels(Model& model, HashedFile& file) {
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    InputColumn& input = model.inputs[i];
    if (!input.has_levels()) continue;
    input.values = file.take_list(fmt::format("inputs.{}.values", i));
    if (!input.is_complete()) {
      fail(ErrorKind::bad_model, "the levels of column '{}' cannot be used", input.column);
    }
  }
}

Model build_model(HashedFile& file, const ActivationTable& activations) {
  const std::size_t numbers = file.numbers();
  Model model = from_record(file.record(), activations, numbers);
  for (std::size_t m = 0; m < model.members.size(); ++m) {
    file.fill(model.members[m], model::member_prefix(m), model.precision, model::Kept::all);
  }
  fill_quantiles(model, file);
  fill_levels(model, file);
  file.fill_snapshots(model.training, file.record(), model.members, "", model.precision,
                      activations);
  return model;
}

}  // namespace

std::vector<std::uint8_t> serialize(const Model& model) {
  check_savable(model);
  std::vector<ModelTensor> tensors = model_tensors(model);
  model::add_snapshot_tensors(model.training.snapshots, "", model.precision, tensors);
  return write_hashed(tensors, to_record(model), "The model cannot be saved");
}

Model deserialize(std::span<const std::uint8_t> bytes, const std::string& source,
                  const ActivationTable& activations, Monitor* monitor) {
  HashedFile file(bytes, source, kModel, monitor);
  return file.read([&](HashedFile& whole) { return build_model(whole, activations); });
}

void save_model(const Model& model, const std::filesystem::path& path, Monitor* monitor) {
  const files::WatchedFiles watched(monitor, files::Hearing::waiting);
  files::write_file_atomically(path, serialize(model));
}

Model load_model(const std::filesystem::path& path, const ActivationTable& activations,
                 Monitor* monitor) {
  const files::WatchedFiles watched(monitor);
  return deserialize(read_hashed_bytes(path, kModelFile), path.string(), activations, monitor);
}

namespace {

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

std::string record_json(const Model& model) {
  return text_of(to_record(model));
}

std::string summary_json(const Summary& summary) {
  return text_of(to_json(summary));
}

std::string scores_json(const Scores& scores) {
  return text_of(to_json(scores));
}

}  // namespace knotwork
