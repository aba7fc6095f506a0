// SPDX-License-Identifier: MIT
// fuzz_seeds FOLDER: writes model files of every kind into FOLDER/model_file, checkpoints into
// FOLDER/checkpoint, packed tables into FOLDER/gzip, studies into FOLDER/study, and table files and
// arrays into FOLDER/table_file.
#include <zlib.h>
#include <zstd.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "training/run/test_trainings.hpp"

#include <knotwork/checkpoint.hpp>
#include <knotwork/model_file.hpp>
#include <knotwork/search.hpp>
#include <knotwork/stored_table.hpp>
#include <knotwork/training.hpp>

using namespace knotwork;
namespace fs = std::filesystem;

namespace {

// Numbers, a text, a missing cell, and a target of numbers or of classes.
Table table(bool classes) {
  std::string text = "x,colour,gap,y\n";
  for (int row = 0; row < 40; ++row) {
    const char* const colours[] = {"red", "green", "blue"};
    text += std::to_string(row) + "," + colours[row % 3] + "," +
            (row % 5 == 0 ? "" : std::to_string(row * row % 11)) + "," +
            (classes ? colours[row % 2] : std::to_string(std::sin(row))) + "\n";
  }
  return parse_csv(text, "seeds");
}

void save(const fs::path& path, const TrainOptions& changes, bool classes = false) {
  TrainOptions options = changes;
  options.hidden = {2};
  options.iterations = 2;
  options.threads = 1;
  save_model(train(table(classes), {}, options), path);
}

void make_models(const fs::path& folder) {
  TrainOptions tanh;
  tanh.activation = "tanh";
  save(folder / "tanh", tanh);
  save(folder / "spline", {});
  save(folder / "classes", {}, true);
  TrainOptions ensemble;
  ensemble.ensemble = 2;
  ensemble.precision = Precision::float32;
  save(folder / "ensemble", ensemble);
  TrainOptions quantile;
  quantile.scale_inputs = ScalingKind::quantile;
  quantile.sharing = Sharing::layer;
  save(folder / "quantile", quantile);
  TrainOptions snapshots;
  snapshots.snapshots = 1;
  save(folder / "snapshots", snapshots);
}

void make_checkpoints(const fs::path& folder) {
  TrainOptions options;
  options.hidden = {2};
  options.spline.knots = 5;
  options.iterations = 3;
  options.threads = 1;
  options.ensemble = 2;
  options.validation_fraction = 0.3;
  options.snapshots = 1;
  for (const char* optimizer : {"cg", "lbfgs", "adam"}) {
    options.optimizer = optimizer;
    std::size_t count = 0;
    const auto save_state = [&](const TrainingState& state) {
      save_checkpoint(state, folder / (optimizer + std::to_string(count++)));
    };
    const auto checkpoints = std::make_shared<Checkpoints>(save_state, 2);
    train(PreparedData(table(false), {}, 1), options, {.checkpoints = checkpoints});
  }
}

void pack(const fs::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  if (!file) throw std::runtime_error(path.string());
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

void pack_by_zstd(const fs::path& path, const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  std::ofstream(path, std::ios::binary) << out;
}

void make_packed(const fs::path& folder) {
  pack(folder / "empty", "");
  pack(folder / "table", "a,b\n1,2\n3,4\n");
  pack(folder / "zeros", std::string(100'000, '0'));
  pack_by_zstd(folder / "zstd_empty", "");
  pack_by_zstd(folder / "zstd_table", "a,b\n1,2\n3,4\n");
  pack_by_zstd(folder / "zstd_zeros", std::string(100'000, '0'));
}

void make_table_files(const fs::path& folder) {
  write_table_file(table(false), folder / "texts");
  write_table_file(parse_csv("a,b\n0.1,1\n,2\n3,4\n", "seeds"), folder / "numbers");
  write_npy(StoredTable(folder / "numbers"), folder / "array");
  write_table_file(parse_csv("a\n1\n2\n", "seeds"), folder / "column");
  write_npy(StoredTable(folder / "column"), folder / "floats");
}

void make_study(const fs::path& path, std::size_t trials) {
  fs::remove(path);
  Study study(path, {{"data", "abc"}, {"seed", "1"}});
  std::vector<Setting> settings;
  for (std::size_t k = 0; k < trials; ++k) settings.push_back({{"x", std::to_string(k)}});
  for (const std::int64_t trial : study.begin("", settings, 1, 2)) {
    study.store(trial, {0, 0.5, 1.5, trial == 2 ? "it did not end" : ""});
  }
  study.set_result("", "tune", "{\"winner\":{}}");
}

void make_studies(const fs::path& folder) {
  make_study(folder / "empty", 0);
  make_study(folder / "small", 3);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("Usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  try {
    const fs::path folder = words[1];
    fs::create_directories(folder / "model_file");
    fs::create_directories(folder / "gzip");
    fs::create_directories(folder / "table_file");
    fs::create_directories(folder / "checkpoint");
    fs::create_directories(folder / "study");
    make_models(folder / "model_file");
    make_checkpoints(folder / "checkpoint");
    make_packed(folder / "gzip");
    make_table_files(folder / "table_file");
    make_studies(folder / "study");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return 1;
  }
  return 0;
}
