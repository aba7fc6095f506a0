// SPDX-License-Identifier: MIT
// The report options that train and report share.
#pragma once

#include <string>
#include <vector>

#include "cli/options/parser.hpp"
#include "cli/output/document.hpp"

#include <knotwork/model_report.hpp>

namespace knotwork::cli {

struct ReportPlaces {
  std::string page;     // file; empty: none
  std::string figures;  // folder; empty: none

  bool wanted() const { return !page.empty() || !figures.empty(); }
};

// `option` is the option for the page, --report or --out. `places` must outlive parsing.
void add_report_options(App app, ReportPlaces& places, const std::string& option,
                        const std::string& help);
// Makes the folder for figures. Throws if something cannot be written, or would replace one of the
// inputs.
void check_places(const ReportPlaces& places, const std::string& option,
                  const std::vector<std::string>& inputs);

struct WrittenReport {
  std::string page;  // as in ReportPlaces
  std::size_t page_bytes = 0;
  std::vector<std::string> figures;  // paths
};
// Makes the report, and writes the page and the figures after all of them have been made.
WrittenReport write_report(const Model& model, const ReportOptions& options,
                           const ReportPlaces& places);

std::vector<std::string> describe(const WrittenReport& written);  // lines for the terminal
void add_to(Json& document, const WrittenReport& written);        // adds "report" and "figures"

}  // namespace knotwork::cli
