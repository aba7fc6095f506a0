// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <limits>

#include "model_file/summary_record.hpp"
#include "model_file/test_saved_models.hpp"
#include "parallel/test_monitors.hpp"
#include "training/run/test_trainings.hpp"

namespace knotwork::model_file {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> all;
  for (double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

void expect_same_after_loading(const Model& model) {
  const Bytes bytes = serialize(model);
  const Model loaded = deserialize(bytes, "a file");
  EXPECT_EQ(bits(predictions(loaded)), bits(predictions(model)));
  EXPECT_EQ(loaded.parameters_sha256(), model.parameters_sha256());
  EXPECT_EQ(to_json(loaded.training), to_json(model.training));
  EXPECT_EQ(loaded.precision, model.precision);
  EXPECT_EQ(serialize(loaded), bytes);
}

TEST(ModelFile, LoadedModelsPredictTheSameBitsForEveryActivationAndPrecision) {
  for (const std::string& activation : builtin_activations().names()) {
    for (Precision precision : {Precision::float32, Precision::float64}) {
      for (std::size_t targets : {1u, 3u}) {
        SCOPED_TRACE(activation + " " + std::string(to_string(precision)));
        TrainOptions options;
        options.hidden = {4, 3};
        options.activation = activation;
        options.output_activation = "same";
        options.precision = precision;
        options.iterations = 3;
        expect_same_after_loading(trained_model(options, targets));
      }
    }
  }
}

TEST(ModelFile, TheRecordIsThereAsText) {
  Model model = tiny_model();
  model.training.train->rmse = std::numeric_limits<double>::quiet_NaN();
  const auto summary = nlohmann::ordered_json::parse(summary_json(model.training));
  EXPECT_EQ(summary.dump(), to_json(model.training).dump());
  EXPECT_EQ(nlohmann::ordered_json::parse(record_json(model)).at("training").dump(),
            summary.dump());
  const auto scores = nlohmann::ordered_json::parse(scores_json(*model.training.train));
  EXPECT_TRUE(scores.at("rmse").is_null());
  EXPECT_EQ(scores.at("mae").get<double>(), model.training.train->mae);
}

TEST(ModelFile, SettingsOfActivationsOtherThanTheDefaultsSurvive) {
  const std::vector<std::pair<std::string, Settings>> kinds = {
      {"spline", {{"basis", "cardinal"}, {"tension", 0.25}}},
      {"apl", {{"hinges", 3.0}, {"init-noise", 0.5}}},
      {"polynomial", {{"degree", 4.0}, {"range", 1.5}}},
      {"rational", {{"numerator", 3.0}, {"denominator", 2.0}}},
      {"kaf", {{"dictionary", 7.0}, {"init", "sin"}}}};
  for (const auto& [name, settings] : kinds) {
    SCOPED_TRACE(name);
    Model model = tiny_model();
    const auto activation = builtin_activations().at(name).make(settings);
    model.members = {make_network({3, 4, 1}, activation, activation)};
    model.members[0].initialize(1);
    expect_same_after_loading(model);
    const Model loaded = deserialize(serialize(model), "a file");
    EXPECT_EQ(loaded.members[0].layers()[0].activation->settings(), activation->settings());
  }
}

TEST(ModelFile, LoadedModelsPredictTheSameBitsForEveryScalingBasisAndTail) {
  for (Precision precision : {Precision::float32, Precision::float64}) {
    TrainOptions options;
    options.hidden = {3};
    options.precision = precision;
    options.iterations = 3;
    for (const std::string& scaling : names<ScalingKind>()) {
      SCOPED_TRACE(scaling);
      options.scale_inputs = from_string<ScalingKind>(scaling);
      expect_same_after_loading(trained_model(options, 2));
    }
    for (const std::string& basis : spline_bases().names()) {
      SCOPED_TRACE(basis);
      options.spline.basis = basis;
      options.spline.tension = basis == "cardinal" ? 0.5 : 0;
      options.spline.tails = Tails::constant;
      options.spline.knots = 9;
      options.spline.range = 3;
      expect_same_after_loading(trained_model(options));
    }
  }
}

TEST(ModelFile, TheRecordOfTrainingSurvives) {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 6;
  options.warm_path = {1e-3, 1e-2};
  options.validation_fraction = 0.25;
  options.seed = std::numeric_limits<std::uint64_t>::max();
  const Model model = trained_model(options);
  ASSERT_TRUE(model.training.stages.at(0).best_iteration && model.training.validation);
  expect_same_after_loading(model);
  EXPECT_EQ(deserialize(serialize(model), "a file").training.seed, options.seed);
}

TEST(ModelFile, ScoresWithoutAFiniteNumberComeBackAsWhatTheyWere) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Model model = tiny_model();
  model.training.test = Scores{5, 0.1, kInfinity, 0.1, -kInfinity};
  model.training.validation = Scores{0, kNone, kNone, kNone, kNone};
  const Summary loaded = deserialize(serialize(model), "a file").training;
  EXPECT_EQ(loaded.test->rmse, 0.1);
  EXPECT_EQ(loaded.test->nrmse, kInfinity);
  EXPECT_EQ(loaded.test->r2, -kInfinity);
  EXPECT_TRUE(std::isnan(loaded.validation->rmse) && std::isnan(loaded.validation->nrmse) &&
              std::isnan(loaded.validation->mae) && std::isnan(loaded.validation->r2));
}

TEST(ModelFile, EnsemblesTextColumnsAndRemarksSurvive) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 3;
  options.ensemble = 3;
  Model model = trained_model(options);
  model.inputs[0].fill = 0.125;
  model.inputs[1] = {.column = "colour",
                     .kind = InputKind::category,
                     .category = "light \"blue\"",
                     .low = 1,
                     .high = 0};
  model.inputs[2] = {.column = "size", .kind = InputKind::missing, .low = 1, .high = 0};
  model.training.refitted = true;
  model.training.remarks = {"Column 'id' looks like a row number."};
  model.training.tried = {{{{"lambda-w", "0.1"}, {"hidden", "2"}}, 0.5}};
  model.training.baselines = {{"linear model", Scores{3, 1, 2, 3, 4}, std::nullopt}};
  expect_same_after_loading(model);
  const Model loaded = deserialize(serialize(model), "a file");
  EXPECT_EQ(loaded.members.size(), 3u);
  EXPECT_EQ(loaded.inputs[0].fill, 0.125);
  EXPECT_EQ(loaded.inputs[0].low, model.inputs[0].low);
  EXPECT_EQ(loaded.inputs[0].high, model.inputs[0].high);
  EXPECT_EQ(loaded.inputs[1].category, "light \"blue\"");
  EXPECT_EQ(loaded.inputs[1].kind, InputKind::category);
  EXPECT_EQ(loaded.inputs[2].kind, InputKind::missing);
  EXPECT_TRUE(std::isnan(loaded.inputs[2].fill));
  EXPECT_TRUE(loaded.training.refitted);
  EXPECT_EQ(loaded.training.remarks, model.training.remarks);
  EXPECT_EQ(loaded.training.tried[0].options, model.training.tried[0].options);
  EXPECT_EQ(loaded.training.tried[0].score, 0.5);
  EXPECT_EQ(loaded.training.baselines[0].train->nrmse, 2);
  EXPECT_FALSE(loaded.training.baselines[0].test);
}

TEST(ModelFile, BanksResidualConnectionsAndSharingSurvive) {
  for (Sharing sharing : {Sharing::neuron, Sharing::layer, Sharing::network}) {
    TrainOptions options;
    options.hidden = {3, 3};
    options.iterations = 3;
    options.input_splines = 2;
    options.input_knots = 7;
    options.residual = true;
    options.sharing = sharing;
    const Model model = trained_model(options);
    expect_same_after_loading(model);
    const auto layers = deserialize(serialize(model), "a file").members[0].layers();
    EXPECT_EQ(layers[0].kind, LayerKind::bank);
    EXPECT_TRUE(layers[2].residual);
    EXPECT_EQ(layers[1].sharing, sharing);
  }
}

TEST(ModelFile, KnotsThatFollowedTheDataSurvive) {
  TrainOptions options;
  options.hidden = {3};
  options.iterations = 6;
  options.ensemble = 2;
  options.fit_range = FitRange::neuron;
  options.refit_range = 1;
  options.halve_step = 1;
  const Model model = trained_model(options);
  expect_same_after_loading(model);
  const Model loaded = deserialize(serialize(model), "a file");
  EXPECT_TRUE(loaded.training.stages[1].step_halved);
  EXPECT_TRUE(loaded.training.stages[1].range_fitted);
  EXPECT_EQ(loaded.members[1].tensor("layers.0.activation.control_points").shape[1], 39u);
}

TEST(ModelFile, ClassesQuantilesAndTheirScoresSurvive) {
  std::vector<double> x(180), kind(60);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<double>(k));
  for (std::size_t r = 0; r < kind.size(); ++r) kind[r] = static_cast<double>(r % 3);
  TrainingData data;
  data.inputs = column_major(std::span<const double>(x), 60, 3);
  data.targets = column_major(std::span<const double>(kind), 60, 1);
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 3;
  options.loss = "quantile";
  expect_same_after_loading(train(data, options));
  options.loss = "auto";
  data.classes = {"oak", "ash \"tree\"", "elm"};
  const Model model = train(data, options);
  expect_same_after_loading(model);
  EXPECT_EQ(deserialize(serialize(model), "a file").targets[0].classes, data.classes);
}

TEST(ModelFile, HowCellsAreReadSurvivesAndOldFilesHaveTheUsualWay) {
  Model model = tiny_model();
  model.cells = {{"unknown", "-999"}, false, true};
  const Bytes bytes = serialize(model);
  EXPECT_EQ(deserialize(bytes, "a file").cells, model.cells);
  const Bytes old = with_edited_record(bytes, [](OrderedJson& record) { record.erase("cells"); });
  EXPECT_EQ(deserialize(old, "a file").cells, CellFormat{});
  EXPECT_THAT(refusal(with_edited_record(
                  bytes, [](OrderedJson& record) { record["cells"]["missing"] = "unknown"; })),
              HasSubstr("its record is not complete"));
}

TEST(ModelFile, ColumnsMayBeCalledAnything) {
  Model model = tiny_model();
  const std::string hash_like = R"("sha256":")" + std::string(64, '0');
  model.inputs[0].column = R"(quote " backslash \ newline )"
                           "\n tab \t end";
  model.inputs[1].column = "Größe λ 数 🧶";
  model.inputs[2].column = hash_like;
  model.targets[0].column = R"(\"sha256\":\")" + std::string(64, 'f') + R"(\"})";
  const Model loaded = deserialize(serialize(model), "a file");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(loaded.inputs[i].column, model.inputs[i].column);
  EXPECT_EQ(loaded.targets[0].column, model.targets[0].column);
}

TEST(ModelFile, HasTheDocumentedLayout) {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 1;
  options.scale_inputs = ScalingKind::quantile;
  const Model model = trained_model(options);
  const Bytes bytes = serialize(model);
  ASSERT_EQ(header_size(bytes) % 8, 0u);
  const OrderedJson header = OrderedJson::parse(header_of(bytes));

  std::vector<std::string> names;
  std::size_t at = 0;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    names.push_back(name);
    EXPECT_EQ(entry.at("dtype"), "F64");
    std::size_t size = 8;
    for (const OrderedJson& extent : entry.at("shape")) size *= extent.get<std::size_t>();
    EXPECT_EQ(entry.at("data_offsets"), OrderedJson({at, at + size})) << name;
    EXPECT_EQ((8 + header_size(bytes) + at) % 8, 0u) << name;
    at += size;
  }
  EXPECT_EQ(8 + header_size(bytes) + at, bytes.size());
  const std::string layer = "members.0.layers.";
  const std::string activation = ".activation.";
  EXPECT_THAT(
      names,
      UnorderedElementsAre(
          layer + "0.weight", layer + "0.bias", layer + "0" + activation + "control_points",
          layer + "0" + activation + "first_knot", layer + "0" + activation + "step",
          layer + "0" + activation + "anchor", layer + "1.weight", layer + "1.bias",
          layer + "1" + activation + "control_points", layer + "1" + activation + "first_knot",
          layer + "1" + activation + "step", layer + "1" + activation + "anchor",
          "inputs.0.quantiles", "inputs.1.quantiles", "inputs.2.quantiles"));
  const auto shape = [&](const std::string& name) { return header.at(name).at("shape"); };
  EXPECT_EQ(shape(layer + "0.weight"), OrderedJson({2, 3}));
  EXPECT_EQ(shape(layer + "0.bias"), OrderedJson({2}));
  EXPECT_EQ(shape(layer + "0.activation.control_points"), OrderedJson({2, 21}));
  EXPECT_EQ(shape(layer + "1.activation.step"), OrderedJson({1}));
  EXPECT_EQ(shape("inputs.1.quantiles"), OrderedJson({40}));
}

TEST(ModelFile, HasTheDocumentedRecord) {
  TrainOptions options;
  options.hidden = {2};
  options.iterations = 1;
  options.scale_inputs = ScalingKind::range;
  const Model model = trained_model(options, 2);
  const Bytes bytes = serialize(model);
  const OrderedJson header = OrderedJson::parse(header_of(bytes));
  const auto record = OrderedJson::parse(header["__metadata__"]["knotwork"].get<std::string>());
  std::vector<std::string> keys;
  for (const auto& [key, value] : record.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("format", "task", "precision", "members", "layers", "inputs",
                                "targets", "cells", "training", "sha256"));
  EXPECT_EQ(record["format"], 1);
  EXPECT_EQ(record["members"], 1);
  EXPECT_EQ(record["task"], "regression");
  EXPECT_EQ(record["layers"][0]["inputs"], 3);
  EXPECT_EQ(record["layers"][1]["outputs"], 2);
  EXPECT_EQ(record["layers"][0]["activation"]["name"], "spline");
  EXPECT_EQ(record["layers"][0]["activation"]["basis"], "catmull-rom");
  EXPECT_EQ(record["layers"][0]["activation"]["tails"], "linear");
  const Scaling& scaling = model.inputs[1].scaling;
  EXPECT_EQ(record["inputs"][1]["column"], "x2");
  EXPECT_EQ(record["inputs"][1]["kind"], "numeric");
  EXPECT_EQ(record["inputs"][1]["offset"], scaling.offset);
  EXPECT_EQ(record["inputs"][1]["scale"], scaling.scale);
  EXPECT_EQ(record["targets"][1]["column"], "y2");
  EXPECT_EQ(record["training"]["iterations"], 1);
}

TEST(ModelFile, HashesCoverTheFileAndItsTensors) {
  const Model model = tiny_model();
  Bytes bytes = serialize(model);
  const OrderedJson header = OrderedJson::parse(header_of(bytes));
  const auto record = OrderedJson::parse(header["__metadata__"]["knotwork"].get<std::string>());
  const std::string stated = record["sha256"];
  Sha256 tensors;
  tensors.update(std::span(bytes).subspan(8 + header_size(bytes)));
  EXPECT_EQ(tensors.hex_digest(), model.parameters_sha256());

  const auto digits = std::search(bytes.begin(), bytes.end(), stated.begin(), stated.end());
  ASSERT_NE(digits, bytes.end());
  std::fill(digits, digits + 64, std::uint8_t{'0'});
  Sha256 whole;
  whole.update(bytes);
  EXPECT_EQ(whole.hex_digest(), stated);
}

TEST(ModelFile, WhatCouldNotBeLoadedIsNotSaved) {
  const auto refused = [](const std::function<void(Model&)>& spoil) -> std::string {
    Model model = tiny_model();
    spoil(model);
    try {
      serialize(model);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model);
      return error.what();
    }
    return "saved";
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refused([](Model& m) { m.members.front().parameters()[0] = kNan; }),
              HasSubstr("'layers.0.weight' contains a number that is not finite"));
  EXPECT_THAT(refused([](Model& m) {
                m.precision = Precision::float32;
                m.members.front().parameters()[0] = 1e200;  // too large for float
              }),
              HasSubstr("not finite"));
  EXPECT_THAT(refused([](Model& m) { m.inputs[1].scaling.offset = kNan; }), HasSubstr("'x2'"));
  EXPECT_THAT(refused([](Model& m) { m.targets[0].scaling.scale = 0; }), HasSubstr("'y'"));
  EXPECT_THAT(refused([](Model& m) { m.inputs.pop_back(); }), HasSubstr("columns"));
  EXPECT_THAT(refused([](Model& m) { m.inputs[0].scaling.kind = ScalingKind::quantile; }),
              HasSubstr("'x1'"));
  EXPECT_THAT(refused([](Model& m) { m.inputs[0].column = "caf\xe9"; }), HasSubstr("UTF-8"));
}

TEST(ModelFile, LoadingIsStopped) {
  const Model model = tiny_model();
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "knotwork-model_file_stop.safetensors";
  save_model(model, path);
  parallel::expect_stops(5, [&](const std::shared_ptr<parallel::StoppingMonitor>& monitor) {
    const Model loaded = load_model(path, builtin_activations(), monitor.get());
    EXPECT_EQ(bits(predictions(loaded)), bits(predictions(model)));
  });
  // What can be saved is saved.
  parallel::StoppingMonitor monitor(1);
  std::filesystem::remove(path);
  save_model(model, path, &monitor);
  EXPECT_EQ(bits(predictions(load_model(path))), bits(predictions(model)));
  std::filesystem::remove(path);
}

TEST(ModelFile, SavingAndLoadingGoThroughAFile) {
  const Model model = tiny_model();
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "knotwork-model_file_test.safetensors";
  save_model(model, path);
  EXPECT_EQ(bits(predictions(load_model(path))), bits(predictions(model)));
  std::filesystem::remove(path);
  try {
    load_model(path);
    FAIL() << "There is no such file.";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_file);
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
  }
}

}  // namespace
}  // namespace knotwork::model_file
