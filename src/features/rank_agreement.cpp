// SPDX-License-Identifier: MIT
#include "features/rank_agreement.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string>

#include "base/fail.hpp"
#include "base/sha256.hpp"
#include "parallel/message.hpp"

#include <knotwork/instruction_set.hpp>
#include <knotwork/version.hpp>

namespace knotwork::features {
namespace {

std::string columns_sha256(const Table& table) {
  parallel::Packer names;
  for (const std::string& name : table.names) names.put(std::string_view(name));
  for (std::size_t c = 0; c < table.dates.size(); ++c) names.put(std::uint64_t{table.is_date(c)});
  for (const std::vector<std::string>& labels : table.labels) {
    names.put(std::uint64_t{labels.size()});
    for (const std::string& label : labels) names.put(std::string_view(label));
  }
  Sha256 sha;
  sha.update(names.take());
  return sha.hex_digest();
}

// Hash of all cells, or of some rows at equal distances if the file stores no hash.
std::string cells_sha256(const table::TableReader& table) {
  if (table.is_in_memory() || table.source().knows_fingerprint()) return table.fingerprint();
  constexpr std::size_t kSomeRows = 1024;
  std::vector<std::size_t> rows;
  const std::size_t count = std::min(table.rows(), kSomeRows);
  for (std::size_t k = 0; k < count; ++k) rows.push_back(k * table.rows() / count);
  Sha256 sha;
  for (const std::vector<double>& column : table.read_rows(rows).columns) {
    sha.update(
        {reinterpret_cast<const std::uint8_t*>(column.data()), column.size() * sizeof(double)});
  }
  return sha.hex_digest();
}

}  // namespace

void check_agreement(Ranks* ranks, const table::TableReader& table) {
  if (!ranks || ranks->size() == 1) return;
  const std::string version = KNOTWORK_VERSION_STRING, set = instruction_set();
  const Table& description = table.description();
  const std::string columns = columns_sha256(description);
  std::string cells;
  table::TableReader::together(ranks, [&] { cells = cells_sha256(table); });
  const Ranks::Bytes first = ranks->from_first(parallel::Packer()
                                                   .put(std::string_view(version))
                                                   .put(std::string_view(set))
                                                   .put(std::uint64_t{table.rows()})
                                                   .put(std::string_view(columns))
                                                   .put(std::string_view(cells))
                                                   .take());
  parallel::Unpacker theirs(first);
  if (const std::string other = theirs.get_text(); other != version) {
    fail(ErrorKind::failed_run,
         "This is version {}, but rank 0 has version {}; start the same version on all ranks.",
         version, other);
  }
  if (const std::string other = theirs.get_text(); other != set) {
    fail(ErrorKind::bad_option, of_option("isa"),
         Hint{.purpose = "to use one that all ranks have", .settings = {{"isa", ""}}},
         "The instruction set is {} here and {} on rank 0, so results would differ.", set, other);
  }
  if (const auto rows = theirs.get<std::uint64_t>(); rows != table.rows()) {
    fail(ErrorKind::bad_data, in_file(description.source),
         "has {} rows here and {} on rank 0; all ranks must read the same table.", table.rows(),
         rows);
  }
  if (theirs.get_text() != columns) {
    fail(ErrorKind::bad_data, in_file(description.source),
         "has other columns or texts here than on rank 0; all ranks must read the same table.");
  }
  if (theirs.get_text() != cells) {
    fail(ErrorKind::bad_data, in_file(description.source),
         "has other cells here than on rank 0; all ranks must read the same table.");
  }
}

bool is_one_file(Ranks& ranks, const std::string& path) {
  struct stat status = {};
  ::stat(path.c_str(), &status);
  const Ranks::Bytes own = parallel::Packer()
                               .put(status.st_ino)
                               .put(status.st_size)
                               .put(status.st_mtim.tv_sec)
                               .put(status.st_mtim.tv_nsec)
                               .take();
  return !ranks.any(ranks.from_first(own) != own);
}

void check_agreement(Ranks* ranks, const TableTask& task, std::uint64_t seed) {
  if (!ranks || ranks->size() == 1) return;
  parallel::Packer asked;
  for (const std::vector<std::string>* names : {&task.targets, &task.drop, &task.keep}) {
    asked.put(std::uint64_t{names->size()});
    for (const std::string& name : *names) asked.put(std::string_view(name));
  }
  for (const std::string* name : {&task.weight_column, &task.group_column, &task.stratify_column}) {
    asked.put(std::string_view(*name));
  }
  asked.put(task.kind ? static_cast<int>(*task.kind) : -1);
  asked.put(std::uint64_t{task.one_hot_max_size});
  asked.put(task.test_fraction).put(task.test_last).put(task.require_target).put(seed);
  asked.put(task.test_rows);
  if (task.test_data) {
    asked.put(std::string_view(columns_sha256(*task.test_data)));
    asked.put(std::string_view(cells_sha256(table::TableReader(*task.test_data))));
  }
  const Ranks::Bytes own = asked.take();
  if (ranks->from_first(own) == own) return;
  fail(ErrorKind::bad_option,
       "The targets, the weights, the seed or the test rows differ from those of rank 0; all ranks "
       "need the same options.");
}

}  // namespace knotwork::features
