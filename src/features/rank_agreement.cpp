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
  for (const std::vector<std::string>& labels : table.labels) {
    names.put(std::uint64_t{labels.size()});
    for (const std::string& label : labels) names.put(std::string_view(label));
  }
  Sha256 sha;
  sha.update(names.take());
  return sha.hex_digest();
}

// Of all cells; of an array, which does not bring a hash, of some rows at equal distances.
std::string cells_sha256(const table::TableReader& table) {
  if (!table.memory() && table.knows_its_sha256()) return table.cells_sha256();
  constexpr std::size_t kSomeRows = 1024;
  Table some;
  if (!table.memory()) {
    std::vector<std::size_t> rows;
    const std::size_t count = std::min(table.rows(), kSomeRows);
    for (std::size_t k = 0; k < count; ++k) rows.push_back(k * table.rows() / count);
    some = table.read_rows(rows);
  }
  Sha256 sha;
  for (const std::vector<double>& column : (table.memory() ? *table.memory() : some).columns) {
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
  const std::string columns = columns_sha256(description), cells = cells_sha256(table);
  const Ranks::Bytes first = ranks->from_first(parallel::Packer()
                                                   .put(std::string_view(version))
                                                   .put(std::string_view(set))
                                                   .put(std::uint64_t{table.rows()})
                                                   .put(std::string_view(columns))
                                                   .put(std::string_view(cells))
                                                   .take());
  parallel::Unpacker theirs(first);
  if (const std::string other = theirs.get_text(); other != version) {
    fail(ErrorKind::failed_run, "This is version {}, and that of rank 0 is {}; start one for all.",
         version, other);
  }
  if (const std::string other = theirs.get_text(); other != set) {
    fail(ErrorKind::bad_option,
         "The instruction set is {} here and {} on rank 0, so that results would differ; --isa "
         "pins one that all of them have.",
         set, other);
  }
  if (const auto rows = theirs.get<std::uint64_t>(); rows != table.rows()) {
    fail(ErrorKind::bad_data, "{} has {} rows here and {} on rank 0; all must read the same table.",
         description.source, table.rows(), rows);
  }
  if (theirs.get_text() != columns) {
    fail(ErrorKind::bad_data,
         "{} has other columns or texts here than on rank 0; all must read the same table.",
         description.source);
  }
  if (theirs.get_text() != cells) {
    fail(ErrorKind::bad_data,
         "{} has other cells here than on rank 0; all must read the same table.",
         description.source);
  }
}

bool is_one_file(Ranks& ranks, const table::TableReader& table) {
  struct stat status = {};
  ::stat(table.description().source.c_str(), &status);
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
  asked.put(task.test_fraction).put(task.test_last).put(seed);
  asked.put(task.test_rows);
  if (task.test_data) {
    asked.put(std::string_view(columns_sha256(*task.test_data)));
    asked.put(std::string_view(cells_sha256(table::TableReader(*task.test_data))));
  }
  const Ranks::Bytes own = asked.take();
  if (ranks->from_first(own) == own) return;
  fail(ErrorKind::bad_option,
       "The targets, the weights, the seed or the rows to test on are not those of rank 0; all "
       "ranks must be asked for the same.");
}

}  // namespace knotwork::features
