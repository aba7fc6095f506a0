// SPDX-License-Identifier: MIT
// Times prediction and reading:
//   predict SHAPE ROWS network|model THREADS   rows in columns of float
//   copy SHAPE ROWS                            copies the memory that predict reads and writes
//   one-row SHAPE                              with a Predictor
//   write-csv ROWS FILE                        writes a table with digits like California's
//   csv FILE                                   reads it into memory
//   convert FILE OUT                           converts it to a table file
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "job.hpp"
#include "problem.hpp"

#include <knotwork/knotwork.hpp>

namespace bench {
namespace {

using namespace knotwork;

// Like a trained model: splines, standard scaling of all columns, float.
Model make_model(const std::string& shape) {
  Model model;
  model.members.push_back(make_network(sizes_of(shape), "spline", 21));
  model.precision = Precision::float32;
  const Scaling standard{ScalingKind::standard, 0.125, 0.9, {}};
  for (std::size_t k = 0; k < model.members[0].inputs(); ++k) {
    InputColumn input;
    input.column = std::string(1, 'x').append(std::to_string(k + 1));
    input.scaling = standard;
    model.inputs.push_back(input);
  }
  for (std::size_t k = 0; k < model.members[0].outputs(); ++k) {
    model.targets.push_back({std::string(1, 'y').append(std::to_string(k + 1)), standard});
  }
  model.check();
  return model;
}

struct Prediction {
  Prediction(const std::string& shape, std::size_t rows)
      : model(make_model(shape)),
        inputs(make_inputs<float>(rows, model.inputs.size())),
        outputs(rows * model.targets.size()) {}

  void run(bool whole_model, std::size_t threads) {
    const auto to = column_major(std::span(outputs), inputs.rows, model.targets.size());
    if (whole_model) {
      model.predict(inputs.view(), to, threads);
    } else {
      evaluate(model.members[0], inputs.view(), to, threads);
    }
  }

  Model model;
  Columns<float> inputs;
  std::vector<float> outputs;
};

Job make_prediction(const std::string& shape, std::size_t rows, const std::string& what,
                    std::size_t threads) {
  const auto prediction = std::make_shared<Prediction>(shape, rows);
  const bool whole_model = what == "model";
  return {[=] { prediction->run(whole_model, threads); }};
}

Job make_one_row(const std::string& shape) {
  struct Ready {
    Predictor predictor;
    std::vector<float> row, prediction;
  };
  Predictor predictor(make_model(shape));
  const std::size_t inputs = predictor.model().inputs.size();
  const std::size_t outputs = predictor.model().targets.size();
  const auto ready = std::make_shared<Ready>(Ready{
      std::move(predictor), make_inputs<float>(1, inputs).values, std::vector<float>(outputs)});
  return {[=] {
    ready->predictor.predict(std::span<const float>(ready->row), std::span(ready->prediction));
    keep(ready->prediction.data());
  }};
}

Job make_copy(Words words) {
  struct Buffers {
    std::vector<float> inputs, outputs, inputs_copy, outputs_copy;
  };
  const std::vector<std::size_t> sizes = sizes_of(words[1]);
  const std::size_t rows = number(words[2]);
  const auto all = std::make_shared<Buffers>();
  all->inputs.assign(rows * sizes.front(), 1.0F);
  all->outputs.assign(rows * sizes.back(), 1.0F);
  all->inputs_copy.assign(all->inputs.size(), 2.0F);
  all->outputs_copy.assign(all->outputs.size(), 2.0F);
  return {[=] {
    std::memcpy(all->inputs_copy.data(), all->inputs.data(), all->inputs.size() * sizeof(float));
    keep(all->inputs_copy.data());
    std::memcpy(all->outputs_copy.data(), all->outputs.data(), all->outputs.size() * sizeof(float));
    keep(all->outputs_copy.data());
  }};
}

// Some columns with few digits, some with all digits of a double, as in California Housing.
void write_csv(std::size_t rows, const std::filesystem::path& path) {
  struct Column {
    const char* name;
    double low, high;
    int decimals;  // -1: enough to read the same number back
  };
  static constexpr Column kColumns[] = {
      {"MedInc", 0.5, 15, 4},    {"HouseAge", 1, 52, 1},         {"AveRooms", 0.8, 20, -1},
      {"AveBedrms", 0.3, 5, -1}, {"Population", 3, 10000, 1},    {"AveOccup", 0.7, 12, -1},
      {"Latitude", 32.5, 42, 2}, {"Longitude", -124.4, -114, 2}, {"MedHouseVal", 0.15, 5, 3}};
  const Random random(5, Purpose::builtin_inputs);
  std::string text;
  for (const Column& column : kColumns) {
    if (!text.empty()) text += ',';
    text += column.name;
  }
  text += '\n';
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < std::size(kColumns); ++c) {
      const Column& column = kColumns[c];
      const double share = random.uniform(r * std::size(kColumns) + c);
      char digits[40];
      const double value = column.low + share * (column.high - column.low);
      const auto end = column.decimals < 0
                           ? std::to_chars(digits, digits + sizeof digits, value)
                           : std::to_chars(digits, digits + sizeof digits, value,
                                           std::chars_format::fixed, column.decimals);
      if (c > 0) text += ',';
      text.append(digits, end.ptr);
    }
    text += '\n';
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

Job make_csv(const std::string& path) {
  return {[=] { keep(read_csv(path)); },
          [=](const std::filesystem::path& folder) {
            const Table table = read_csv(path);
            std::vector<double> all;
            for (const auto& column : table.columns) {
              all.insert(all.end(), column.begin(), column.end());
            }
            write_file<double>(folder / "ours", all);
          }};
}

}  // namespace

Job make_data_job(Words words) {
  if (words[0] == "predict" && words.size() == 5) {
    return make_prediction(words[1], number(words[2]), words[3], number(words[4]));
  }
  if (words[0] == "copy" && words.size() == 3) return make_copy(words);
  if (words[0] == "one-row" && words.size() == 2) return make_one_row(words[1]);
  if (words[0] == "write-csv" && words.size() == 3) {
    return {[rows = number(words[1]), path = words[2]] { write_csv(rows, path); }};
  }
  if (words[0] == "csv" && words.size() == 2) return make_csv(words[1]);
  if (words[0] == "convert" && words.size() == 3) {
    return {[file = words[1], out = words[2]] { keep(convert_csv(file, out)); }};
  }
  return {};
}

}  // namespace bench
