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

// The last byte of every message; behind what was brought, so that neither side has to move it.
// Lost: the result was on its way down, but there was no memory for it.
enum Status : std::uint8_t { kFine, kFailed, kLost };

}  // namespace

// What one or more ranks of a run failed with.
struct Ranks::Failure {
  std::uint64_t rank;   // the lowest
  ErrorKind kind;       // of that one
  std::string text;     // its sentence
  std::uint64_t count;  // how many failed
  bool alike;           // whether with the same sentence

  static Failure of(std::size_t rank, const std::exception& error) {
    const Error known = as_error(error);
    return {rank, known.kind(), known.what(), 1, true};
  }
  void add(const Failure& other) {
    const bool is_same = other.text == text && other.kind == kind;
    count += other.count;
    alike = alike && other.alike && is_same;
    if (other.rank < rank) {
      rank = other.rank;
      kind = other.kind;
      text = other.text;
    }
  }

  Bytes packed() const {
    return Packer().put(rank).put(kind).put(std::string_view(text)).put(count).put(alike).take();
  }
  static Failure unpacked(const Bytes& bytes) {
    Unpacker from(bytes);
    Failure failure{};
    failure.rank = from.get<std::uint64_t>();
    failure.kind = from.get<ErrorKind>();
    failure.text = from.get_text();
    failure.count = from.get<std::uint64_t>();
    failure.alike = from.get<bool>();
    return failure;
  }

  [[noreturn]] void raise(std::size_t ranks) const {
    if (alike && count == ranks) throw SharedError(kind, text);
    throw SharedError(kind, fmt::format("Rank {}: {}", rank, text));
  }
};

// One way up the tree and down again. Whatever goes wrong, the messages that others wait for are
// sent.
class Ranks::Round {
 public:
  explicit Round(Ranks& ranks) : ranks_(ranks) {}

  void note_failure(Failure one) {
    if (failure_) one.add(*failure_);
    failure_ = std::move(one);
  }
  void note_failure(const std::exception& error) { note_failure(Failure::of(ranks_.rank_, error)); }

  // Where only rank 0 needs the result, a message without contents goes down in its place.
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
    throw Error(failure.kind, failure.text);
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

  // When a result is lost the ranks above and beside have it and are gone: those who do not get it
  // throw an Error of their own here, and the others will hear of it in the next round. Unless the
  // round has failed from here, which all of them know.
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
  fail(ErrorKind::failed_run, "A failure was not heard by rank {}.", rank_);
}

OneRank::OneRank() : Ranks(1, 0) {}
void OneRank::send(std::size_t, const Bytes&) {}
Ranks::Bytes OneRank::receive(std::size_t) {
  return {};
}

}  // namespace knotwork
