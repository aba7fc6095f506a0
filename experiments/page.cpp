// SPDX-License-Identifier: MIT
#include "experiments/page.hpp"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "base/fail.hpp"

namespace knotwork::experiments {

std::string replace_part(const std::string& page, const std::string& scenario,
                         const std::string& part) {
  const std::string begin = fmt::format("<!-- {} -->\n", scenario);
  const std::string end = fmt::format("<!-- end of {} -->\n", scenario);
  const std::string whole = begin + part + end;
  const std::size_t from = page.find(begin), to = page.find(end);
  if (from == std::string::npos && to == std::string::npos) {
    return page + (page.empty() || page.ends_with("\n\n") ? "" : "\n") + whole;
  }
  if (from == std::string::npos || to == std::string::npos || to < from) {
    fail(ErrorKind::bad_file,
         "The page needs '<!-- {0} -->' and below it '<!-- end of {0} -->', each on a line of its "
         "own; mend it, or take out both.",
         scenario);
  }
  return page.substr(0, from) + whole + page.substr(to + end.size());
}

std::string this_machine() {
  std::string model = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  const unsigned cores = std::thread::hardware_concurrency();
  return fmt::format("{}, {} {}", model, cores, cores == 1 ? "core" : "cores");
}

std::string page_part(const Report& report, const Origin& origin,
                      const std::filesystem::path& figures) {
  std::string text = fmt::format("\n{}\n", tables(report));
  for (const std::string& note : report.notes) text += "- " + note + "\n";
  text +=
      fmt::format("\nMeasured on {} and written by\n\n    {}\n\n", origin.machine, origin.command);
  if (figures.empty()) return text;
  for (const Figure& figure : report.figures) {
    text += fmt::format("![{}]({})\n\n", figure.title, (figures / figure.file).generic_string());
  }
  return text;
}

}  // namespace knotwork::experiments
