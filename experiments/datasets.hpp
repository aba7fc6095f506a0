// SPDX-License-Identifier: MIT
// load_datasets() reads the paper's two data sets from files in a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <knotwork/names.hpp>
#include <knotwork/table.hpp>

namespace knotwork::experiments {

struct DatasetEntry {
  std::string name;
  std::string file;
  std::string title;
  std::string remedy;  // how to get the file, as part of a sentence
};
using DatasetTable = NamedTable<DatasetEntry>;
const DatasetTable& paper_datasets();

inline constexpr std::size_t kPaperInputs = 8;

struct Dataset {
  std::string name;
  std::string title;
  Table table;         // the target is the last column
  std::string digest;  // hash of the table; distinguishes results for different data
};

Dataset make_dataset(const DatasetEntry& entry, Table table);
// Throws bad_option for an unknown name, bad_file naming every missing file and how to get it, and
// bad_data for a table of the wrong shape.
std::vector<Dataset> load_datasets(const std::vector<std::string>& names,
                                   const std::filesystem::path& folder);

}  // namespace knotwork::experiments
