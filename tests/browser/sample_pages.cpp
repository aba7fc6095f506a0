// SPDX-License-Identifier: MIT
// Writes report pages that would take long to train, or that no training would give, into the given
// folder.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "report/model/test_reports.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file << text;
}

}  // namespace

int main(int argc, char** argv) try {
  using namespace knotwork;
  if (argc != 2) {
    std::fprintf(stderr, "Usage: sample_pages FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const std::pair<const char*, ModelReport> reports[] = {
      {"regression", report::regression_report(12, 12)},
      {"ensemble", report::ensemble_report()},
      {"quantiles", report::quantiles_report()},
      {"classes", report::classes_report()},
      {"bare", report::bare_report()},
      {"large", report::large_report()},
      {"hostile", report::hostile_report()},
  };
  for (const auto& [name, one] : reports) {
    write(folder / (std::string(name) + ".html"), report_page(one));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "sample_pages: %s\n", error.what());
  return 1;
}
