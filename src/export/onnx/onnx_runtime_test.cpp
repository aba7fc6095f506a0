// SPDX-License-Identifier: MIT
// Runs exported models in onnxruntime, through Node, and compares them with Model::predict().
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/test_compiler.hpp"
#include "export/test_quantiles.hpp"

#include <knotwork/export_model.hpp>

namespace knotwork::exporting {
namespace {

using namespace testing_export;
using Json = nlohmann::json;
namespace fs = std::filesystem;

const fs::path kNode = fs::path(KNOTWORK_SOURCE_DIR) / "tests/node";

Json written(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return value;
}

double read(const Json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

// The text "" is a missing cell for ONNX unless the model knows it.
bool has_empty_text(const ExportColumn& column) {
  const std::vector<std::string>& texts = column.texts();
  return std::find(texts.begin(), texts.end(), "") != texts.end();
}

Rows rows_of(const Case& one) {
  Rows rows = rows_for(one.model, 40);
  rows.insert(rows.end(), one.rows.begin(), one.rows.end());
  for (const double odd : {kNaN, kInfinity, -kInfinity}) {
    rows.push_back(rows[0]);
    for (double& cell : rows.back()) cell = odd;
  }
  // Dates are whole seconds.
  const ExportColumns columns = export_columns(one.model);
  for (std::size_t c = 0; c < columns.columns.size(); ++c) {
    const ExportColumn& column = columns.columns[c];
    for (std::vector<double>& row : rows) {
      if (column.date && !std::isnan(row[c])) row[c] = std::clamp(std::floor(row[c]), -2e12, 2e12);
      if (column.text && has_empty_text(column) && std::isnan(row[c])) row[c] = -1;
    }
  }
  return rows;
}

Json feeds_of(const Model& model, const Rows& rows) {
  Json feeds = Json::object();
  const ExportColumns columns = export_columns(model);
  for (std::size_t c = 0; c < columns.columns.size(); ++c) {
    const ExportColumn& column = columns.columns[c];
    Json data = Json::array();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double cell = rows[r][c];
      if (column.date) {
        constexpr std::int64_t kMissing = std::numeric_limits<std::int64_t>::min();
        const std::int64_t seconds = std::isnan(cell) ? kMissing : static_cast<std::int64_t>(cell);
        data.push_back(std::to_string(seconds));
      } else if (!column.text) {
        data.push_back(written(cell));
      } else if (cell >= 0 && cell < static_cast<double>(column.texts().size())) {
        data.push_back(column.texts()[static_cast<std::size_t>(cell)]);
      } else {
        data.push_back(std::isnan(cell) ? "" : "never seen");
      }
    }
    const char* type = column.text ? "string" : column.date ? "int64" : "float32";
    feeds[column.name] = {{"type", type}, {"data", data}};
  }
  return feeds;
}

class OnnxRuntime : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kNode / "node_modules/onnxruntime-node") || !folder_.run("node --version")) {
      GTEST_SKIP() << "Node or its package onnxruntime-node is not installed; scripts/setup test "
                      "installs both.";
    }
  }

  Json run(const Json& cases) {
    folder_.write("cases.json", cases.dump());
    const std::string script = (kNode / "onnx.mjs").string();
    EXPECT_TRUE(folder_.run("node '" + script + "' cases.json results.json"))
        << folder_.read("said").substr(0, 2000);
    return Json::parse(folder_.read("results.json"));
  }

  // Within 1e-5 of the target's standard deviation; probabilities within 1e-5.
  static void expect_near(const Case& one, const Json& outputs, const Rows& there,
                          std::size_t first) {
    const std::vector<double> deviation = deviations(one.model);
    const bool classes = one.model.classifies();
    const Json& data = outputs[classes ? "probabilities" : "prediction"]["data"];
    const std::size_t width = deviation.size();
    ASSERT_EQ(data.size() % width, 0u);
    for (std::size_t k = 0; k < data.size(); ++k) {
      const double here = read(data[k]), wanted = there[first + k / width][k % width];
      if (std::isfinite(wanted)) {
        EXPECT_NEAR(here, wanted, 1e-5 * deviation[k % width]) << one.name << ", row " << first;
      } else {
        EXPECT_TRUE(here == wanted || (std::isnan(here) && std::isnan(wanted)))
            << one.name << ", row " << first + k / width << ": " << here << ", not " << wanted;
      }
    }
    if (!classes) return;
    const Json& labels = outputs["label"]["data"];
    for (std::size_t r = 0; r < labels.size(); ++r) {
      const std::vector<double>& row = there[first + r];
      if (std::isnan(row[0])) continue;
      const auto likely = std::max_element(row.begin(), row.end()) - row.begin();
      EXPECT_EQ(labels[r], one.model.targets[0].classes[static_cast<std::size_t>(likely)]);
    }
  }

  Folder folder_;
};

TEST_F(OnnxRuntime, PredictsWhatTheModelPredicts) {
  const std::vector<Case> all = all_cases_with_quantiles();
  Json cases = Json::array();
  for (const Case& one : all) {
    const std::vector<std::uint8_t> bytes = to_onnx(one.model);
    folder_.write(one.name + ".onnx", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const Rows rows = rows_of(one);
    cases.push_back({{"model", one.name + ".onnx"},
                     {"rows", rows.size()},
                     {"feeds", feeds_of(one.model, rows)}});
  }
  const Json results = run(cases);
  ASSERT_EQ(results.size(), all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Rows there = predicted(all[k].model, rows_of(all[k]));
    expect_near(all[k], results[k]["outputs"], there, 0);
    ASSERT_EQ(results[k]["alone"].size(), there.size());
    for (std::size_t r = 0; r < there.size(); ++r) {
      expect_near(all[k], results[k]["alone"][r], there, r);
    }
  }
}

}  // namespace
}  // namespace knotwork::exporting
