// SPDX-License-Identifier: MIT
// Processes that work on one thing together, each with its share of the rows.
//
// There is one primitive: combine() merges what all ranks bring in one fixed binary tree, and all
// get the result. Rank r takes what r+1 brings, then what r+2 has merged, then r+4 and so on, so
// that a merge always joins what two neighboring runs of ranks brought, the lower run on the left:
// for five ranks ((0 1)(2 3))4. Failures travel in the same messages: a rank that cannot go on says
// so instead of its next combine(), and all throw in that round. Nobody waits for one that gave up.
//
// What carries the messages is left to a derived class: MPI in the program knotwork-mpi, queues
// between threads in tests. Bytes are meant for the same program on the same kind of machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include <knotwork/api.hpp>
#include <knotwork/error.hpp>

namespace knotwork {

// An Error that all ranks throw in the same round, so that all are where they were before: who
// catches it everywhere can go on together.
class KNOTWORK_API SharedError : public Error {
 public:
  using Error::Error;
};

class KNOTWORK_API Ranks {
 public:
  using Bytes = std::vector<std::uint8_t>;
  // Changes `left` (what lower ranks brought) by `right` (what their higher neighbors brought).
  using Merge = std::function<void(Bytes& left, Bytes&& right)>;

  virtual ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::size_t size() const { return size_; }
  std::size_t rank() const { return rank_; }
  bool is_first() const { return rank_ == 0; }

  // This and what follows is a round: all ranks must come to the same rounds in the same order,
  // each from one thread. Gives everyone the same result; one rank alone gets back what it brought.
  // Throws SharedError when a rank has failed, or when its merge() throws; a plain Error when there
  // is no memory for the result, which is this rank's to report.
  Bytes combine(Bytes own, const Merge& merge);

  // What all brought, by rank.
  std::vector<Bytes> gather(Bytes own);
  // The same for rank 0; the others get nothing.
  std::vector<Bytes> gather_at_first(Bytes own);
  // Whether any rank says so.
  bool any(bool own);
  // What rank 0 brought.
  Bytes from_first(Bytes own);
  // Returns when all have come.
  void meet();

  // Instead of the next round: tells all others that this rank failed. All throw SharedError of the
  // same kind then, "Rank 2: <sentence>", or the plain sentence if all failed with the same one. Of
  // several failures the one of the lowest rank is told. A SharedError is known to all already and
  // thrown as it is.
  [[noreturn]] void report_failure(const std::exception& error);

 protected:
  Ranks(std::size_t size, std::size_t rank);

  // Messages from one rank to another arrive in the order in which they were sent. receive() may
  // throw when there is no memory for a message, which is lost then; anything else that keeps a
  // message from arriving must end all ranks.
  virtual void send(std::size_t to, const Bytes& message) = 0;
  virtual Bytes receive(std::size_t from) = 0;

 private:
  struct Failure;
  class Round;
  std::vector<Bytes> gathered(Bytes own, bool at_first);

  std::size_t size_, rank_;
};

// One process for itself.
class KNOTWORK_API OneRank final : public Ranks {
 public:
  OneRank();

 private:
  void send(std::size_t to, const Bytes& message) override;
  Bytes receive(std::size_t from) override;
};

}  // namespace knotwork
