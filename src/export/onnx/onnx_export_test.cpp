// SPDX-License-Identifier: MIT
// Checks graphs of every kind of model with ONNX's own checker.
#include <knotwork/export_model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "export/test_exported_models.hpp"
#include "parallel/test_monitors.hpp"

#include <knotwork/error.hpp>
#include <knotwork/version.hpp>

namespace knotwork::exporting {
namespace {

using namespace testing_export;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

onnx::ModelProto exported(const Model& model) {
  const std::vector<std::uint8_t> bytes = to_onnx(model);
  onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  return proto;
}

std::string shape_of(const onnx::ValueInfoProto& info) {
  std::string text = onnx::TensorProto::DataType_Name(
      static_cast<onnx::TensorProto::DataType>(info.type().tensor_type().elem_type()));
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    text += " " + (dim.has_dim_param() ? dim.dim_param() : std::to_string(dim.dim_value()));
  }
  return text;
}

TEST(OnnxExport, PassesTheOfficialCheckerForEveryModel) {
  for (const Case& one : all_cases()) {
    onnx::ModelProto proto = exported(one.model);
    EXPECT_NO_THROW(onnx::checker::check_model(proto)) << one.name;
    // In strict mode, mismatches throw, and inferred shapes must equal the declared ones.
    const onnx::ShapeInferenceOptions strict{true, 1, false};
    EXPECT_NO_THROW(
        onnx::shape_inference::InferShapes(proto, onnx::OpSchemaRegistry::Instance(), strict))
        << one.name;
  }
}

TEST(OnnxExport, EveryTensorHasANameOfItsOwnAndIsUsed) {
  for (const Case& one : all_cases()) {
    const onnx::ModelProto proto = exported(one.model);
    std::multiset<std::string> made;
    std::set<std::string> used = {"prediction", "probabilities", "label"};
    for (const auto& tensor : proto.graph().initializer()) made.insert(tensor.name());
    for (const auto& input : proto.graph().input()) made.insert(input.name());
    for (const auto& node : proto.graph().node()) {
      made.insert(node.output(0));  // the indices that TopK returns are not used
      used.insert(node.input().begin(), node.input().end());
    }
    for (const std::string& name : made) {
      EXPECT_EQ(made.count(name), 1u) << one.name << ": " << name;
      EXPECT_TRUE(used.contains(name)) << one.name << ": " << name;
    }
  }
}

TEST(OnnxExport, HasAnInputForEachColumnAndSaysWhatTheyAre) {
  for (const Case& one : input_cases()) {
    if (one.name != "texts_and_missing_cells") continue;
    const onnx::ModelProto proto = exported(one.model);
    std::vector<std::string> inputs;
    for (const auto& input : proto.graph().input()) {
      inputs.push_back(input.name() + ": " + shape_of(input));
    }
    EXPECT_THAT(inputs,
                ElementsAre("colour: STRING N 1", "size: FLOAT N 1", "only missing: FLOAT N 1",
                            "shape ?\?/: STRING N 1", "weight: FLOAT N 1"));
    ASSERT_EQ(proto.graph().output_size(), 1);
    EXPECT_EQ(proto.graph().output(0).name(), "prediction");
    EXPECT_EQ(shape_of(proto.graph().output(0)), "FLOAT N 1");
    EXPECT_EQ(proto.producer_name(), "knotwork");
    EXPECT_EQ(proto.producer_version(), KNOTWORK_VERSION_STRING);
    std::map<std::string, std::string> metadata;
    for (const auto& entry : proto.metadata_props()) metadata[entry.key()] = entry.value();
    EXPECT_EQ(metadata["task"], "regression");
    EXPECT_EQ(nlohmann::json::parse(metadata["inputs"])[0]["categories"][2], "red");
    EXPECT_EQ(nlohmann::json::parse(metadata["inputs"])[1]["fill"], -0.5);
    EXPECT_EQ(nlohmann::json::parse(metadata["targets"])[0]["column"], "y");
  }
}

TEST(OnnxExport, DatesAreSecondsAndTextsAreListedOnce) {
  const onnx::ModelProto proto = exported(date_and_level_cases().at(1).model);
  std::vector<std::string> inputs;
  for (const auto& input : proto.graph().input()) {
    inputs.push_back(input.name() + ": " + shape_of(input));
  }
  EXPECT_THAT(inputs,
              ElementsAre("model: STRING N 1", "seen: INT64 N 1", "colour: STRING N 1",
                          "size: FLOAT N 1", "sold: INT64 N 1", "place: STRING N 1"));
  int encoders = 0;
  for (const auto& node : proto.graph().node()) encoders += node.op_type() == "LabelEncoder";
  EXPECT_EQ(encoders, 2);
  std::map<std::string, std::string> metadata;
  for (const auto& entry : proto.metadata_props()) metadata[entry.key()] = entry.value();
  const nlohmann::json columns = nlohmann::json::parse(metadata["inputs"]);
  EXPECT_EQ(columns[0]["kind"], "text");
  EXPECT_EQ(columns[0]["number_of_texts"], 13);
  EXPECT_EQ(columns[1]["kind"], "date");
  EXPECT_EQ(columns[2]["categories"][0], "z");
  EXPECT_EQ(columns[3]["kind"], "number");
}

TEST(OnnxExport, ColumnsThatAreTwoThingsAreRefused) {
  const auto refusal = [](InputColumn first, InputColumn second) -> std::string {
    first.column = second.column = "both";
    try {
      to_onnx(model_of({dense(2, 1, activation("tanh"))}, {first, second}, {plain_target("y")}));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model);
      return error.what();
    }
    return "";
  };
  const InputColumn text = category("both", "a"), moment = date("both", DatePart::year);
  const InputColumn frequency = text_value("both", tricky_levels(), "");
  const InputColumn missing{.column = "both", .kind = InputKind::missing};
  EXPECT_THAT(refusal(number("both"), moment), HasSubstr("both as numbers and as dates"));
  EXPECT_THAT(refusal(moment, frequency), HasSubstr("both as dates and as texts"));
  EXPECT_THAT(refusal(missing, text), HasSubstr("both as numbers and as texts"));
  EXPECT_THAT(refusal(text, frequency), HasSubstr("some inputs of column 'both' are for one text"));
  EXPECT_THAT(refusal(text_value("both", levels_of({"a"}), "y"), frequency),
              HasSubstr("different lists of texts"));
  EXPECT_EQ(refusal(missing, moment), "");
  EXPECT_EQ(refusal(text_value("both", tricky_levels(), "y"), frequency), "");
}

TEST(OnnxExport, ClassesHaveProbabilitiesAndALabel) {
  const onnx::ModelProto proto = exported(small_model(activation("tanh"), {classes(3)}));
  ASSERT_EQ(proto.graph().output_size(), 2);
  EXPECT_EQ(proto.graph().output(0).name(), "probabilities");
  EXPECT_EQ(shape_of(proto.graph().output(0)), "FLOAT N 3");
  EXPECT_EQ(proto.graph().output(1).name(), "label");
  EXPECT_EQ(shape_of(proto.graph().output(1)), "STRING N");
}

TEST(OnnxExport, TheSameModelGivesTheSameBytes) {
  const Model model = small_model(activation("spline"), {classes(3)}, 2);
  EXPECT_EQ(to_onnx(model), to_onnx(model));
}

TEST(OnnxExport, IsStopped) {
  const Model model = small_model(activation("spline"), {classes(3)}, 2);
  const std::vector<std::uint8_t> plain = to_onnx(model);
  parallel::expect_stops(4, [&](const std::shared_ptr<parallel::StoppingMonitor>& monitor) {
    EXPECT_EQ(to_onnx(model, monitor.get()), plain);
  });
}

TEST(OnnxExport, AColumnCalledLikeAnOutputGetsAnotherName) {
  Model model = small_model(activation("tanh"));
  model.inputs[0].column = "prediction";
  model.inputs[1].column = "prediction_";
  const onnx::ModelProto proto = exported(model);
  EXPECT_EQ(proto.graph().input(0).name(), "prediction_");
  EXPECT_EQ(proto.graph().input(1).name(), "prediction__");
  EXPECT_NO_THROW(onnx::checker::check_model(proto));
}

TEST(OnnxExport, NumbersThatFloatDoesNotHaveAreRefused) {
  Model model = small_model(activation("tanh"));
  model.members[0].parameters()[0] = 1e60;
  try {
    to_onnx(model);
    FAIL() << "It was taken.";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_model);
    EXPECT_THAT(error.what(), HasSubstr("1e+60"));
  }
}

}  // namespace
}  // namespace knotwork::exporting
