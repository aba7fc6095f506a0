// SPDX-License-Identifier: MIT
// Tests files that are damaged, from newer versions, or hostile. If a test changes the contents,
// the file's hash is correct, so that the check under test refuses the file.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "model_file/test_saved_models.hpp"

namespace knotwork::model_file {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const Bytes& good() {
  static const Bytes bytes = serialize(tiny_model());
  return bytes;
}

TEST(ModelFileRefusals, TheGoodFileIsReadAlsoWhenItsHeaderIsWrittenAgain) {
  EXPECT_NO_THROW(deserialize(good(), "a file"));
  EXPECT_NO_THROW(deserialize(with_edited_record(good(), [](OrderedJson&) {}), "a file"));
}

TEST(ModelFileRefusals, EveryChangedByteIsFound) {
  Bytes bytes = good();
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    SCOPED_TRACE(k);
    const std::uint8_t right = bytes[k];
    bytes[k] = static_cast<std::uint8_t>(right + 1);
    refusal(bytes);
    bytes[k] = static_cast<std::uint8_t>(right ^ 0x80);
    refusal(bytes);
    bytes[k] = static_cast<std::uint8_t>(right ^ 0x20);  // the case of a letter
    refusal(bytes);
    bytes[k] = right;
  }
}

TEST(ModelFileRefusals, EveryMissingEndIsFound) {
  for (std::size_t size = 0; size < good().size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_THAT(refusal(std::span(good()).first(size)), HasSubstr("not a complete model file"));
  }
}

TEST(ModelFileRefusals, BytesBehindTheEndAreFound) {
  for (std::size_t more : {1u, 8u, 1000u}) {
    Bytes bytes = good();
    bytes.resize(bytes.size() + more);
    EXPECT_THAT(refusal(bytes), HasSubstr("belong to no tensor"));
  }
}

TEST(ModelFileRefusals, ANewerFormatIsCalledThat) {
  const Bytes newer = with_edited_record(good(), [](OrderedJson& record) {
    record["format"] = kModelFormat + 1;
    record.erase("layers");  // may have another format
  });
  EXPECT_THAT(refusal(newer),
              AllOf(HasSubstr(fmt::format("format {}", kModelFormat + 1)), HasSubstr("newer")));
  const Bytes far = with_edited_record(
      good(), [](OrderedJson& record) { record["format"] = (std::uint64_t{1} << 32) + 1; });
  EXPECT_THAT(refusal(far), HasSubstr("newer"));
}

// What a newer version adds to format 2 changes predictions.
TEST(ModelFileRefusals, AnUnknownKeyOfFormat2IsNamed) {
  const auto with = [](int format) {
    return with_edited_record(good(), [&](OrderedJson& record) {
      record["format"] = format;
      record["pairs"] = OrderedJson::array();
    });
  };
  EXPECT_THAT(refusal(with(2)), AllOf(HasSubstr("'pairs'"), HasSubstr("newer version")));
  EXPECT_NO_THROW(deserialize(with(1), "a file"));
}

TEST(ModelFileRefusals, LevelsThatCannotBeUsedAreTold) {
  Model model = deserialize(good(), "a file");
  InputColumn& input = model.inputs.front();
  input = {.column = input.column,
           .kind = InputKind::frequency,
           .fill = 0,
           .levels = std::make_shared<const std::vector<std::string>>(
               std::vector<std::string>{"a", "b"}),
           .values = {1, 2}};
  const Bytes bytes = serialize(model);
  EXPECT_NO_THROW(deserialize(bytes, "a file"));
  const auto edited = [&](const std::function<void(OrderedJson&)>& edit) {
    return refusal(with_edited_record(bytes, edit));
  };
  EXPECT_THAT(edited([](OrderedJson& record) { record["inputs"][0]["levels"] = {"b", "a"}; }),
              HasSubstr("levels of column"));
  EXPECT_THAT(edited([](OrderedJson& record) { record["inputs"][0]["levels"] = {"a"}; }),
              HasSubstr("levels of column"));
  EXPECT_THAT(edited([](OrderedJson& record) { record["inputs"][0].erase("levels"); }),
              HasSubstr("levels of column"));
  EXPECT_THAT(edited([](OrderedJson& record) { record["inputs"][0]["unseen"] = nullptr; }),
              HasSubstr("cannot be used"));
}

TEST(ModelFileRefusals, RecordsThatCannotBeUsedAreTold) {
  const auto record = [](const std::function<void(OrderedJson&)>& edit) {
    return refusal(with_edited_record(good(), edit));
  };
  for (const OrderedJson& format : {OrderedJson(0), OrderedJson(-1), OrderedJson(1.5)}) {
    record([&](OrderedJson& r) { r["format"] = format; });
  }
  for (const char* key :
       {"format", "task", "precision", "layers", "inputs", "targets", "training"}) {
    EXPECT_THAT(record([&](OrderedJson& r) { r.erase(key); }), HasSubstr("not complete")) << key;
    record([&](OrderedJson& r) { r[key] = nullptr; });
    record([&](OrderedJson& r) { r[key] = OrderedJson::array(); });
  }
  EXPECT_THAT(record([](OrderedJson& r) { r.erase("sha256"); }), HasSubstr("no sha256"));
  EXPECT_THAT(record([](OrderedJson& r) { r["task"] = "sorting"; }), HasSubstr("'sorting'"));
  EXPECT_THAT(record([](OrderedJson& r) { r["layers"][0]["activation"]["name"] = "tahn"; }),
              HasSubstr("did you mean 'tanh'?"));
  EXPECT_THAT(record([](OrderedJson& r) { r["layers"][0]["activation"]["knots"] = 21; }),
              HasSubstr("'knots'"));
  EXPECT_THAT(record([](OrderedJson& r) { r["inputs"].push_back(r["inputs"][0]); }),
              HasSubstr("columns do not fit"));
  EXPECT_THAT(record([](OrderedJson& r) { r["inputs"][0]["kind"] = "text"; }), HasSubstr("kind"));
  EXPECT_THAT(record([](OrderedJson& r) { r["inputs"][0]["scaling"] = "standart"; }),
              HasSubstr("standard"));
  EXPECT_THAT(record([](OrderedJson& r) { r["targets"][0]["scale"] = 0; }), HasSubstr("'y'"));
  EXPECT_THAT(record([](OrderedJson& r) { r["targets"][0]["scaling"] = "uniform"; }),
              HasSubstr("'y'"));
  EXPECT_THAT(record([](OrderedJson& r) { r["training"]["stopped"] = "boredom"; }),
              HasSubstr("'boredom'"));
  EXPECT_THAT(record([](OrderedJson& r) { r["inputs"][0]["scaling"] = "quantile"; }),
              HasSubstr("no tensor 'inputs.0.quantiles'"));
}

TEST(ModelFileRefusals, TargetsThatCannotBeUsedAreTold) {
  const auto target = [](const char* key, const OrderedJson& value) {
    return refusal(
        with_edited_record(good(), [&](OrderedJson& r) { r["targets"][0][key] = value; }));
  };
  for (const OrderedJson& levels : {OrderedJson({0.5, 0.1}), OrderedJson({0.5, 0.5}),
                                    OrderedJson({0, 0.5}), OrderedJson({1.5})}) {
    EXPECT_THAT(target("quantiles", levels), HasSubstr("quantiles or classes")) << levels;
  }
  for (const OrderedJson& classes : {OrderedJson({"a"}), OrderedJson({"a", "a"})}) {
    EXPECT_THAT(target("classes", classes), HasSubstr("quantiles or classes")) << classes;
  }
  EXPECT_THAT(target("quantiles", {0.1, 0.9}), HasSubstr("do not fit its network"));
  EXPECT_THAT(
      refusal(with_edited_record(good(), [](OrderedJson& r) { r["task"] = "classification"; })),
      HasSubstr("its task is classification, but its targets do not fit this task"));
}

TEST(ModelFileRefusals, ARecordThatIsNoObjectOrHasAKeyTwiceIsTold) {
  for (const char* text : {"", "x", "[]", "1", "{\"format\":1", "{\"format\":1e999}"}) {
    refusal(with_record_text(good(), [&](const std::string&) { return text; }));
  }
  EXPECT_THAT(refusal(with_record_text(good(),
                                       [](const std::string& record) {
                                         return "{\"task\":\"regression\"," + record.substr(1);
                                       })),
              HasSubstr("twice"));
}

TEST(ModelFileRefusals, TensorsThatDoNotFitTheRecordAreTold) {
  const std::string weight = "members.0.layers.0.weight";
  EXPECT_THAT(refusal(with_edited_header(good(),
                                         [&](OrderedJson& h) {
                                           h[weight]["shape"] = {3, 1};
                                         })),
              AllOf(HasSubstr(weight), HasSubstr("another shape")));
  EXPECT_THAT(refusal(with_edited_header(good(),
                                         [&](OrderedJson& h) {
                                           h[weight]["dtype"] = "F32";
                                           h[weight]["shape"] = {1, 6};
                                         })),
              AllOf(HasSubstr(weight), HasSubstr("another shape or type")));
  EXPECT_THAT(refusal(with_edited_header(good(),
                                         [&](OrderedJson& h) {
                                           h["more"] = h[weight];
                                           h.erase(weight);
                                         })),
              HasSubstr("no tensor '" + weight + "'"));
  Bytes longer = with_edited_header(good(), [&](OrderedJson& h) {
    const std::size_t end = good().size() - 8 - header_size(good());
    h["more"] = {{"dtype", "F64"}, {"shape", {1}}, {"data_offsets", {end, end + 8}}};
  });
  longer.resize(longer.size() + 8);
  EXPECT_THAT(refusal(stamped(longer)), HasSubstr("does not mention tensor 'more'"));
}

TEST(ModelFileRefusals, NumbersThatCannotBeUsedAreTold) {
  for (double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Bytes bytes = good();
    const Bytes number = model::to_bytes({&value, 1}, Precision::float64);
    std::copy(number.begin(), number.end(), bytes.end() - 8);
    EXPECT_THAT(refusal(stamped(bytes)),
                AllOf(HasSubstr("members.0.layers.1.bias"), HasSubstr("not finite")));
  }
  TrainOptions options;
  options.hidden = {1};
  options.iterations = 1;
  options.scale_inputs = ScalingKind::uniform;
  Model model = trained_model(options);
  for (InputColumn& input : model.inputs) input.scaling.quantiles = {1, 2};
  Bytes bytes = serialize(model);
  const double falling[] = {2, 1};
  const Bytes numbers = model::to_bytes(falling, Precision::float64);
  // Quantiles come first in the file, two numbers of eight bytes for each input.
  std::ptrdiff_t data = 8;
  for (int k = 0; k < 8; ++k) data += std::ptrdiff_t{bytes[static_cast<std::size_t>(k)]} << (8 * k);
  std::copy(numbers.begin(), numbers.end(), bytes.begin() + data + 2 * 16);
  EXPECT_THAT(refusal(stamped(bytes)), AllOf(HasSubstr("quantiles"), HasSubstr("'x3'")));
}

TEST(ModelFileRefusals, AStepOfZeroIsTold) {
  TrainOptions options;
  options.hidden = {};
  options.iterations = 1;
  Model model = trained_model(options);
  const TensorInfo& step = model.members.front().tensor("layers.0.activation.step");
  model.members.front().values(step)[0] = 0;
  EXPECT_THAT(refusal(serialize(model)), HasSubstr("step"));
}

TEST(ModelFileRefusals, LayersThatCannotBe) {
  const auto edited = [](const std::function<void(OrderedJson&)>& edit) {
    return refusal(with_edited_record(good(), edit));
  };
  EXPECT_THAT(edited([](OrderedJson& r) { r["layers"][0]["kind"] = "sparse"; }),
              HasSubstr("sparse"));
  EXPECT_THAT(edited([](OrderedJson& r) { r["layers"][0]["kind"] = "bank"; }), HasSubstr("bank"));
  EXPECT_THAT(edited([](OrderedJson& r) { r["layers"][0]["residual"] = true; }),
              HasSubstr("residual"));
  EXPECT_THAT(edited([](OrderedJson& r) { r["layers"][0]["sharing"] = "all"; }), HasSubstr("all"));
  EXPECT_THAT(edited([](OrderedJson& r) {
                for (OrderedJson& layer : r["layers"]) layer["sharing"] = "network";
              }),
              HasSubstr("share an activation, but their activations differ"));
}

TEST(ModelFileRefusals, NoRecordCanAskForMoreMemoryThanItsFileHas) {
  constexpr std::uint64_t kHuge[] = {std::uint64_t{1} << 32, std::uint64_t{1} << 40,
                                     std::uint64_t{1} << 61, std::uint64_t{1} << 63,
                                     std::numeric_limits<std::uint64_t>::max()};
  EXPECT_THAT(refusal(with_edited_record(good(), [](OrderedJson& r) { r["members"] = 1001; })),
              HasSubstr("1001 members, more than the limit of 1000"));
  for (std::uint64_t size : kHuge) {
    const auto record = [](const std::function<void(OrderedJson&)>& edit) {
      return refusal(with_edited_record(good(), edit));
    };
    EXPECT_THAT(record([&](OrderedJson& r) { r["layers"][0]["inputs"] = size; }),
                HasSubstr("larger than its tensors"));
    EXPECT_THAT(record([&](OrderedJson& r) {
                  r["layers"][0]["outputs"] = size;
                  r["layers"][1]["inputs"] = size;
                }),
                HasSubstr("larger than its tensors"));
    EXPECT_THAT(record([&](OrderedJson& r) { r["members"] = size; }), HasSubstr("members"));
    // Their product is 0 in 64 bits.
    EXPECT_THAT(record([&](OrderedJson& r) {
                  r["layers"][0]["inputs"] = r["layers"][0]["outputs"] = size;
                }),
                HasSubstr("larger than its tensors"));
  }
  EXPECT_THAT(
      refusal(with_edited_record(good(),
                                 [](OrderedJson& r) {
                                   OrderedJson& layer = r["layers"][0];
                                   layer["activation"] = {{"name", "spline"}, {"knots", 100000}};
                                   const OrderedJson one = layer;
                                   for (int k = 0; k < 2000; ++k) {
                                     r["layers"].push_back(one);
                                   }
                                 })),
      HasSubstr("larger than its tensors"));
}

TEST(ModelFileRefusals, DeepNestingAndVeryManyNamesAreSurvived) {
  const std::string deep(200000, '[');
  refusal(with_header(good(), deep));
  refusal(with_record_text(good(), [&](const std::string&) { return deep; }));
  refusal(with_record_text(good(), [&](const std::string&) {
    return "{\"format\":" + deep + std::string(deep.size(), ']') + "}";
  }));
  std::string many = "{";
  for (int k = 0; k < 200000; ++k) many += fmt::format("\"{}\":0,", k);
  refusal(with_header(good(), many + "\"end\":0}"));
}

}  // namespace
}  // namespace knotwork::model_file
