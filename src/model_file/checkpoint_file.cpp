// SPDX-License-Identifier: MIT
#include <knotwork/checkpoint.hpp>

#include <fmt/format.h>

#include "files/file_io.hpp"
#include "model_file/hashed_file.hpp"
#include "model_file/record.hpp"
#include "model_file/summary_record.hpp"

namespace knotwork {

using namespace model_file;

namespace {

constexpr RecordKind kCheckpoint = {kCheckpointFile,
                                    kCheckpointKey,
                                    kCheckpointFormat,
                                    kModelKey,
                                    "is a model and not a checkpoint.",
                                    "to start from the model",
                                    "start-from",
                                    ""};

using Members = std::vector<std::optional<MemberState>>;
using Tensors = std::vector<ModelTensor>;

// JSON has neither infinity nor NaN, so numbers that may be infinite or NaN are stored in tensors.
void add_list(const std::string& name, std::span<const double> values, Tensors& tensors) {
  tensors.push_back(
      {name, Precision::float64, {values.size()}, model::to_bytes(values, Precision::float64)});
}

Json to_json(const OptimizerState& optimizer, const std::string& prefix, Tensors& tensors) {
  Json json = {
      {"name", optimizer.optimizer}, {"numbers", Json::array()}, {"vectors", Json::array()}};
  std::vector<double> numbers;
  for (const auto& [name, number] : optimizer.numbers) {
    json["numbers"].push_back(name);
    numbers.push_back(number);
  }
  add_list(prefix + "numbers", numbers, tensors);
  for (const auto& [name, vector] : optimizer.vectors) {
    json["vectors"].push_back(name);
    add_list(prefix + name, vector, tensors);
  }
  return json;
}

OptimizerState optimizer_from(const Json& json, const std::string& prefix, HashedFile& file) {
  OptimizerState optimizer;
  optimizer.optimizer = json.at("name").get<std::string>();
  const std::vector<double> numbers = file.take_list(prefix + "numbers", Finite::maybe);
  const Json& names = json.at("numbers");
  if (names.size() != numbers.size()) {
    fail(ErrorKind::bad_model, "it has different numbers of optimizer values and of their names");
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    optimizer.numbers[names[k].get<std::string>()] = numbers[k];
  }
  for (const Json& name : json.at("vectors")) {
    const auto text = name.get<std::string>();
    optimizer.vectors[text] = file.take_list(prefix + text, Finite::maybe);
  }
  return optimizer;
}

Json to_json(const MemberState& member, const std::string& prefix, Tensors& tensors) {
  Json json;
  json["done"] = member.done;
  json["layers"] = layers_record(member.network);
  model::add_network_tensors(member.network, prefix + "network.", Precision::float64,
                             model::Kept::all, tensors);
  json["summary"] = model_file::to_json(member.summary);
  add_snapshots(member.summary.snapshots, json);
  model::add_snapshot_tensors(member.summary.snapshots, prefix, Precision::float64, tensors);
  if (member.done) return json;
  json["history_unit"] = member.history_unit;
  json["snapshot_unit"] = member.snapshot_unit;
  json["stage"] = member.stage;
  json["iteration"] = member.iteration;
  json["optimizer"] = to_json(member.optimizer, prefix + "optimizer.", tensors);
  json["best_iteration"] = member.best_iteration;
  add_list(prefix + "best_score", {&member.best_score, 1}, tensors);
  add_list(prefix + "best_point", member.best_point, tensors);
  add_list(prefix + "latest", member.latest, tensors);
  add_list(prefix + "before_latest", member.before_latest, tensors);
  return json;
}

double unit_from(const Json& json) {
  const auto unit = json.get<double>();
  if (!(unit > 0)) fail(ErrorKind::bad_model, "a distance in it is not positive");
  return unit;
}

MemberState member_from(const Json& json, const std::string& prefix,
                        const ActivationTable& activations, HashedFile& file) {
  MemberState member{.done = json.at("done").get<bool>(),
                     .network = network_from(json.at("layers"), activations, file.numbers()),
                     .summary = summary_from(json.at("summary"))};
  file.fill(member.network, prefix + "network.", Precision::float64, model::Kept::all);
  file.fill_snapshots(member.summary, json, {member.network}, prefix, Precision::float64,
                      activations);
  if (member.done) return member;
  member.history_unit = unit_from(json.at("history_unit"));
  member.snapshot_unit = unit_from(json.at("snapshot_unit"));
  member.stage = count_from(json.at("stage"));
  member.iteration = count_from(json.at("iteration"));
  member.optimizer = optimizer_from(json.at("optimizer"), prefix + "optimizer.", file);
  member.best_iteration = count_from(json.at("best_iteration"));
  const std::vector<double> best = file.take_list(prefix + "best_score", Finite::maybe);
  if (best.size() != 1) fail(ErrorKind::bad_model, "it has {} best scores, not one", best.size());
  member.best_score = best.front();
  member.best_point = file.take_list(prefix + "best_point", Finite::maybe);
  member.latest = file.take_list(prefix + "latest", Finite::maybe);
  member.before_latest = file.take_list(prefix + "before_latest", Finite::maybe);
  return member;
}

std::string prefix_of(const char* phase, std::size_t member) {
  return fmt::format("{}.{}.", phase, member);
}

Json to_json(const Members& members, const char* phase, Tensors& tensors) {
  Json json = Json::array();
  for (std::size_t m = 0; m < members.size(); ++m) {
    json.push_back(members[m] ? to_json(*members[m], prefix_of(phase, m), tensors) : Json(nullptr));
  }
  return json;
}

Members members_from(const char* phase, const ActivationTable& activations, HashedFile& file) {
  const Json& list = file.record().at(phase);
  if (list.size() > kMaxMembers) {
    fail(ErrorKind::bad_model, "it has {} members, more than the limit of {}", list.size(),
         kMaxMembers);
  }
  Members members;
  for (std::size_t m = 0; m < list.size(); ++m) {
    auto& member = members.emplace_back();
    if (!list[m].is_null()) {
      member = member_from(list[m], prefix_of(phase, m), activations, file);
    }
  }
  return members;
}

TrainingState build_state(HashedFile& file, const ActivationTable& activations) {
  const Json& record = file.record();
  if (count_from(record.at(kCheckpointKey)) != kCheckpointFormat) {
    fail(ErrorKind::bad_model, "its format is not {}", kCheckpointFormat);
  }
  TrainingState state;
  state.version = record.at("version").get<std::string>();
  state.instruction_set = record.at("instruction_set").get<std::string>();
  state.data_sha256 = record.at("data_sha256").get<std::string>();
  state.options = pairs_from(record.at("options"));
  state.seconds = record.at("seconds").get<double>();
  const std::vector<double> losses = file.take_list("fold_losses", Finite::maybe);
  const Json& folds = record.at("folds");
  if (folds.size() != losses.size()) {
    fail(ErrorKind::bad_model, "it has different numbers of fold losses and of fold names");
  }
  for (std::size_t k = 0; k < losses.size(); ++k) {
    state.fold_losses[folds[k].get<std::string>()] = losses[k];
  }
  if (record.contains("choice")) {
    const Json& choice = record["choice"];
    state.choice = {pairs_from(choice.at("options")), tried_from(choice.at("tried")),
                    choice.at("remark").get<std::string>()};
  }
  state.training = members_from("training", activations, file);
  state.refitting = members_from("refitting", activations, file);
  return state;
}

}  // namespace

std::vector<std::uint8_t> serialize(const TrainingState& state) {
  Json record;
  Tensors tensors;
  record[kCheckpointKey] = kCheckpointFormat;
  record["version"] = state.version;
  record["instruction_set"] = state.instruction_set;
  record["data_sha256"] = state.data_sha256;
  record["options"] = pairs(state.options);
  record["seconds"] = state.seconds;
  record["folds"] = Json::array();
  std::vector<double> losses;
  for (const auto& [name, loss] : state.fold_losses) {
    record["folds"].push_back(name);
    losses.push_back(loss);
  }
  add_list("fold_losses", losses, tensors);
  if (state.choice) {
    record["choice"] = {{"options", pairs(state.choice->options)},
                        {"tried", model_file::to_json(state.choice->tried)},
                        {"remark", state.choice->remark}};
  }
  record["training"] = to_json(state.training, "training", tensors);
  record["refitting"] = to_json(state.refitting, "refitting", tensors);
  return write_hashed(tensors, std::move(record), "The checkpoint cannot be saved");
}

TrainingState deserialize_checkpoint(std::span<const std::uint8_t> bytes, const std::string& source,
                                     const ActivationTable& activations) {
  HashedFile file(bytes, source, kCheckpoint);
  return file.read([&](HashedFile& whole) { return build_state(whole, activations); });
}

void save_checkpoint(const TrainingState& state, const std::filesystem::path& path) {
  files::write_file_atomically(path, serialize(state));
}

TrainingState load_checkpoint(const std::filesystem::path& path,
                              const ActivationTable& activations) {
  return deserialize_checkpoint(read_hashed_bytes(path, kCheckpointFile), path.string(),
                                activations);
}

}  // namespace knotwork
