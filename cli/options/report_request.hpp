// SPDX-License-Identifier: MIT
// What train and report have in common about the report of a model.
#pragma once

#include <string>
#include <vector>

#include "cli/options/parser.hpp"
#include "cli/output/document.hpp"
#include "cli/output/progress.hpp"

#include <knotwork/model_report.hpp>

namespace knotwork::cli {

struct ReportPlaces {
  std::string page;     // file; empty: none
  std::string figures;  // folder; empty: none

  bool wanted() const { return !page.empty() || !figures.empty(); }
};

// `option` is the one that names the page, --report or --out. `places` must outlive parsing.
void add_report_options(App app, ReportPlaces& places, const std::string& option,
                        const std::string& help);
// Makes the folder of figures. Throws when something cannot be written, or would replace one of the
// inputs.
void check_places(const ReportPlaces& places, const std::string& option,
                  const std::vector<std::string>& inputs);

struct WrittenReport {
  std::string page;  // as in ReportPlaces
  std::size_t page_bytes = 0;
  std::vector<std::string> figures;  // paths
};
// Looks at the model and writes what is wanted, after all of it could be made. An interrupt ends it
// with failed_run.
WrittenReport write_report(const Model& model, const ReportOptions& options,
                           const ReportPlaces& places, Progress& progress);

std::vector<std::string> describe(const WrittenReport& written);  // lines for people
void add_to(Json& document, const WrittenReport& written);        // "report" and "figures"

}  // namespace knotwork::cli
