// SPDX-License-Identifier: MIT
#include "experiments/datasets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/fail.hpp"
#include "base/sha256.hpp"

namespace knotwork::experiments {
namespace {

constexpr std::size_t kDigestDigits = 12;

std::string digest(const Table& table) {
  Sha256 sha;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::vector<double>& cells = table.columns[c];
    sha.update(
        {reinterpret_cast<const std::uint8_t*>(table.names[c].c_str()), table.names[c].size() + 1});
    sha.update(
        {reinterpret_cast<const std::uint8_t*>(cells.data()), cells.size() * sizeof(double)});
  }
  return sha.hex_digest().substr(0, kDigestDigits);
}

}  // namespace

const DatasetTable& paper_datasets() {
  static const DatasetTable table(
      "data set", {{"chemical", "chemical.csv", "chemical",
                    "chemical.csv has to be exported by an owner of MATLAB, as docs/data.md shows"},
                   {"california", "california_housing.csv", "California Housing",
                    "scripts/get-data california fetches california_housing.csv"}});
  return table;
}

Dataset make_dataset(const DatasetEntry& entry, Table table) {
  if (table.columns.size() != kPaperInputs + 1) {
    fail(ErrorKind::bad_data,
         "{} has {} columns, but the paper's {} set has {} inputs and a target.", table.source,
         table.columns.size(), entry.title, kPaperInputs);
  }
  Dataset dataset{entry.name, entry.title, std::move(table), ""};
  dataset.digest = digest(dataset.table);
  return dataset;
}

std::vector<Dataset> load_datasets(const std::vector<std::string>& names,
                                   const std::filesystem::path& folder) {
  std::set<std::string> seen;
  std::vector<std::string> missing, remedies;
  for (const std::string& name : names) {
    const DatasetEntry& entry = paper_datasets().at(name);
    if (!seen.insert(name).second) {
      fail(ErrorKind::bad_option, "The data set '{}' is named twice; once is enough.", name);
    }
    if (std::filesystem::exists(folder / entry.file)) continue;
    missing.push_back((folder / entry.file).string());
    remedies.push_back(entry.remedy);
  }
  if (names.empty()) {
    fail(ErrorKind::bad_option, "No data set is named; there are {}.",
         fmt::join(paper_datasets().names(), " and "));
  }
  if (!missing.empty()) {
    fail(ErrorKind::bad_file, "{} {} not there: {}; --data-dir names another folder.",
         fmt::join(missing, " and "), missing.size() == 1 ? "is" : "are",
         fmt::join(remedies, ", and "));
  }
  std::vector<Dataset> datasets;
  for (const std::string& name : names) {
    const DatasetEntry& entry = paper_datasets().at(name);
    datasets.push_back(make_dataset(entry, read_csv(folder / entry.file)));
  }
  return datasets;
}

}  // namespace knotwork::experiments
