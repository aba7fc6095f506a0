// SPDX-License-Identifier: MIT
#include "model/merge_reports.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "parallel/message.hpp"

namespace knotwork::model {
namespace {

constexpr std::size_t kMostUnseen = 5;  // as in EncodingReport

void merge_texts(std::vector<std::string>& all, const std::vector<std::string>& part) {
  all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > kMostUnseen) all.resize(kMostUnseen);
}

Ranks::Bytes packed(const EncodingReport& report) {
  parallel::Packer packer;
  for (const EncodingReport::Column& column : report.columns) {
    packer.put(std::string_view(column.name));
    for (const std::size_t count : {column.cells, column.missing, column.outside,
                                    column.unseen_cells, column.unseen.size()}) {
      packer.put(std::uint64_t{count});
    }
    for (const std::string& text : column.unseen) packer.put(std::string_view(text));
  }
  return packer.take();
}

EncodingReport unpacked(const Ranks::Bytes& bytes) {
  EncodingReport report;
  for (parallel::Unpacker from(bytes); !from.is_empty();) {
    EncodingReport::Column& column = report.columns.emplace_back();
    column.name = from.get_text();
    column.cells = from.get<std::uint64_t>();
    column.missing = from.get<std::uint64_t>();
    column.outside = from.get<std::uint64_t>();
    column.unseen_cells = from.get<std::uint64_t>();
    for (auto texts = from.get<std::uint64_t>(); texts > 0; --texts) {
      column.unseen.push_back(from.get_text());
    }
  }
  return report;
}

}  // namespace

void merge(EncodingReport& all, const EncodingReport& part) {
  if (all.columns.empty()) {
    all = part;
    return;
  }
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    EncodingReport::Column& column = all.columns[c];
    const EncodingReport::Column& more = part.columns[c];
    column.cells += more.cells;
    column.missing += more.missing;
    column.outside += more.outside;
    column.unseen_cells += more.unseen_cells;
    merge_texts(column.unseen, more.unseen);
  }
}

void merge_over(Ranks* ranks, EncodingReport& report) {
  if (!ranks) return;
  const auto join = [](Ranks::Bytes& left, Ranks::Bytes&& right) {
    EncodingReport all = unpacked(left);
    merge(all, unpacked(right));
    left = packed(all);
  };
  report = unpacked(ranks->combine(packed(report), join));
}

}  // namespace knotwork::model
