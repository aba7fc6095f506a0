// SPDX-License-Identifier: MIT
#include <knotwork/error.hpp>
#include <knotwork/ranks.hpp>

#include <optional>
#include <string>
#include <utility>

#include "base/fail.hpp"
#include "parallel/message.hpp"

namespace knotwork {

using namespace parallel;

namespace {

// The last byte of every message, after its contents, so that neither side has to move the
// contents. kLost: the result was on its way down the tree, but there was no memory for the result.
enum Status : std::uint8_t { kFine, kFailed, kLost };

void put(Packer& packer, const Error& error) {
  const Where& where = error.where();
  packer.put(error.kind()).put(std::string_view(error.sentence()));
  for (const std::string* text : {&where.option, &where.other_option, &where.file, &where.row_name,
                                  &where.column_name, &where.subject, &where.part}) {
    packer.put(std::string_view(*text));
  }
  packer.put(std::uint64_t{where.line}).put(std::uint64_t{where.column});
  packer.put(where.row.has_value()).put(std::uint64_t{where.row.value_or(0)});
  packer.put(where.is_in_sentence);
  const Hint& hint = error.hint();
  packer.put(std::string_view(hint.action)).put(std::string_view(hint.purpose));
  packer.put(std::uint64_t{hint.settings.size()});
  for (const OptionSetting& setting : hint.settings) {
    packer.put(std::string_view(setting.option)).put(std::string_view(setting.value));
  }
}

Error get_error(Unpacker& from) {
  const auto kind = from.get<ErrorKind>();
  const std::string sentence = from.get_text();
  Where where;
  for (std::string* text : {&where.option, &where.other_option, &where.file, &where.row_name,
                            &where.column_name, &where.subject, &where.part}) {
    *text = from.get_text();
  }
  where.line = static_cast<std::size_t>(from.get<std::uint64_t>());
  where.column = static_cast<std::size_t>(from.get<std::uint64_t>());
  const bool has_row = from.get<bool>();
  const auto row = static_cast<std::size_t>(from.get<std::uint64_t>());
  if (has_row) where.row = row;
  where.is_in_sentence = from.get<bool>();
  Hint hint;
  hint.action = from.get_text();
  hint.purpose = from.get_text();
  for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
    std::string option = from.get_text();
    hint.settings.push_back({std::move(option), from.get_text()});
  }
  return {kind, std::move(where), std::move(hint), sentence};
}

}  // namespace

// The failure of one or more ranks of a run.
struct Ranks::Failure {
  std::uint64_t rank;   // the lowest
  Error error;          // of that rank
  std::uint64_t count;  // how many failed
  bool alike;           // whether all have the same sentence

  static Failure of(std::size_t rank, const std::exception& error) {
    return {rank, as_error(error), 1, true};
  }
  void add(const Failure& other) {
    const bool is_same =
        std::string_view(other.error.what()) == error.what() && other.error.kind() == error.kind();
    count += other.count;
    alike = alike && other.alike && is_same;
    if (other.rank < rank) {
      rank = other.rank;
      error = other.error;
    }
  }

  Bytes packed() const {
    Packer packer;
    packer.put(rank).put(count).put(alike);
    put(packer, error);
    return packer.take();
  }
  static Failure unpacked(const Bytes& bytes) {
    Unpacker from(bytes);
    const auto rank = from.get<std::uint64_t>();
    const auto count = from.get<std::uint64_t>();
    const bool alike = from.get<bool>();
    return {rank, get_error(from), count, alike};
  }

  [[noreturn]] void raise(std::size_t ranks) const {
    const bool is_of_all = alike && count == ranks;
    const Error told = is_of_all ? error : of_part(error, fmt::format("Rank {}", rank));
    throw SharedError(told);
  }
};

// One pass up the tree and down again. Even after a failure it sends the messages that other ranks
// wait for.
class Ranks::Round {
 public:
  explicit Round(Ranks& ranks) : ranks_(ranks) {}

  void note_failure(Failure one) {
    if (failure_) one.add(*failure_);
    failure_ = std::move(one);
  }
  void note_failure(const std::exception& error) { note_failure(Failure::of(ranks_.rank_, error)); }

  // If only rank 0 needs the result, an empty message is sent down to the others.
  enum class For { all, first };
  Bytes run(Bytes own, const Merge& merge, For whom = For::all) {
    const std::size_t rank = ranks_.rank_, size = ranks_.size_;
    std::size_t step = 1;
    for (; step < size && (rank & step) == 0; step *= 2) {
      if (rank + step < size) take(rank + step, own, merge);
    }
    add_status(own);
    if (rank != 0) {
      ranks_.send(rank - step, own);
      own = {};
      own = result_from(rank - step);
    }
    const bool is_kept = rank == 0 && whom == For::first && !failure_;
    const Bytes fine = {kFine};
    for (step /= 2; step > 0; step /= 2) {
      if (rank + step < size) ranks_.send(rank + step, is_kept ? fine : own);
    }
    const std::uint8_t status = remove_status(own);
    if (status == kFine) return own;
    const Failure failure = Failure::unpacked(own);
    if (status == kFailed) failure.raise(size);
    throw Error(failure.error);
  }

 private:
  void add_status(Bytes& message) {
    try {
      if (!failure_) {
        message.reserve(message.size() + 1);
        message.push_back(kFine);
        return;
      }
    } catch (const std::exception& error) {
      note_failure(error);
    }
    message = failure_->packed();
    message.push_back(kFailed);
  }
  static std::uint8_t remove_status(Bytes& message) {
    const std::uint8_t status = message.back();
    message.pop_back();
    return status;
  }

  void take(std::size_t from, Bytes& left, const Merge& merge) {
    try {
      Bytes right = ranks_.receive(from);
      if (remove_status(right) != kFine) {
        note_failure(Failure::unpacked(right));
      } else if (!failure_) {
        merge(left, std::move(right));
      }
    } catch (const std::exception& error) {
      note_failure(error);
    }
  }

  // When a result is lost, the ranks above and beside this rank have the result and have already
  // continued. A rank that does not get the result throws a plain Error here, and the other ranks
  // learn of this failure in the next round. If the round itself has failed, all ranks know of the
  // failure.
  Bytes result_from(std::size_t from) {
    try {
      return ranks_.receive(from);
    } catch (const std::exception& error) {
      const Failure lost = Failure::of(ranks_.rank_, error);
      Bytes message = failure_ ? failure_->packed() : lost.packed();
      message.push_back(failure_ ? kFailed : kLost);
      return message;
    }
  }

  Ranks& ranks_;
  std::optional<Failure> failure_;
};

Ranks::Ranks(std::size_t size, std::size_t rank) : size_(size), rank_(rank) {}
Ranks::~Ranks() = default;

Ranks::Bytes Ranks::combine(Bytes own, const Merge& merge) {
  if (size_ == 1) return own;
  return Round(*this).run(std::move(own), merge);
}

std::vector<Ranks::Bytes> Ranks::gather(Bytes own) {
  return gathered(std::move(own), false);
}

std::vector<Ranks::Bytes> Ranks::gather_at_first(Bytes own) {
  return gathered(std::move(own), true);
}

std::vector<Ranks::Bytes> Ranks::gathered(Bytes own, bool at_first) {
  std::vector<Bytes> all;
  if (size_ == 1) {
    all.push_back(std::move(own));
    return all;
  }
  const auto join = [](Bytes& left, Bytes&& right) {
    left.insert(left.end(), right.begin(), right.end());
  };
  const Bytes joined = Round(*this).run(Packer().put(own).take(), join,
                                        at_first ? Round::For::first : Round::For::all);
  for (Unpacker from(joined); !from.is_empty();) all.push_back(from.get_list<std::uint8_t>());
  return all;
}

bool Ranks::any(bool own) {
  return combine({own}, [](Bytes& left, Bytes&& right) { left[0] |= right[0]; })[0] != 0;
}

Ranks::Bytes Ranks::from_first(Bytes own) {
  if (!is_first()) own = {};
  return combine(std::move(own), [](Bytes&, Bytes&&) {});
}

void Ranks::meet() {
  from_first({});
}

void Ranks::report_failure(const std::exception& error) {
  if (const auto* shared = dynamic_cast<const SharedError*>(&error)) throw SharedError(*shared);
  Round round(*this);
  round.note_failure(error);
  round.run({}, nullptr);
  fail(ErrorKind::failed_run, "Rank {} was not notified of a failure.", rank_);
}

OneRank::OneRank() : Ranks(1, 0) {}
void OneRank::send(std::size_t, const Bytes&) {}
Ranks::Bytes OneRank::receive(std::size_t) {
  return {};
}

}  // namespace knotwork
