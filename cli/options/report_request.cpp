// SPDX-License-Identifier: MIT
#include "cli/options/report_request.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/fail.hpp"
#include "cli/output/error_text.hpp"
#include "cli/output/output.hpp"
#include "cli/tables/output_place.hpp"
#include "files/file_io.hpp"

namespace knotwork::cli {

void add_report_options(App app, ReportPlaces& places, const std::string& option,
                        const std::string& help) {
  const std::string group = "Output";
  app.add_option(option, places.page, help).type_name("FILE").group(group);
  app.add_option("--figures", places.figures,
                 "write every figure of the report to this folder, as an SVG file each")
      .type_name("DIR")
      .group(group);
}

void check_places(const ReportPlaces& places, const std::string& option,
                  const std::vector<std::string>& inputs) {
  if (!places.page.empty()) {
    if (is_standard_output(places.page)) {
      fail(ErrorKind::bad_option, of_typed(option),
           "{} {} is not a file name; name a file for the page.", option, places.page);
    }
    files::check_writable(places.page);
    check_not_an_input(option, places.page, inputs);
    check_place_of_text(option, places.page);
  }
  if (places.figures.empty()) return;
  std::error_code error;
  const auto there = std::filesystem::status(places.figures, error);
  if (std::filesystem::exists(there) && !std::filesystem::is_directory(there)) {
    fail(ErrorKind::bad_option, of_option("figures"),
         "--figures {} is a file; name a folder (it is made if it does not exist).",
         places.figures);
  }
  make_folder(places.figures);
  files::check_writable(std::filesystem::path(places.figures) / "network.svg");
}

WrittenReport write_report(const Model& model, const ReportOptions& options,
                           const ReportPlaces& places) {
  Monitor* const monitor = options.monitor.get();
  const ModelReport report = look_at(model, options);
  WrittenReport written;
  std::string page;
  std::vector<NamedFigure> figures;
  if (!places.page.empty()) page = report_page(report, monitor);
  if (!places.figures.empty()) figures = report_figures(report, monitor);
  for (const NamedFigure& figure : figures) {
    const std::filesystem::path path =
        std::filesystem::path(places.figures) / (figure.name + ".svg");
    write_text(path, figure.svg);
    written.figures.push_back(path.string());
  }
  if (!places.page.empty()) {
    write_text(places.page, page);
    written.page = places.page;
    written.page_bytes = page.size();
  }
  return written;
}

std::vector<std::string> describe(const WrittenReport& written) {
  std::vector<std::string> lines;
  if (!written.page.empty()) {
    lines.push_back(fmt::format("{} ({:.1f} MB), an HTML page", written.page,
                                static_cast<double>(written.page_bytes) / 1e6));
  }
  if (!written.figures.empty()) {
    const std::filesystem::path folder =
        std::filesystem::path(written.figures.front()).parent_path();
    lines.push_back(fmt::format("{} SVG figures in {}", written.figures.size(), folder.string()));
  }
  return lines;
}

void add_to(Json& document, const WrittenReport& written) {
  if (!written.page.empty()) {
    document["report"] = {{"file", written.page}, {"bytes", written.page_bytes}};
  }
  if (!written.figures.empty()) document["figures"] = written.figures;
}

}  // namespace knotwork::cli
