// SPDX-License-Identifier: MIT
#include "model_file/safetensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <knotwork/error.hpp>

namespace knotwork::model_file {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

Bytes file(std::uint64_t length, const std::string& header, std::size_t data) {
  Bytes bytes;
  for (int k = 0; k < 8; ++k) bytes.push_back(static_cast<std::uint8_t>(length >> (8 * k)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (std::size_t k = 0; k < data; ++k) bytes.push_back(static_cast<std::uint8_t>(k));
  return bytes;
}

// The record, then the given entries, then bytes 0, 1, 2, ...
Bytes with_entries(const std::string& entries, std::size_t data) {
  const std::string header = R"({"__metadata__":{"knotwork":"{}"})" + entries + "}";
  return file(header.size(), header, data);
}

std::string refusal(const Bytes& bytes) {
  try {
    read_safetensors(bytes, "a file");
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::bad_model);
    EXPECT_TRUE(what.starts_with("a file is ") && what.ends_with('.')) << what;
    return what;
  }
  return "nothing was wrong";
}

TEST(Safetensors, AreWrittenByteForByteAsTheFormatSays) {
  const std::vector<ModelTensor> tensors = {
      {"b", Precision::float32, {2}, {1, 2, 3, 4, 5, 6, 7, 8}},
      {"a", Precision::float64, {1, 1}, {9, 9, 9, 9, 9, 9, 9, 9}}};
  std::string header = R"({"__metadata__":{"knotwork":"a \"text\""},)"
                       R"("b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                       R"("a":{"dtype":"F64","shape":[1,1],"data_offsets":[8,16]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  Bytes wanted = file(header.size(), header, 0);
  for (const ModelTensor& tensor : tensors) {
    wanted.insert(wanted.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  EXPECT_EQ(write_safetensors(tensors, "a \"text\"", "It cannot be saved"), wanted);

  const SafetensorsContent content = read_safetensors(wanted, "a file");
  EXPECT_EQ(content.metadata, "a \"text\"");
  ASSERT_EQ(content.tensors.size(), 2u);
  for (const ModelTensor& tensor : tensors) {
    const ModelTensor& read = content.tensors.at(tensor.name);
    EXPECT_EQ(read.name, tensor.name);
    EXPECT_EQ(read.precision, tensor.precision);
    EXPECT_EQ(read.shape, tensor.shape);
    EXPECT_EQ(read.bytes, tensor.bytes);
  }
}

TEST(Safetensors, AreReadInAnyOrderOfEntries) {
  const auto content =
      read_safetensors(with_entries(R"(,"a":{"data_offsets":[8,12],"shape":[1],"dtype":"F32"},)"
                                    R"("b":{"dtype":"F64","shape":[],"data_offsets":[0,8]})",
                                    12),
                       "a file");
  EXPECT_THAT(content.tensors.at("a").bytes, ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(content.tensors.at("b").bytes, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Safetensors, HeadersThatAreLongerThanTheFileAreRefused) {
  EXPECT_THAT(refusal({}), HasSubstr("shorter than 8 bytes"));
  EXPECT_THAT(refusal({1, 0, 0, 0, 0, 0, 0}), HasSubstr("shorter than 8 bytes"));
  for (std::uint64_t length : {std::uint64_t{3}, std::uint64_t{1} << 32, std::uint64_t{1} << 63,
                               ~std::uint64_t{0}, ~std::uint64_t{0} - 7}) {
    EXPECT_THAT(refusal(file(length, "{}", 0)), HasSubstr("header is longer than the file"));
  }
}

TEST(Safetensors, AStartTellsWhetherTheRestIsWorthReading) {
  const auto starts = [](const Bytes& bytes) {
    try {
      files::check_safetensors_start(bytes, "a file", kModelFile);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("may be one");
  };
  EXPECT_EQ(starts({}), "may be one");  // the rest may follow
  EXPECT_EQ(starts(Bytes(8, 255)), "may be one");
  EXPECT_EQ(starts(file(files::kMaxHeaderBytes, "{", 0)), "may be one");
  EXPECT_THAT(starts(file(files::kMaxHeaderBytes + 1, "{", 0)),
              HasSubstr("would have 100000001 bytes, more than the limit of 100000000"));
  EXPECT_THAT(starts(Bytes(9, 0)), HasSubstr("not a list of tensors"));
}

TEST(Safetensors, AHeaderOfTheGreatestLengthIsAllThatIsReadOrWritten) {
  std::string header = R"({"__metadata__":{"knotwork":"{}"}})";
  header.resize(files::kMaxHeaderBytes, ' ');
  EXPECT_THAT(refusal(file(header.size(), header, 0)), HasSubstr("nothing was wrong"));
  header += ' ';
  EXPECT_THAT(refusal(file(header.size(), header, 0)),
              HasSubstr("100000001 bytes, more than the limit of 100000000"));
  EXPECT_THROW(
      write_safetensors({}, std::string(files::kMaxHeaderBytes, 'x'), "It cannot be saved"), Error);
}

TEST(Safetensors, HeadersThatAreNoListOfTensorsAreRefused) {
  for (const std::string header : {"", "x", "{", "{}x", "{\"a\":}", "\xff\xfe", "{\"a\":1e999}"}) {
    EXPECT_THAT(refusal(file(header.size(), header, 0)), HasSubstr("not JSON")) << header;
  }
  for (const std::string header : {"[]", "1", "null", "\"text\""}) {
    EXPECT_THAT(refusal(file(header.size(), header, 0)), HasSubstr("not a list")) << header;
  }
}

TEST(Safetensors, FilesOfOthersAreCalledThat) {
  for (const std::string header :
       {R"({})", R"({"__metadata__":{}})", R"({"__metadata__":{"knotwork":1}})",
        R"({"__metadata__":"knotwork"})", R"({"__metadata__":{"format":"pt"}})"}) {
    EXPECT_THAT(refusal(file(header.size(), header, 0)), HasSubstr("not one of Knotwork's"));
  }
}

TEST(Safetensors, NamesThatStandTwiceAreRefused) {
  const std::string entry = R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]})";
  EXPECT_THAT(refusal(with_entries("," + entry, 8)), HasSubstr("nothing was wrong"));
  EXPECT_THAT(refusal(with_entries("," + entry + "," + entry, 8)), HasSubstr("twice"));
  EXPECT_THAT(refusal(with_entries(R"(,"__metadata__":{"knotwork":"{}"})", 0)), HasSubstr("twice"));
  EXPECT_THAT(refusal(with_entries(
                  R"(,"a":{"dtype":"F32","dtype":"F64","shape":[1],"data_offsets":[0,8]})", 8)),
              HasSubstr("twice"));
}

TEST(Safetensors, EntriesThatDoNotAddUpAreRefused) {
  struct Case {
    std::string dtype, shape, offsets, what;
  };
  const std::vector<Case> cases = {
      {R"("I64")", "[1]", "[0,8]", "type I64"},
      {"1", "[1]", "[0,8]", "tensor 'a' is invalid"},
      {R"("F64")", "[1]", "[0,16]", "does not match its shape"},
      {R"("F64")", "[2]", "[0,8]", "larger than the file"},
      {R"("F32")", "[1]", "[0,8]", "does not match its shape"},
      {R"("F64")", "[1]", "[8,0]", "does not match its shape"},
      {R"("F64")", "[1]", "[-8,0]", "tensor 'a' is invalid"},
      {R"("F64")", "[1]", "[0.0,8.0]", "tensor 'a' is invalid"},
      {R"("F64")", "[1]", "[0]", "tensor 'a' is invalid"},
      {R"("F64")", "[1]", "[0,8,8]", "tensor 'a' is invalid"},
      {R"("F64")", "[1]", "8", "tensor 'a' is invalid"},
      {R"("F64")", "[1]", "[18446744073709551608,18446744073709551615]",
       "does not match its shape"},
      {R"("F64")", "1", "[0,8]", "tensor 'a' is invalid"},
      {R"("F64")", R"({"a":1})", "[0,8]", "tensor 'a' is invalid"},
      {R"("F64")", "[-1]", "[0,8]", "tensor 'a' is invalid"},
      {R"("F64")", "[1.0]", "[0,8]", "tensor 'a' is invalid"},
      {R"("F64")", "[4294967296,4294967296]", "[0,8]", "larger than the file"},
      {R"("F64")", "[2305843009213693952,8]", "[0,8]", "larger than the file"},
      {R"("F64")", "[18446744073709551615]", "[0,8]", "larger than the file"},
      {R"("F64")", "[0]", "[0,8]", "does not match its shape"},
      {R"("F64","more":1)", "[1]", "[0,8]", "tensor 'a' is invalid"},
  };
  for (const Case& c : cases) {
    const std::string entry = R"(,"a":{"dtype":)" + c.dtype + R"(,"shape":)" + c.shape +
                              R"(,"data_offsets":)" + c.offsets + "}";
    EXPECT_THAT(refusal(with_entries(entry, 8)), HasSubstr(c.what)) << entry;
  }
  EXPECT_THAT(refusal(with_entries(R"(,"a":[])", 0)), HasSubstr("tensor 'a' is invalid"));
  EXPECT_THAT(refusal(with_entries(R"(,"a":{"dtype":"F64"})", 0)),
              HasSubstr("tensor 'a' is invalid"));
}

TEST(Safetensors, TensorsThatOverlapOrLeaveGapsAreRefused) {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"(,"a":{"dtype":"F64","shape":[1],"data_offsets":)" + first +
           R"(},"b":{"dtype":"F64","shape":[1],"data_offsets":)" + second + "}";
  };
  EXPECT_THAT(refusal(with_entries(two("[0,8]", "[8,16]"), 16)), HasSubstr("nothing was wrong"));
  EXPECT_THAT(refusal(with_entries(two("[0,8]", "[0,8]"), 16)), HasSubstr("overlap"));
  EXPECT_THAT(refusal(with_entries(two("[0,8]", "[4,12]"), 16)), HasSubstr("overlap"));
  EXPECT_THAT(refusal(with_entries(two("[0,8]", "[16,24]"), 24)), HasSubstr("gap"));
  EXPECT_THAT(refusal(with_entries(two("[8,16]", "[16,24]"), 24)), HasSubstr("gap"));
  EXPECT_THAT(refusal(with_entries(two("[0,8]", "[8,16]"), 17)), HasSubstr("no tensor"));
}

}  // namespace
}  // namespace knotwork::model_file
